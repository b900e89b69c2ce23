import { describe, expect, test } from 'vitest'
import { openAiEmbeddings } from '../../../../src/engine/clients/wire/openai-embeddings.ts'
import { EmbeddingDefinition } from '../../../../src/contract/evaluators/evaluator-definition.schemas.ts'
import { gradeSimilarities, similaritiesOf, similarKey } from '../../../../src/engine/grading/embeddings/similar.ts'

const definition = (more: object = {}) =>
  EmbeddingDefinition.parse({ kind: 'embedding', connection_id: '0190c4f0-0000-7000-8000-000000000001', ...more })

const vectors: Readonly<Record<string, readonly number[]>> = {
  out: [1, 0],
  same: [2, 0],
  near: [3, 4],
  right: [0, 5],
  short: [1],
  long: [1, 0, 9],
  zero: [0, 0],
}
const vectorOf = (text: string) => vectors[text] ?? []
const value = (references: readonly string[], more: object = {}) =>
  gradeSimilarities(similaritiesOf(definition(more), references, {}), 'out', vectorOf)

test('a reply whose indices are neither those of the texts nor counted otherwise is no answer', () => {
  const read = (...indices: number[]) => openAiEmbeddings.read({ data: indices.map((index, i) => ({ index, embedding: [i] })) })
  const outputOf = (...indices: number[]) => {
    const reply = read(...indices)
    return reply.ok ? reply.content.output : reply.problem
  }
  expect(outputOf(1, 0)).toBe('[[1],[0]]')
  // As servers do that count from one, or number nothing.
  expect(outputOf(2, 1)).toBe('[[1],[0]]')
  expect(outputOf(0, 0, 0)).toBe('[[0],[1],[2]]')
  expect(outputOf(0, 0, 1)).toContain('given twice')
  expect(outputOf(0, 2)).toContain('given twice')
})

describe('similarity of embeddings', () => {
  test('passes from the threshold on, 0.75 unless another is given', () => {
    expect(value(['same'])).toMatchObject({ value: 1, values: { similarity: 1 } })
    expect(value(['near'])).toMatchObject({ value: 0, values: { similarity: 0.6 } })
    expect(value(['near'], { threshold: 0.6 })).toMatchObject({ value: 1 })
    expect(value(['near']).explanation).toBe('The cosine similarity to "near" is 0.6000; to pass it is at least 0.75.')
  })

  test('passes with one of several references, and negated with none', () => {
    expect(value(['right', 'same']).value).toBe(1)
    expect(value(['right', 'near']).value).toBe(0)
    expect(value(['right', 'near'], { negated: true }).value).toBe(1)
    expect(value(['right', 'same'], { negated: true }).value).toBe(0)
  })

  test('measures by dot product and by distance, of which less is closer', () => {
    expect(value(['near'], { measure: 'dot', threshold: 3 })).toMatchObject({ value: 1, values: { similarity: 3 } })
    expect(value(['same'], { measure: 'euclidean', threshold: 1 })).toMatchObject({ value: 1, values: { distance: 1 } })
    expect(value(['near'], { measure: 'euclidean', threshold: 1 }).value).toBe(0)
    expect(value(['near'], { measure: 'euclidean', threshold: 1, negated: true }).value).toBe(1)
  })

  test('has no verdict where vectors cannot be compared', () => {
    expect(value(['long'])).toMatchObject({ value: null, class: 'unscored' })
    expect(value(['short'])).toMatchObject({ value: null, class: 'unscored' })
    expect(value(['zero'])).toMatchObject({ value: null, class: 'unscored' })
  })

  test('grades a test of promptfoo by its own assertions, all of which must hold', () => {
    const own = (...assertions: object[]) =>
      gradeSimilarities(similaritiesOf(definition(), ['right'], { [similarKey]: assertions }), 'out', vectorOf)
    const close = { type: 'similar', value: ['right', 'same'], threshold: 0.9 }
    expect(own(close).value).toBe(1)
    expect(own(close, { type: 'not-similar:euclidean', value: 'near', threshold: 1 }).value).toBe(1)
    expect(own(close, { type: 'similar:dot', value: 'right' })).toMatchObject({
      value: 0,
      explanation: 'The dot product to "right" is 0.0000; to pass it is at least 0.75.',
    })
  })
})
