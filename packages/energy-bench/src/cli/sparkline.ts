const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** One character a value, from 0 to the largest of them; a gap where a value is missing. */
export function sparkline(values: readonly (number | null)[]): string {
  const largest = Math.max(0, ...values.filter((value) => value !== null))
  return values.map((value) => bar(value, largest)).join('')
}

function bar(value: number | null, largest: number): string {
  if (value === null) return ' '
  const share = largest > 0 ? Math.max(0, value) / largest : 0
  return bars[Math.min(bars.length - 1, Math.floor(share * bars.length))] ?? ' '
}
