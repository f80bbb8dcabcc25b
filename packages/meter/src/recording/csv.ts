/** One line of CSV (RFC 4180). */
export function toCsvLine(fields: readonly (string | number)[]): string {
  return fields.map(toField).join(',')
}

/** The fields of one line of CSV; a field with a line break in it is not supported. */
export function fromCsvLine(line: string): readonly string[] {
  const fields = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? []
  // The pattern also matches the nothing behind the last field, unless the line ends in a comma.
  const count = line.endsWith(',') ? fields.length : fields.length - 1
  return fields.slice(0, Math.max(1, count)).map(fromField)
}

function toField(field: string | number): string {
  const text = String(field)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""').replace(/[\r\n]+/g, ' ')}"` : text
}

function fromField(field: string): string {
  const text = field.replace(/,$/, '')
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
}
