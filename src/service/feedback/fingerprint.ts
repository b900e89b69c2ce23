import { createHash } from 'node:crypto'
import type { FeedbackReport } from '../../contract/feedback/feedback.schemas.ts'

/** What makes two reports alike: kind, route, error code and the words of the summary. */
export function fingerprint({ kind, attempted, summary }: Pick<FeedbackReport, 'kind' | 'attempted' | 'summary'>): string {
  const parts = [kind, attempted?.path ?? null, attempted?.error_code ?? null, wordsOf(summary)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** The summary without case, digits and punctuation, and so without the blanks that these leave behind. */
export function wordsOf(summary: string): string {
  return summary
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{N}\p{P}\p{S}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
