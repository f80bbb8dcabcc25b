import { type EnergyDomain, isUnavailable, type Meter, type Unavailable } from '@energy-bench/spec'
import { powerByDomain } from './sample-power.js'

/** What has been counted of one domain since the first scrape. */
interface Count {
  energyJ: number
  /** Counted up to here, seconds on the clock of the meter. */
  upToS: number
}

/** Power is the mean over this time before the scrape, seconds. */
const POWER_WINDOW_S = 1

/** Scrapes must add up, so that what was told is kept as long as the meter lives. */
const countsOf = new WeakMap<Meter, Map<string, Count>>()

/**
 * The figures of a meter as text for Prometheus (exposition format 0.0.4). The counters begin at 0 with the first
 * call; a time for which there is no figure is left out of them and told by `energy_bench_unavailable`.
 *
 * @example
 * createServer(async (_, response) => response.end(await toPrometheus(meter))).listen(9400)
 */
export async function toPrometheus(meter: Meter): Promise<string> {
  const nowS = meter.now()
  const counts = countsOf.get(meter) ?? new Map<string, Count>()
  countsOf.set(meter, counts)
  const power = powerByDomain(await meter.energyBetween(nowS - POWER_WINDOW_S, nowS))
  const rows = await Promise.all(
    meter.domains.map(async (domain) => ({
      domain,
      energyJ: await countUp(meter, countFor(counts, domain.id, nowS), { id: domain.id, nowS }),
      powerW: power[domain.id],
    })),
  )
  const energies = rows.map(({ domain, energyJ }) =>
    line('energy_bench_energy_joules_total', labelsOf(domain), energyJ),
  )
  const powers = rows.flatMap(({ domain, powerW }) =>
    powerW === undefined || isUnavailable(powerW)
      ? []
      : [line('energy_bench_power_watts', labelsOf(domain), powerW)],
  )
  const reasons = rows.flatMap(({ domain, powerW }) =>
    powerW !== undefined && isUnavailable(powerW)
      ? [line('energy_bench_unavailable', reasonLabels(domain, powerW), 1)]
      : [],
  )
  return [
    ...family('energy_bench_energy_joules_total', 'counter', [
      'Energy since the first scrape, joules.',
      ...energies,
    ]),
    ...family('energy_bench_power_watts', 'gauge', [
      'Mean power over the last second, watts.',
      ...powers,
    ]),
    ...family('energy_bench_unavailable', 'gauge', [
      '1 for a domain that cannot be read now.',
      ...reasons,
    ]),
    '',
  ].join('\n')
}

function countFor(counts: Map<string, Count>, id: string, nowS: number): Count {
  const count = counts.get(id) ?? { energyJ: 0, upToS: nowS }
  counts.set(id, count)
  return count
}

/** Adds what has come since the last scrape. A window that will never have a figure is passed over. */
async function countUp(
  meter: Meter,
  count: Count,
  { id, nowS }: { readonly id: string; readonly nowS: number },
): Promise<number> {
  const fromS = count.upToS
  if (nowS <= fromS) return count.energyJ
  // Another scrape at the same time must not count the same stretch.
  count.upToS = nowS
  const energy = (await meter.energyBetween(fromS, nowS)).domains[id]
  if (energy !== undefined && !isUnavailable(energy)) count.energyJ += Math.max(0, energy.energyJ)
  return count.energyJ
}

function family(
  name: string,
  type: string,
  [help = '', ...lines]: readonly string[],
): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines]
}

type Labels = Readonly<Record<string, string>>

function labelsOf({ id, deviceId, method }: EnergyDomain): Labels {
  return { domain: id, device: deviceId, method }
}

function reasonLabels(domain: EnergyDomain, { reason }: Unavailable): Labels {
  return { ...labelsOf(domain), reason }
}

function line(name: string, labels: Labels, value: number): string {
  const text = Object.entries(labels).map(([key, label]) => `${key}="${escaped(label)}"`)
  return `${name}{${text.join(',')}} ${value}`
}

function escaped(label: string): string {
  return label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
