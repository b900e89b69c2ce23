import { createHash } from 'node:crypto'
import type { AnswerImportFacts } from './answers.store.ts'

/** SHA-256 over the checksums of the files in their order: what the answers of a run are known by. */
export function answersDigest(files: AnswerImportFacts['files']): string {
  const [only] = files
  if (files.length === 1 && only) return only.sha256
  return createHash('sha256')
    .update(files.map(({ sha256 }) => `${sha256}\n`).join(''))
    .digest('hex')
}
