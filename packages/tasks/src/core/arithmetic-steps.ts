/** Column addition, right to left: one line a digit with the carry, then the sum. */
export function additionSteps(a: number, b: number): string {
  const lines: string[] = []
  let carry = 0
  let result = ''
  const columns = Math.max(String(a).length, String(b).length)
  for (let column = 0; column < columns; column++) {
    const [x, y] = [digitAt(a, column), digitAt(b, column)]
    const sum = x + y + carry
    result = `${sum % 10}${result}`
    lines.push(`${x}+${y}+${carry}=${sum} ${result}`)
    carry = Math.floor(sum / 10)
  }
  return [...lines, `${carry === 1 ? '1' : ''}${result}`].join('\n')
}

/** Column subtraction, right to left, with `b` where a column borrows. */
export function subtractionSteps(a: number, b: number): string {
  const lines: string[] = []
  let borrow = 0
  let result = ''
  for (let column = 0; column < String(a).length; column++) {
    const [x, y] = [digitAt(a, column), digitAt(b, column)]
    const borrowsNext = x - y - borrow < 0 ? 1 : 0
    const digit = x - y - borrow + 10 * borrowsNext
    result = `${digit}${result}`
    lines.push(`${x}-${y}-${borrow}=${digit} ${borrowsNext ? 'b ' : ''}${result}`)
    borrow = borrowsNext
  }
  return [...lines, String(a - b)].join('\n')
}

/** Products of the places of both numbers, then their running sum. */
export function multiplicationSteps(a: number, b: number): string {
  if (a < 10 && b < 10) return `${a}*${b}=${a * b}`
  const pairs = places(b).flatMap((y) => places(a).map((x) => [x, y] as const))
  const products = pairs.map(([x, y]) => `${x}*${y}=${x * y}`)
  let total = 0
  const sums = pairs.map(([x, y]) => {
    const line = `${total}+${x * y}=${total + x * y}`
    total += x * y
    return line
  })
  return [...products, ...sums.slice(1)].join('\n')
}

/** Long division, one line a digit of the quotient, then `quotient r remainder`. */
export function divisionSteps(a: number, b: number): string {
  const lines: string[] = []
  let quotient = ''
  let remainder = 0
  for (const digit of String(a)) {
    const current = remainder * 10 + Number(digit)
    const times = Math.floor(current / b)
    remainder = current - times * b
    if (quotient === '' && times === 0) continue
    quotient += String(times)
    lines.push(`${current}=${times}*${b}+${remainder}`)
  }
  return [...lines, `${quotient || '0'} r ${remainder}`].join('\n')
}

function digitAt(value: number, column: number): number {
  return Math.floor(value / 10 ** column) % 10
}

// 305 is 300 and 5: the digits that are not 0, with their place.
function places(value: number): number[] {
  const digits = [...String(value)]
  return digits
    .map((digit, i) => Number(digit) * 10 ** (digits.length - 1 - i))
    .filter((place) => place !== 0)
}
