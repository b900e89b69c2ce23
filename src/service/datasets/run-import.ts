import { rmSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { unpackedPath } from '../../engine/importing/files/unpack-folder.ts'
import { withoutFlush } from '../../storage/without-flush.ts'
import type { ReadyExample } from '../../workers/example-import-pool.ts'
import type { Workers } from '../../workers/pool.ts'
import { type JobContext, JobFailure, type JobHandler } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import { byActor } from './actor.ts'
import {
  dropHiddenExamples,
  findImportRow,
  hiddenContents,
  type ImportRow,
  landExamples,
  leftoverImports,
  moveImport,
} from './dataset-imports.store.ts'
import { type DatasetRow, findDataset, touchDataset } from './datasets.store.ts'
import { findSame, indexExamples, insertLabeledExample, type Unindexed } from './examples.store.ts'
import { keepMedia } from './keep-media.ts'

export const ImportInput = z.strictObject({
  import_id: z.string(),
  dataset_id: z.string(),
  path: z.string(),
  actor: z.strictObject({ kind: z.enum(['person', 'key']), id: z.string(), name: z.string() }),
})
export type ImportInput = z.infer<typeof ImportInput>

/** What was written, by an earlier attempt or this one. */
const Written = z.strictObject({
  taken: z.int().min(0),
  created: z.int().min(0),
  duplicates: z.array(z.strictObject({ line: z.int(), example_id: z.string() })),
})
type Written = z.infer<typeof Written>
const nothing: Written = { taken: 0, created: 0, duplicates: [] }

/** What an import needs of others. */
export interface ImportNeeds {
  readonly workers: Pick<Workers, 'readExamples'>
  readonly media: Pick<Media, 'find' | 'keep' | 'record'>
}

/** Examples made visible, or removed, between two looks at other requests. */
const step = 250
const mostListed = 100

/**
 * Imports one after the other: two of the same dataset never meet. All rows are checked before the first is written, what is written
 * stays hidden, and then becomes visible within a moment.
 */
export function importJob(kernel: Kernel, needs: ImportNeeds): JobHandler<ImportInput> {
  const { db, clock } = kernel
  return {
    kind: 'dataset_import',
    input: ImportInput,
    lane: 'dataset-imports',
    concurrency: 1,
    run: async job => {
      const row = rowOf(db, job.input.import_id)
      const dataset = findDataset(db, row.workspaceId, job.input.dataset_id)
      if (!dataset) throw new Error(`The dataset of import ${job.input.import_id} is missing.`)
      if (row.status === 'landing') return land(kernel, job, row, dataset)
      const written = await writeRows(kernel, needs, job, row, dataset)
      if (written === null) return () => dropUpload(job.input)
      const { taken, created, duplicates } = written
      const counts = { created, duplicates: taken - created, duplicate_items: [...duplicates] }
      await keepNamed(db, needs.media, job, row, dataset)
      job.commit(() => moveImport(db, 'land', { ...rowOf(db, row.facts.id).facts, ...counts }, timestamp(clock)))
      return land(kernel, job, row, dataset)
    },
    ended: ({ input }, { code, message }) => {
      const { facts, status } = rowOf(db, input.import_id)
      // A refused file has ended its import already, with every error in its record.
      if (status !== 'failed')
        moveImport(db, 'fail', { ...facts, created: 0, error: { code, message }, finished_at: timestamp(clock) }, timestamp(clock))
      db.afterCommit(() => dropUpload(input))
    },
  }
}

function rowOf(db: Kernel['db'], id: string): ImportRow {
  const row = findImportRow(db, id)
  if (!row) throw new Error(`The import ${id} is missing.`)
  return row
}

/**
 * Checks the file and writes its examples hidden, from where an earlier attempt stopped; null for a preview, which ends with the check.
 * @throws JobFailure where the file is refused
 */
async function writeRows(
  kernel: Kernel,
  { workers, media }: ImportNeeds,
  job: JobContext<ImportInput>,
  row: ImportRow,
  dataset: DatasetRow,
): Promise<Written | null> {
  const { db, clock } = kernel
  const { facts } = row
  let written = Written.nullable().parse(job.checkpoint) ?? nothing
  let wanted = row.status === 'writing'
  let total = facts.rows.valid
  const refusal: { found: JobFailure | null } = { found: null }
  const file = { name: facts.file.name, path: job.input.path, format: facts.format, mapping: facts.mapping, rules: dataset }
  await workers.readExamples(
    { file, workspaceId: row.workspaceId },
    wanted ? written.taken : null,
    {
      checked: check => {
        const event = facts.dry_run ? 'preview' : 'write'
        const now = timestamp(clock)
        if (check.errors[0]) {
          // Throwing would end the thread and delay the next import by a thread start.
          refusal.found = new JobFailure('validation_error', describeFault(check.errors[0], check.error_count), () =>
            moveImport(db, 'fail', { ...facts, ...check, finished_at: now }, now),
          )
          return false
        }
        wanted = event === 'write'
        total = check.rows.valid
        job.commit(() => moveImport(db, event, { ...facts, ...check, finished_at: wanted ? null : now }, now))
        return wanted
      },
      examples: (examples, shown) => {
        job.progress({ done: written.taken + examples.length, total })
        written = withoutFlush(db, () =>
          db.transaction(() => {
            if (shown.length > 0) media.record(shown, { workspaceId: row.workspaceId, versionNo: null })
            const after = writeHidden(kernel, media, job.input.actor, row, dataset, examples, written)
            return job.commit(() => after, after)
          }),
        )
      },
    },
    job.signal,
  )
  if (refusal.found) throw refusal.found
  return wanted ? written : null
}

/** @param count of all errors of the file */
function describeFault({ line, message }: ImportRow['facts']['errors'][number], count: number): string {
  const where = line === null ? '' : `Line ${line}: `
  const others = count > 1 ? ` There are ${count} errors.` : ''
  return `${where}${message}${others} Nothing was imported.`
}

/** Writes examples hidden, leaving out what the dataset holds already. */
function writeHidden(
  { db, clock, ids }: Kernel,
  media: ImportNeeds['media'],
  actor: ImportInput['actor'],
  { no, facts }: ImportRow,
  dataset: DatasetRow,
  examples: readonly ReadyExample[],
  before: Written,
): Written {
  const now = timestamp(clock)
  const by = byActor(actor)
  let { created } = before
  const duplicates = [...before.duplicates]
  const written: Unindexed[] = []
  for (const { line, id, content, labels } of examples) {
    const same = findSame(db, dataset.no, content.digest, no)
    if (same !== null) {
      // A file that was missing beside an example that is there is brought back with it.
      if (findSame(db, dataset.no, content.digest, null) !== null) keepMedia(media, dataset, content.json)
      if (duplicates.length < mostListed) duplicates.push({ line, example_id: same })
      continue
    }
    const origin = { kind: 'import' as const, ref: { import_id: facts.id, file: facts.file.name, line, ...(id === null ? {} : { id }) } }
    const example = { id: ids.next(), datasetNo: dataset.no, importNo: no, sourceKey: null, content, origin, by }
    const labeled = labels.map(({ annotator, value }) => ({ annotator, value, maker: actor.kind, makerId: actor.id, note: null }))
    written.push(insertLabeledExample(db, dataset.task, example, labeled, now))
    created++
  }
  indexExamples(db, dataset.no, written)
  return { taken: before.taken + examples.length, created, duplicates }
}

/** Keeps what the hidden examples name, once nothing but their becoming visible is left: what other imports brought expires. */
async function keepNamed(
  db: Kernel['db'],
  media: ImportNeeds['media'],
  job: JobContext<ImportInput>,
  { no }: ImportRow,
  dataset: DatasetRow,
): Promise<void> {
  let after = 0
  for (;;) {
    const next = hiddenContents(db, no, after, step)
    const last = next.at(-1)
    if (!last) return
    withoutFlush(db, () => job.commit(() => next.forEach(({ json }) => keepMedia(media, dataset, json))))
    after = last.no
    await nextTurn()
  }
}

/** Makes the examples visible; what it answers ends the import. */
async function land({ db, clock }: Kernel, job: JobContext<ImportInput>, { no }: ImportRow, dataset: DatasetRow): Promise<() => void> {
  // The end of the job is flushed, and with it all that was written before.
  while (withoutFlush(db, () => job.commit(() => landExamples(db, no, step))) > 0) await nextTurn()
  return () => {
    const { facts } = rowOf(db, job.input.import_id)
    moveImport(db, 'finish', { ...facts, finished_at: timestamp(clock) }, timestamp(clock))
    touchDataset(db, dataset.no, timestamp(clock), true)
    db.afterCommit(() => dropUpload(job.input))
  }
}

/** Also what a packed archive was unpacked to. */
function dropUpload({ path }: ImportInput): void {
  for (const one of [path, unpackedPath(path)]) rmSync(one, { force: true })
}

/** Removes hidden examples of imports that were cancelled or failed, a few at a time. */
export async function dropLeftovers({ db }: Pick<Kernel, 'db'>, signal: AbortSignal): Promise<void> {
  for (const no of leftoverImports(db)) {
    while (!signal.aborted && dropHiddenExamples(db, no, step) > 0) await nextTurn()
  }
}

/** Whoever sent the file owns its import. */
export function ownerOf({ kind, id }: ImportInput['actor']): JobOwner {
  return kind === 'person' ? { kind: 'person', id } : { kind: 'api_key', id }
}
