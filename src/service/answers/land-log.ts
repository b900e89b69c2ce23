import type { AnswerImport } from '../../contract/answers/answers.schemas.ts'
import { sourceRef } from '../../engine/content/benchmarks/source-ref.ts'
import type { MediaFile } from '../../contract/media/media.schemas.ts'
import type { LogBenchmark } from '../../workers/answer-pool.ts'
import type { TaskRow } from '../../workers/task-row.ts'
import { beginVersion, dropStaging, findOwnVersion, finishVersion, isKnownSlug, stageTaskRows } from '../catalog/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import type { AnswerImportFacts } from './answers.store.ts'

/** The benchmark version that a log becomes. */
export interface LogLanding {
  readonly benchmark: AnswerImport['benchmarks'][number]
  /** Whether its tasks are still to come. */
  readonly needsTasks: boolean
  add(rows: readonly TaskRow[], media: readonly MediaFile[]): void
  /** Makes it visible; in the caller's transaction. */
  finish(): void
  /** Takes it away as long as it is not finished. */
  drop(): void
}

/** What a log would become. */
export function announcedBenchmark({ definition: { slug, title }, taskCount }: LogBenchmark): AnswerImport['benchmarks'][number] {
  return { slug, title, tasks: taskCount, source_ref: null, already_present: false }
}

/** A log's benchmark never becomes a version of one that Assay ships or has a recipe for, whose prompts and metrics are others. */
export function besideKnown(log: LogBenchmark): LogBenchmark {
  const { slug, title } = log.definition
  if (!isKnownSlug(slug)) return log
  return { ...log, definition: { ...log.definition, slug: `${slug}-log`, name: `${slug}-log`, title: `${title} (log)` } }
}

/** Begins the version of a log, or finds the one with the same content. */
export function landLog(
  { db, clock }: Kernel,
  media: Pick<Media, 'record'>,
  workspaceId: string,
  { definition, digest, taskCount }: LogBenchmark,
  files: AnswerImportFacts['files'],
): LogLanding {
  const { slug } = definition
  const announced = announcedBenchmark({ definition, digest, taskCount })
  const present = findOwnVersion(db, workspaceId, slug, { digest })
  if (present) {
    const benchmark = { ...announced, source_ref: present.sourceRef, already_present: true }
    return { benchmark, needsTasks: false, add: () => undefined, finish: () => undefined, drop: () => undefined }
  }
  const version = digest.slice(0, 12)
  const no = beginVersion(db, {
    workspaceId,
    origin: 'imported',
    definition,
    content: { version, shots: [] },
    digest,
    taskCount,
    files: files.map(({ name, bytes, sha256 }) => ({ role: 'log', name, bytes, sha256, checksum: 'unknown_upstream' })),
    createdAt: timestamp(clock),
  })
  let written = 0
  let isFinished = false
  return {
    benchmark: { ...announced, source_ref: sourceRef(definition.provider, definition.name, version) },
    needsTasks: true,
    add: (rows, shown) => {
      if (shown.length > 0) db.transaction(() => media.record(shown, { workspaceId, versionNo: no }))
      stageTaskRows(db, no, rows, written)
      written += rows.length
    },
    finish: () => {
      if (isFinished) return
      isFinished = true
      finishVersion(db, no)
    },
    drop: () => {
      if (!isFinished) dropStaging(db, no)
    },
  }
}
