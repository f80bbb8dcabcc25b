/**
 * Leaves exactly the begin tokens that the model shall see: none in the text when the tokenizer adds one, and never two.
 * A template may write its own, and a message that was rendered before may bring another.
 */
export function withoutDoubleBegin(
  text: string,
  bosToken: string,
  tokenizerAddsBos: boolean,
): string {
  if (bosToken === '' || !text.startsWith(bosToken)) return text
  let rest = text
  while (rest.startsWith(bosToken)) rest = rest.slice(bosToken.length)
  return tokenizerAddsBos ? rest : bosToken + rest
}
