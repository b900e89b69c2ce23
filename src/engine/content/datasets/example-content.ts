import { createHash } from 'node:crypto'
import { z } from 'zod'
import { exampleContent } from '../../../contract/datasets/examples.schemas.ts'
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

/** Characters of an example that searches look at. */
const searchedCharacters = 20_000

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
  return texts.join('\n')
}

/**
 * A query of the search index: all words must occur, the last one as a beginning. Null where the text holds no word.
 * @param scope the dataset's own term, so that other datasets cost nothing
 */
export function searchQuery(scope: string, text: string): string | null {
  const words = text
    .normalize('NFC')
    .split(/[^\p{L}\p{N}\p{Co}]+/u)
    .filter(word => word !== '')
  if (words.length === 0) return null
  const terms = words.map((word, i) => (i === words.length - 1 ? `"${word}"*` : `"${word}"`))
  return `scope : "${scope}" AND words : (${terms.join(' AND ')})`
}

/** The term of the search index that stands for a dataset. */
export function searchScope(datasetNo: number): string {
  return `d${datasetNo}`
}
