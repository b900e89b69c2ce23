import { createHash } from 'node:crypto'
import { z } from 'zod'
import { exampleContent } from '../../../contract/datasets/examples.schemas.ts'
import { fieldMark, type TextQuery, toIndexExpression, toSearchDocument } from '../../../lib/text-query.ts'
import { canonicalJson } from '../benchmarks/content-digest.ts'

const StoredContent = z.strictObject(exampleContent)

/** What a revision holds. */
export type ExampleContent = z.infer<typeof StoredContent>

export function parseContent(json: string): ExampleContent {
  return StoredContent.parse(JSON.parse(json))
}

/** SHA-256 over the canonical JSON: the same for equal contents, whatever the order of their keys. */
function contentDigest(content: ExampleContent): Uint8Array {
  return createHash('sha256').update(canonicalJson(content)).digest()
}

/** A content as it is stored: made in a thread where there are many. */
export interface PreparedContent {
  readonly json: string
  readonly digest: Uint8Array
  /** For the search index. */
  readonly words: string
}

export function prepareContent(content: ExampleContent): PreparedContent {
  return { json: JSON.stringify(content), digest: contentDigest(content), words: searchedText(content) }
}

/** Characters of an example that searches of words look at. */
export const searchedCharacters = 20_000

/** The search index of examples cuts at symbols as at spaces: the mark between fields is a letter there, which no word of a search has. */
const storedMark = '\u{e000}'

/** The texts of an example, for the search index. */
function searchedText(content: ExampleContent): string {
  const texts: string[] = []
  let room = searchedCharacters
  const collect = (value: unknown): void => {
    if (room <= 0) return
    if (typeof value === 'string') {
      texts.push(value.slice(0, room))
      room -= value.length
    } else if (typeof value === 'number') texts.push(String(value))
    else if (Array.isArray(value)) for (const item of value) collect(item)
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) collect(item)
  }
  for (const part of [content.input, content.output, content.expected, content.metadata]) collect(part)
  return toSearchDocument(texts).replaceAll(fieldMark, storedMark)
}

/**
 * A query of the search index; of an exact text, for the examples that contain its whole words. Null where words cannot narrow it.
 * @param scope the dataset's own term, so that other datasets cost nothing
 */
export function searchQuery(scope: string, query: TextQuery): string | null {
  const own = `scope : "${scope}"`
  const expression = toIndexExpression(query)
  if (expression === null) return null
  const [wanted = '', ...excluded] = expression.split(' NOT ')
  const isOnlyExcluding = wanted === `"${fieldMark}"`
  return [isOnlyExcluding ? own : `${own} AND words : (${wanted})`, ...excluded.map(one => `words : ${one}`)].join(' NOT ')
}

/** The term of the search index that stands for a dataset. */
export function searchScope(datasetNo: number): string {
  return `d${datasetNo}`
}
