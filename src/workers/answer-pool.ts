import type { MediaFile } from '../contract/media/media.schemas.ts'
import type { Metric } from '../contract/catalog/benchmarks.schemas.ts'
import type { BenchmarkDefinition, TaskScope } from '../engine/tasks/definition.ts'
import type { MetricPair } from '../engine/importing/answers/foreign-log.ts'
import type { RecordedOutput } from '../engine/importing/answers/given-answer.ts'
import type { AnswerFacts, AnswerOrder } from '../engine/importing/answers/open-answers.ts'
import type { RemoteOrder } from '../engine/importing/media/remote-media.ts'
import { createBoundedPool, fileBounds } from './bounded-pool.ts'
import { converse } from './converse.ts'
import type { TaskRow } from './task-row.ts'

/** The answers that become one run. */
export interface AnswerGroup {
  /** Place among the benchmarks that logs become; null for a table. */
  readonly benchmark: number | null
  readonly pairs: readonly MetricPair[]
  /** Of the run alone, beside those of the profile. */
  readonly metrics: readonly Metric[]
  readonly profileKey: string
  readonly model: string
  /** Places of the tasks among those of the profile, in order. */
  readonly taskIndexes: readonly number[]
  readonly epochs: number
  readonly outputs: number
}

export interface AnswerCell extends RecordedOutput {
  readonly taskIndex: number
  readonly epoch: number
}

export interface OpenedAnswerFiles {
  readonly facts: AnswerFacts
  /** Of logs. */
  readonly benchmarks: readonly LogBenchmark[]
  readonly groups: readonly AnswerGroup[]
  /** Media that the samples name and a yes covers, and that are not there. */
  readonly addresses: readonly string[]
}

/** The benchmark that logs of the same tasks become. */
export interface LogBenchmark {
  readonly definition: BenchmarkDefinition
  readonly digest: string
  readonly taskCount: number
}

export type FromAnswers =
  | ({ readonly kind: 'opened' } & OpenedAnswerFiles)
  | { readonly kind: 'tasks'; readonly benchmark: number; readonly rows: readonly TaskRow[]; readonly media: readonly MediaFile[] }
  | { readonly kind: 'answers'; readonly group: number; readonly cells: readonly AnswerCell[] }
  | { readonly kind: 'group_end'; readonly group: number }

/** After `opened`: the places of the benchmarks whose tasks are wanted before the answers; null where nothing more is. */
export type ToAnswers = { readonly tasksOf: readonly number[] } | null

/** What becomes of imported outputs; what these throw ends the reading. */
export interface AnswerReceiver {
  /** Called once. */
  opened(found: OpenedAnswerFiles): ToAnswers
  /** The next tasks, and the media that they are the first to show; those are written already. */
  tasks(benchmark: number, rows: readonly TaskRow[], media: readonly MediaFile[]): void
  answers(group: number, cells: readonly AnswerCell[]): void
  groupEnd(group: number): void
}

export interface AnswersToRead {
  readonly order: AnswerOrder
  /** The version that a table answers; null for a log. */
  readonly version: { readonly no: number; readonly scope: TaskScope } | null
  /** A yes to media at addresses, and where they are; absent: none. */
  readonly remote?: RemoteOrder
}

export type ReadAnswers = (answers: AnswersToRead, receiver: AnswerReceiver, signal: AbortSignal) => Promise<void>

/** A thread that reads outputs. Files that are too much for it end the thread and not the service. */
export function createAnswerPool(filename: string, databasePath: string): { readonly read: ReadAnswers; close(): Promise<void> } {
  const pool = createBoundedPool({ ...fileBounds, filename, workerData: { databasePath } })
  return {
    read: (answers, receiver, signal) =>
      converse<FromAnswers, ToAnswers>(pool, { ...answers }, message => answer(receiver, message), { signal }),
    close: () => pool.close(),
  }
}

function answer(receiver: AnswerReceiver, message: FromAnswers): ToAnswers {
  switch (message.kind) {
    case 'opened':
      return receiver.opened(message)
    case 'tasks':
      receiver.tasks(message.benchmark, message.rows, message.media)
      return null
    case 'answers':
      receiver.answers(message.group, message.cells)
      return null
    case 'group_end':
      receiver.groupEnd(message.group)
      return null
  }
}
