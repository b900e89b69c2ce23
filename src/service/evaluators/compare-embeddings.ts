import type { EmbeddingDefinition, JudgeDefinition, JudgeModel } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { vectorsIn } from '../../engine/clients/wire/openai-embeddings.ts'
import { gradeSimilarities, similaritiesOf, type Similarity } from '../../engine/grading/embeddings/similar.ts'
import type { JudgeAnswer, JudgeQuestion } from '../../engine/grading/judges/judge-output.ts'
import type { Score } from '../../engine/grading/scorers/scorer.ts'
import { judged, lost, unscored } from '../../engine/grading/scorers/verdict.ts'
import { type EvaluatedItem, targetsFrom } from './evaluated-item.ts'
import { writer } from './writer-definition.ts'

export function embedderModel({ connection_id }: Pick<EmbeddingDefinition, 'connection_id'>): JudgeModel {
  return { model: { kind: 'connection', connection_id }, effort: null, temperature: null }
}

/** The model in the form in which judges are called: its money, retries and records are the same. */
export function embedder(definition: Pick<EmbeddingDefinition, 'connection_id'>): JudgeDefinition {
  return writer(embedderModel(definition))
}

/** The one question about an item: the vectors of these texts. */
export function embeddingQuestion(texts: readonly string[]): JudgeQuestion {
  const messages = texts.map(content => ({ role: 'user' as const, content }))
  return { judge: 0, vote: 0, order: 'ab', criterion: null, repair: false, prompt: { messages, boundary: '' } }
}

/** Of one output: what endpoints take in one request. */
const mostReferences = 2_000

interface PlannedTexts {
  readonly all: readonly Similarity[]
  readonly output: string
  /** Every text whose vector it takes, the output first. */
  readonly texts: readonly string[]
}

/** What an item's output is compared with; or the score where there is nothing to compare. */
export function plannedTexts(definition: EmbeddingDefinition, item: EvaluatedItem): PlannedTexts | Score {
  const { output } = item
  if (output === null) return unscored('The example has no output to grade.')
  if (typeof output !== 'string') return unscored('The example is a pair of outputs, and the similarity is of one.')
  const all = similaritiesOf(definition, targetsFrom(item, definition.target_from), item.metadata)
  const references = all.flatMap(one => one.references)
  if (references.length === 0) return unscored('The example has no reference, and the output is compared with one.')
  if (references.some(text => text.trim() === '')) return unscored('A reference is empty, and an empty text has no embedding.')
  if (references.length > mostReferences)
    return unscored(`The example has ${references.length} references, and an output is compared with at most ${mostReferences}.`)
  // As in promptfoo, also where it was to be similar to nothing.
  if (output.trim() === '') return judged(false, { answer: null, explanation: 'The output is empty, and an empty text has no embedding.' })
  return { all, output, texts: [...new Set([output, ...references])] }
}

/** The similarity of an output to its references. */
export async function compareEmbeddings(
  definition: EmbeddingDefinition,
  item: EvaluatedItem,
  ask: (question: JudgeQuestion) => Promise<JudgeAnswer>,
): Promise<Score> {
  const planned = plannedTexts(definition, item)
  if ('class' in planned) return planned
  const { all, output, texts } = planned
  const answer = await ask(embeddingQuestion(texts))
  if (!answer.ok) return lost('embedding', answer.reason)
  const vectors = vectorsIn(answer.text, texts.length)
  if (vectors === null) return unscored(`The embedding model gave another number of vectors than the ${texts.length} texts.`)
  const byText = new Map(texts.map((text, i) => [text, vectors[i] ?? []]))
  return gradeSimilarities(all, output, text => byText.get(text) ?? [])
}
