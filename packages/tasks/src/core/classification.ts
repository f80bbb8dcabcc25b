import { byLevel, choose, chooseAndFill, drawInt, fill, pick } from './draw.js'
import type { CoreDraft, Level } from './item.js'
import type { PythonRandom } from './python-random.js'
import { templates } from './templates.js'

interface Clause {
  readonly isPositive: boolean
  readonly text: string
  readonly reason: string
}

const { items, days, classification: phrases } = templates

/** A review made of clauses; the answer is positive, negative or mixed. */
export function makeClassification(level: Level, rng: PythonRandom): CoreDraft {
  const label = choose(rng, phrases.labels)
  const opinions = drawOpinions(label, level, rng)
  const clauses = opinions.map((isPositive) => drawClause(isPositive, level, rng))
  const sentences = joinClauses(clauses, rng)
  const review = drawOpening(rng) + sentences + drawClosing(rng)
  const prompt = chooseAndFill(rng, phrases.prompts, { review })
  const think = [...clauses.map((clause) => clause.reason), label].join('\n')
  return { prompt, answer: label, think, key: prompt }
}

function drawOpinions(label: string, level: Level, rng: PythonRandom): boolean[] {
  const drawn = byLevel(level, [drawInt(rng, 1, 2), drawInt(rng, 2, 4), drawInt(rng, 5, 8)])
  if (label !== 'mixed') return Array.from({ length: drawn }, () => label === 'positive')
  const share = choose(rng, [0.15, 0.5, 0.85])
  const opinions = Array.from({ length: Math.max(drawn, 2) }, () => rng.random() < share)
  if (new Set(opinions).size === 1) {
    const flipped = Math.floor(rng.random() * opinions.length)
    opinions[flipped] = !opinions[flipped]
  }
  return opinions
}

function drawClause(isPositive: boolean, level: Level, rng: PythonRandom): Clause {
  const aspect = choose(rng, phrases.aspects)
  const positive = choose(rng, phrases.positiveWords)
  const negative = choose(rng, phrases.negativeWords)
  const [same, opposite] = isPositive ? [positive, negative] : [negative, positive]
  const form = clauseForm(level, rng.random())
  const word = form === 'negated' ? opposite : same
  const text = chooseAndFill(rng, phrases[form], { aspect, word, first: opposite })
  const negations = { plain: '', reversed: '', negated: 'not ', doublyNegated: 'not not ' }
  const verdict = isPositive ? 'positive' : 'negative'
  return { isPositive, text, reason: `${aspect} ${negations[form]}${word} = ${verdict}` }
}

function clauseForm(level: Level, share: number) {
  if (level === 1 || share < 0.35) return 'plain'
  if (share < (level === 2 ? 0.8 : 0.65)) return 'negated'
  return share < 0.85 ? 'reversed' : 'doublyNegated'
}

function joinClauses(clauses: readonly Clause[], rng: PythonRandom): string {
  let text = capitalized(pick(clauses, 0).text)
  for (const [i, clause] of clauses.slice(1).entries()) {
    const agrees = clause.isPositive === pick(clauses, i).isPositive
    const join = choose(rng, agrees ? phrases.additions : phrases.contrasts)
    text += join + (join === '. ' ? capitalized(clause.text) : clause.text)
  }
  return `${text}.`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function drawOpening(rng: PythonRandom): string {
  const bought = choose(rng, items)
  const day = choose(rng, days)
  const reviewed = choose(rng, items)
  return chooseAndFill(rng, phrases.openings, { bought, day, reviewed })
}

function drawClosing(rng: PythonRandom): string {
  const day = choose(rng, days)
  return fill(choose(rng, phrases.closings), { day })
}
