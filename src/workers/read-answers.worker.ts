import { once } from 'node:events'
import { dirname } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { asks, facetNames, type TaskScope } from '../engine/tasks/definition.ts'
import { type AnswerOrder, openAnswers, type OpenedLog } from '../engine/importing/answers/open-answers.ts'
import type { Task } from '../engine/tasks/task.ts'
import { partsOf } from '../contract/messages/messages.schemas.ts'
import { MediaIntake } from '../engine/importing/media/media-intake.ts'
import type { RemoteOrder } from '../engine/importing/media/remote-media.ts'
import { createMediaFiles } from '../storage/media-files.ts'
import { noFacts } from '../engine/importing/answers/given-answer.ts'
import { readVersionTasks } from '../storage/reads/version-tasks.ts'
import type { AnswerCell, AnswerGroup, FromAnswers, ToAnswers } from './answer-pool.ts'
import { databasePath, openReader } from './database-path.ts'
import { openRemoteMedia } from './remote-order.ts'
import { toTaskRow } from './task-row.ts'
import { writePending } from './write-pending.ts'

/** Rows per batch: few enough that one write does not delay other requests. */
const batchRows = 128
const batchCharacters = 256 * 1024

interface AnswersTask {
  readonly order: AnswerOrder
  /** The version that a table answers; null for a log. */
  readonly version: { readonly no: number; readonly scope: TaskScope } | null
  readonly remote?: RemoteOrder
  readonly port: MessagePort
}

/** Reads outputs, finds their tasks, and hands them over in the order of the run's positions. */
export default async function readAnswers({ order, version, remote, port }: AnswersTask): Promise<void> {
  const ask = async (message: FromAnswers): Promise<ToAnswers> => {
    const answered = once(port, 'message')
    port.postMessage(message)
    const [answer] = await answered
    // The other end is answer-pool.ts, which sends nothing else.
    return answer as ToAnswers
  }
  try {
    // A log is in memory as a whole; what its texts hold is not, a second time.
    const intake = new MediaIntake({ keepsReferences: true, remote: openRemoteMedia(remote, true) })
    intake.keep({ files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY })
    const opened = await openAnswers(order, version ? tasksOf(version) : [], intake)
    const groups = opened.logs.flatMap(groupsOf)
    const { facts, benchmarks } = opened
    const found = benchmarks.map(({ definition, digest, tasks }) => ({ definition, digest, taskCount: tasks.length }))
    const addresses = intake.remote?.wanted() ?? []
    const wanted = await ask({ kind: 'opened', facts, benchmarks: found, groups: groups.map(({ group }) => group), addresses })
    if (wanted === null) return
    const media = wanted.tasksOf.length === 0 ? [] : await writePending(intake.takePending(), createMediaFiles(dirname(databasePath())))
    for (const place of wanted.tasksOf) {
      const benchmark = benchmarks[place]
      if (!benchmark) throw new Error(`There is no benchmark ${place}.`)
      for (const task of benchmark.tasks) intake.remote?.requireNone(task)
      const facets = facetNames(benchmark.definition)
      const shows = mediaOf(benchmark.tasks)
      const files = media.filter(({ digest }) => shows.has(digest))
      for (let i = 0; i < benchmark.tasks.length; i += batchRows)
        await ask({
          kind: 'tasks',
          benchmark: place,
          rows: benchmark.tasks.slice(i, i + batchRows).map(task => toTaskRow(task, facets)),
          media: i === 0 ? files : [],
        })
    }
    for (const [no, { cells }] of groups.entries()) {
      for (const batch of batches(cells())) await ask({ kind: 'answers', group: no, cells: batch })
      await ask({ kind: 'group_end', group: no })
    }
  } finally {
    port.close()
  }
}

/** Digests of what the questions show. */
function mediaOf(tasks: readonly Task[]): ReadonlySet<string> {
  const messages = tasks.flatMap(({ conversations = {} }) => Object.values(conversations).flat())
  return new Set(messages.flatMap(({ content }) => partsOf({ content }).flatMap(part => ('media' in part ? [part.media] : []))))
}

function tasksOf({ no, scope }: NonNullable<AnswersTask['version']>) {
  const db = openReader()
  try {
    return readVersionTasks(db, no).filter(task => asks(scope, task))
  } finally {
    db.close()
  }
}

/** The answers of one model under one profile become a run: every epoch of every task that it answered, in the order of the tasks. */
function groupsOf({ answers, benchmark, pairs, metrics }: OpenedLog): { readonly group: AnswerGroup; cells(): Generator<AnswerCell> }[] {
  return [...Map.groupBy(answers, ({ profileKey, model, run }) => JSON.stringify([profileKey, model, run])).values()].flatMap(of => {
    const [first] = of
    if (!first) return []
    const taskIndexes = [...new Set(of.map(({ taskIndex }) => taskIndex))].sort((a, b) => a - b)
    const epochs = of.reduce((most, { epoch }) => Math.max(most, epoch), 1)
    const byPlace = new Map(of.map(answer => [`${answer.taskIndex} ${answer.epoch}`, answer]))
    const group = { benchmark, pairs, metrics, profileKey: first.profileKey, model: first.model, taskIndexes, epochs, outputs: of.length }
    return [
      {
        group,
        *cells() {
          for (const taskIndex of taskIndexes) {
            for (let epoch = 1; epoch <= epochs; epoch++) {
              const answer = byPlace.get(`${taskIndex} ${epoch}`)
              const { output, scores, reasons, labels, reasoning, finishReason, error, inputTokens, outputTokens, latencyMs } = answer ?? {
                output: null,
                ...noFacts,
              }
              yield {
                taskIndex,
                epoch,
                output,
                reasoning,
                finishReason,
                error,
                inputTokens,
                outputTokens,
                latencyMs,
                scores,
                reasons,
                labels,
              }
            }
          }
        },
      },
    ]
  })
}

function* batches(cells: Iterable<AnswerCell>): Generator<AnswerCell[]> {
  let batch: AnswerCell[] = []
  let characters = 0
  for (const cell of cells) {
    batch.push(cell)
    characters += cell.output?.length ?? 0
    if (batch.length < batchRows && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}
