import { sameLengthNumbers, withoutNonNumbers } from '../files/parse-json.ts'
import type { z } from 'zod'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { mendJson } from '../../../lib/mend-json.ts'
import { EvidenceError } from './evidence-file.ts'

/** The text of a file. @throws EvidenceError when it is not UTF-8 */
export function evidenceText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
    throw new EvidenceError(
      `The file is not UTF-8${isUtf16 ? ' but looks like UTF-16' : ''}. Check that its format is right and save it as UTF-8.`,
    )
  }
}

/**
 * JSON as Python writes it: outside of strings, NaN and the infinities are null.
 * @param firstLine number of the text's first line
 * @throws EvidenceError naming line and column
 */
export function evidenceJson(text: string, firstLine = 1): unknown {
  try {
    return JSON.parse(text)
  } catch {
    try {
      return JSON.parse(withoutNonNumbers(text))
    } catch {
      throw new EvidenceError(mendJson(sameLengthNumbers(text)), firstLine > 1 || !text.includes('\n') ? firstLine : null)
    }
  }
}

/** A value as a schema says. @throws EvidenceError naming the field */
export function parseEvidence<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
  line: number | null = null,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new EvidenceError(`Not ${what}: ${describeFirst(parsed.error.issues)}.`, line)
}
