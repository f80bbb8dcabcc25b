const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const fields: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getFullYear()),
  y: (date) => twoDigits(date.getFullYear() % 100),
  m: (date) => twoDigits(date.getMonth() + 1),
  d: (date) => twoDigits(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2),
  B: (date) => months[date.getMonth()] ?? '',
  b: (date) => (months[date.getMonth()] ?? '').slice(0, 3),
  A: (date) => days[date.getDay()] ?? '',
  a: (date) => (days[date.getDay()] ?? '').slice(0, 3),
  H: (date) => twoDigits(date.getHours()),
  M: (date) => twoDigits(date.getMinutes()),
  S: (date) => twoDigits(date.getSeconds()),
  '%': () => '%',
}

/**
 * Writes a date in local time as C's `strftime` does in the C locale, for the fields that chat templates use; others stay
 * as they are. The one of the Jinja library takes the clock and the language of the machine, so prompts would differ.
 */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(.)/g, (whole, name: string) => fields[name]?.(date) ?? whole)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
