import { zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { EvidenceFormat, ReleaseSuiteSummary, ResolvedSelection } from '../../contract/index.ts'
import type { Database } from '../database.ts'

const EvidenceRow = z.object({ format: EvidenceFormat, content: z.instanceof(Uint8Array) })
const SuiteRow = z.object({ summary: z.string(), selections: z.instanceof(Uint8Array) })
const Selections = z.array(z.array(ResolvedSelection))

/** The bytes of evidence, as received. */
export function readEvidenceContent(db: Database, id: string): { readonly format: EvidenceFormat; readonly content: Buffer } {
  const { format, content } = EvidenceRow.parse(db.prepare('select format, content from release_evidence where id = ?').get(id))
  return { format, content: Buffer.from(content.buffer, content.byteOffset, content.byteLength) }
}

/** Every task of a release suite's version with its group. */
export function readSuiteTasks(
  db: Database,
  suiteVersionId: string,
): { readonly group: string; readonly sourceRef: string; readonly taskId: string }[] {
  const row = SuiteRow.parse(db.prepare('select summary, selections from release_suites where id = ?').get(suiteVersionId))
  const { groups } = ReleaseSuiteSummary.parse(JSON.parse(row.summary))
  const selections = Selections.parse(JSON.parse(zstdDecompressSync(row.selections).toString('utf8')))
  return groups.flatMap(({ key }, i) =>
    (selections[i] ?? []).flatMap(({ source_ref, task_ids }) => task_ids.map(taskId => ({ group: key, sourceRef: source_ref, taskId }))),
  )
}
