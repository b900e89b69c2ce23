import { zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { contentText } from '../../contract/messages/message-text.ts'
import { EvidenceFormat } from '../../contract/releases/evidence.schemas.ts'
import { ReleaseSuiteSummary } from '../../contract/releases/suites.schemas.ts'
import { ResolvedSelection } from '../../contract/suites/suites.schemas.ts'
import type { Database } from '../database.ts'
import { decodeTask, type StoredTask } from '../task-content.ts'

const EvidenceRow = z.object({ format: EvidenceFormat, content: z.instanceof(Uint8Array) })
const SuiteRow = z.object({ summary: z.string(), selections: z.instanceof(Uint8Array) })
const Selections = z.array(z.array(ResolvedSelection))

/** The bytes of evidence, as received. */
export function readEvidenceContent(db: Database, id: string): { readonly format: EvidenceFormat; readonly content: Buffer } {
  const { format, content } = EvidenceRow.parse(db.prepare('select format, content from release_evidence where id = ?').get(id))
  return { format, content: Buffer.from(content.buffer, content.byteOffset, content.byteLength) }
}

const Capabilities = z.array(z.string())
const Tagged = z.object({ task_id: z.string(), capabilities: z.string() })

/** Counts the capabilities of a release suite's tasks: their own and those of their group. */
export function readCapabilities(
  db: Database,
  suiteVersionId: string,
): {
  readonly capabilities: { readonly capability: string; readonly tasks: number }[]
  readonly untagged: number
} {
  const { groups, selections } = readSuite(db, suiteVersionId)
  const counts = new Map<string, number>()
  let untagged = 0
  const rows = db.prepare(
    'select t.task_id, t.capabilities from tasks t join benchmark_versions v on v.no = t.version_no where v.source_ref = ? and v.digest = ?',
  )
  for (const [i, group] of groups.entries()) {
    for (const { source_ref, version_digest, task_ids } of selections[i] ?? []) {
      const selected = new Set(task_ids)
      for (const found of rows.iterate(source_ref, version_digest)) {
        const { task_id, capabilities } = Tagged.parse(found)
        if (!selected.delete(task_id)) continue
        const tagged = new Set([...group.capabilities, ...Capabilities.parse(JSON.parse(capabilities))])
        if (tagged.size === 0) untagged++
        for (const capability of tagged) counts.set(capability, (counts.get(capability) ?? 0) + 1)
      }
    }
  }
  const capabilities = [...counts].map(([capability, tasks]) => ({ capability, tasks }))
  return { capabilities: capabilities.sort((a, b) => b.tasks - a.tasks || (a.capability < b.capability ? -1 : 1)), untagged }
}

function readSuite(db: Database, suiteVersionId: string) {
  const row = SuiteRow.parse(db.prepare('select summary, selections from release_suites where id = ?').get(suiteVersionId))
  const { groups } = ReleaseSuiteSummary.parse(JSON.parse(row.summary))
  return { groups, selections: Selections.parse(JSON.parse(zstdDecompressSync(row.selections).toString('utf8'))) }
}

interface SuiteTask {
  readonly group: string
  readonly sourceRef: string
  readonly taskId: string
  /** Its question. */
  readonly text: string
}

const Content = z.object({ task_id: z.string(), content: z.instanceof(Uint8Array) })

/** Every task of a release suite's version with its group and its question, in the suite's order. */
export function readSuiteTasks(db: Database, suiteVersionId: string): SuiteTask[] {
  const { groups, selections } = readSuite(db, suiteVersionId)
  const rows = db.prepare(
    'select t.task_id, t.content from tasks t join benchmark_versions v on v.no = t.version_no where v.source_ref = ? and v.digest = ?',
  )
  return groups.flatMap(({ key }, i) =>
    (selections[i] ?? []).flatMap(({ source_ref, version_digest, task_ids }) => {
      const selected = new Set(task_ids)
      const texts = new Map<string, string>()
      for (const found of rows.iterate(source_ref, version_digest)) {
        const { task_id, content } = Content.parse(found)
        if (selected.has(task_id)) texts.set(task_id, questionOf(decodeTask(content)))
      }
      return task_ids.map(taskId => ({ group: key, sourceRef: source_ref, taskId, text: texts.get(taskId) ?? '' }))
    }),
  )
}

/** The longest of a task's fields, or what the user says last in its conversation: a subject or a name is shorter. */
function questionOf({ fields, conversations }: StoredTask): string {
  const said = Object.values(conversations ?? {}).flatMap(messages => {
    const last = messages.findLast(({ role }) => role === 'user')
    return last ? [contentText(last.content)] : []
  })
  return [...said, ...Object.values(fields)].reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}
