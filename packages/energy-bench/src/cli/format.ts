/** Three significant digits, without exponent for everyday sizes. */
export function significant(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return '0'
  const rounded = Number(value.toPrecision(digits))
  const decimals = digits - 1 - Math.floor(Math.log10(Math.abs(rounded)))
  if (decimals > 6) return rounded.toExponential(digits - 1)
  return rounded.toFixed(Math.max(0, decimals))
}

/** A quantity of energy with the unit that keeps it readable: mJ, J, kJ or MJ. */
export function joules(energyJ: number): string {
  const { scale, unit } = energyUnit(energyJ)
  return `${significant(energyJ * scale)} ${unit}`
}

/** A value with its interval, all in the unit of the value: `38.2 J (33.9-43.0)`. */
export function joulesBetween(valueJ: number, lowJ: number, highJ: number): string {
  const { scale } = energyUnit(valueJ)
  return `${joules(valueJ)} (${significant(lowJ * scale)}-${significant(highJ * scale)})`
}

function energyUnit(energyJ: number): { readonly scale: number; readonly unit: string } {
  const size = Math.abs(energyJ)
  if (size !== 0 && size < 0.1) return { scale: 1e3, unit: 'mJ' }
  if (size < 10_000) return { scale: 1, unit: 'J' }
  return size < 10_000_000 ? { scale: 1e-3, unit: 'kJ' } : { scale: 1e-6, unit: 'MJ' }
}

/** A share of one as percent with one digit after the point. */
export function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`
}

/** Seconds as `m:ss`. */
export function minutes(durationS: number): string {
  const whole = Math.max(0, Math.round(durationS))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
