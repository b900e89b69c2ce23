import { z } from 'zod'
import { type EmbeddingDefinition, similarityMeasures } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import type { Score } from '../scorers/scorer.ts'
import { judged, quote, unscored } from '../scorers/verdict.ts'

type Measure = EmbeddingDefinition['measure']

/** What an output is compared with, and by which rule. */
export interface Similarity extends Pick<EmbeddingDefinition, 'measure' | 'threshold' | 'negated'> {
  readonly references: readonly string[]
}

/** Where a test of promptfoo keeps its own assertions. */
export const similarKey = 'promptfoo_similar'
export const isSimilar = (type: string): boolean => similarType.test(type)
const similarType = new RegExp(`^(?<not>not-)?similar(?::(?<measure>${similarityMeasures.join('|')}))?$`)

/** One, as promptfoo has it: a text or several, of which one is enough. */
export const SimilarAssertion = z.object({
  type: z.string().regex(similarType),
  value: z.union([z.string(), z.array(z.string()).min(1)]).transform(value => [value].flat()),
  threshold: z.number().default(0.75),
})

/** The assertions of an item that has its own; else the definition's rule. */
export function similaritiesOf(
  { measure, threshold, negated }: EmbeddingDefinition,
  references: readonly string[],
  metadata: Readonly<Record<string, unknown>>,
): Similarity[] {
  const own = z.array(SimilarAssertion).min(1).safeParse(metadata[similarKey])
  if (!own.success) return [{ measure, threshold, negated, references }]
  return own.data.map(({ type, value, threshold: least }) => {
    const { not, measure: named } = similarType.exec(type)?.groups ?? {}
    return {
      measure: similarityMeasures.find(one => one === named) ?? 'cosine',
      threshold: least,
      negated: not !== undefined,
      references: value,
    }
  })
}

/**
 * Passes where all hold. Bounds and their tolerance are promptfoo's (`src/matchers/similarity.ts` at 11b5f7d).
 * @param vectorOf of a text, all of one length
 */
export function gradeSimilarities(all: readonly Similarity[], output: string, vectorOf: (text: string) => readonly number[]): Score {
  const found = all.map(one => ({ ...one, ...closest(one, vectorOf(output), vectorOf) }))
  const { length } = vectorOf(output)
  const isOfOneLength = all.every(({ references }) => references.every(reference => vectorOf(reference).length === length))
  if (!isOfOneLength || found.some(({ value }) => !Number.isFinite(value)))
    return unscored('The embedding model gave vectors that cannot be compared: another length, or nothing but zeros.')
  const holds = ({ measure, threshold, negated, value }: (typeof found)[number]) => {
    const isClose = measure === 'euclidean' ? value <= threshold + Number.EPSILON : value >= threshold - Number.EPSILON
    const isFar = measure === 'euclidean' ? value >= threshold - Number.EPSILON : value <= threshold + Number.EPSILON
    return negated ? isFar : isClose
  }
  const missed = found.filter(one => !holds(one))
  const told = (missed.length > 0 ? missed : found).map(describe)
  const [first] = found
  return judged(missed.length === 0, {
    answer: null,
    explanation: told.join(' '),
    ...(first && found.length === 1 && { values: { [first.measure === 'euclidean' ? 'distance' : 'similarity']: first.value } }),
  })
}

/** The reference that an output comes closest to: whether it is one of several or none of them rests on that one. */
function closest({ measure, references }: Similarity, output: readonly number[], vectorOf: (text: string) => readonly number[]) {
  const values = references.map(reference => ({ reference, value: measures[measure](output, vectorOf(reference)) }))
  const sign = measure === 'euclidean' ? -1 : 1
  return values.reduce((best, one) => (sign * one.value > sign * best.value ? one : best), values[0] ?? { reference: '', value: NaN })
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] ?? NaN), 0)
const measures: Readonly<Record<Measure, (a: readonly number[], b: readonly number[]) => number>> = {
  dot,
  cosine: (a, b) => dot(a, b) / (Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b))),
  euclidean: (a, b) => Math.sqrt(a.reduce((sum, x, i) => sum + (x - (b[i] ?? NaN)) ** 2, 0)),
}
const titles = { cosine: 'cosine similarity', dot: 'dot product', euclidean: 'distance' } as const

function describe({ measure, threshold, negated, value, reference }: Similarity & { readonly value: number; readonly reference: string }) {
  const bound = (measure === 'euclidean') === negated ? 'at least' : 'at most'
  return `The ${titles[measure]} to ${quote(reference)} is ${value.toFixed(4)}; to pass it is ${bound} ${threshold}.`
}
