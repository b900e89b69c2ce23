import { createHash } from 'node:crypto'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { filesIn, type MediaPart } from '../../contract/messages/messages.schemas.ts'
import type { TuneOccurrence, TuneWorkload } from '../../contract/tuning/monitors.schemas.ts'
import { driftBounds, watchDrift } from '../../engine/statistics/drift-detector.ts'
import { whyNotBinary } from '../../engine/statistics/sample.ts'
import { summarizeMetric } from '../../engine/statistics/summarize.ts'
import { asApiError, type EvaluatedItem, inputText, type JudgeOwner, shownIn } from '../evaluators/index.ts'
import type { Kernel } from '../kernel.ts'
import { traceIdsBetween, traceStarts } from '../traces/index.ts'
import { clusterScores, type DriftScore } from './cluster-scores.ts'
import { judgeDrift } from './judge-occurrence.ts'
import type { MonitorsDependencies } from './monitors-dependencies.ts'
import { baselineOf, driftOf, findMonitorByNo, type MonitorRow, requestOf, storeDrift } from './monitors.store.ts'
import { failedBecause, type Finding, Skip, type Spent, spentBy, type Work } from './occurrence-work.ts'
import { findOccurrence, type OccurrenceRow, sourceOf, type WorkloadSource } from './occurrences.store.ts'
import {
  countOutputs,
  expectedOf,
  extremeOutputs,
  forgetOutputs,
  keepOutputs,
  scoredOutputs,
  seenClusters,
  storeGrade,
  storePlace,
  ungradedOutputs,
  type WorkloadOutput,
} from './outputs.store.ts'

/** What an example is asked with, as a worker reads it out of a trace: text, turns or named fields. */
type Input = Parameters<typeof inputText>[0]
type Detector = NonNullable<TuneOccurrence['detector']>

/** Before the id of the trace that an output is of. */
const traceKey = 'trace '
/** Traces of one window. */
const mostTraces = 10_000
/** Traces that a worker reads at a time. */
const tracesAtOnce = 500
const shownPoints = 200
/** Outputs before an alarm among which those behind it are looked for, and how many are shown. */
const alarmStretch = 200
const shownOutputs = 20
const shownText = 2000

/** Outputs as a request sent them. */
export function sentOutputs({ outputs }: Extract<TuneWorkload, { outputs: unknown }>, now: string): WorkloadOutput[] {
  return outputs.map(({ id, input, output, expected = [], at = now, cluster = null }) => ({
    key: id === undefined ? digestKey(input, output) : `id ${id}`,
    at,
    input,
    output,
    expected: typeof expected === 'string' ? [expected] : expected,
    cluster,
  }))
}

function digestKey(input: string, output: string): string {
  return `digest ${createHash('sha256')
    .update(JSON.stringify([input, output]))
    .digest('hex')}`
}

/** A workload: new outputs are graded, and the detector looks at their scores in time order. */
export function createWorkloadGrader(kernel: Kernel, { evaluators, traceWorkers }: MonitorsDependencies) {
  const { db } = kernel
  const ownerOf = ({ id }: OccurrenceRow, { workspace_id }: MonitorRow, payer: JobOwner): JudgeOwner => ({
    kind: 'occurrence',
    id,
    workspaceId: workspace_id,
    principalId: payer.kind === 'service' ? '' : payer.id,
  })

  /** The outputs of stored traces; a trace without one is left out. */
  const readTraces = async (workspaceId: string, source: WorkloadSource): Promise<WorkloadOutput[]> => {
    const ids =
      'trace_ids' in source
        ? [...new Set(source.trace_ids.map(id => id.toLowerCase()))]
        : traceIdsBetween(
            db,
            workspaceId,
            { integrationId: source.integration_id.toLowerCase(), from: source.from, to: source.to },
            mostTraces,
          )
    const outputs: WorkloadOutput[] = []
    for (let from = 0; from < ids.length; from += tracesAtOnce) {
      const traceIds = ids.slice(from, from + tracesAtOnce)
      const read = await traceWorkers.run({ kind: 'examples', workspaceId, traceIds, paths: {} })
      if (!read.ok) throw failedBecause(read.message)
      const starts = traceStarts(db, workspaceId, traceIds)
      for (const { traceId, fields } of read.value) {
        const at = starts.get(traceId)
        if (fields.output === null || at === undefined) continue
        const input = fields.input === null ? '' : inputText(fields.input as Input)
        outputs.push({ key: `${traceKey}${traceId}`, at, input, output: fields.output, expected: textsOf(fields.expected), cluster: null })
      }
    }
    return outputs
  }
  /** What the traces of outputs show beside their texts, as long as they are stored. */
  const filesOf = async (
    workspaceId: string,
    rows: readonly { readonly key: string }[],
  ): Promise<ReadonlyMap<string, readonly MediaPart[]>> => {
    const traceIds = rows.flatMap(({ key }) => (key.startsWith(traceKey) ? [key.slice(traceKey.length)] : []))
    if (traceIds.length === 0) return new Map()
    const read = await traceWorkers.run({ kind: 'examples', workspaceId, traceIds, paths: {} })
    if (!read.ok) throw failedBecause(read.message)
    return new Map(
      read.value.map(({ traceId, fields: { input } }) => [`${traceKey}${traceId}`, input === null ? [] : filesIn(shownIn(input as Input))]),
    )
  }
  /** Outputs from traces are kept first, so that a kill reads them once. */
  const collect = async ({ job, occurrence, monitor }: Work): Promise<void> => {
    const source = sourceOf(occurrence)
    if (source === null || occurrence.duplicates !== null) return
    const outputs = await readTraces(monitor.workspace_id, source)
    job.commit(() => {
      keepOutputs(db, monitor.no, occurrence, outputs)
    })
  }
  const gradeAll = async ({ job, occurrence, monitor, cap, begin }: Work, versionId: string): Promise<void> => {
    const owner = ownerOf(occurrence, monitor, job.owner)
    const held = evaluators.outputs.hold(monitor.workspace_id, versionId, cap)
    const least = evaluators.outputs.hold(monitor.workspace_id, versionId, 1n)
    const mustPay = least.wallet > 0n || (least.provider ?? 0n) > 0n
    if (occurrence.status === 'accepted' && mustPay && cap === 0n) throw new Skip('cap_reached')
    // One limit for both payers, which is set aside whole.
    if (occurrence.status === 'accepted') begin(mustPay ? cap : 0n, () => evaluators.outputs.begin(owner, held))
    else job.commit(() => evaluators.outputs.forgetOpenCalls(owner))
    const grading = await evaluators.outputs.open(owner, versionId, cap, job.signal)
    try {
      const total = countOutputs(db, occurrence.no)
      for (let done = 0; ; ) {
        const rows = ungradedOutputs(db, occurrence.no, grading.batchSize)
        if (rows.length === 0) return
        const files = grading.isJudged ? await filesOf(monitor.workspace_id, rows) : null
        const items = rows.map((row): EvaluatedItem => {
          return {
            item: String(row.no),
            input: row.input,
            files: files?.get(row.key),
            output: row.output,
            targets: expectedOf(row),
            label: null,
            metadata: {},
            sample: { id: row.key },
          }
        })
        const grades = await grading.grade(items).catch(asApiError)
        job.commit(() => {
          for (const [i, row] of rows.entries()) {
            const grade = grades[i]
            storeGrade(db, row.no, grade?.value ?? null, (grade?.explanation ?? '').slice(0, shownText).toWellFormed())
          }
        })
        done += rows.length
        job.progress({ done, total })
      }
    } finally {
      await grading.close()
    }
  }

  /** In the transaction that ends the job: no two workloads of a monitor see the same state of the detector. */
  const watch = (scored: readonly DriftScore[], monitorNo: number, bounds: { floor: number; ceiling: number }): Detector => {
    const monitor = findMonitorByNo(db, monitorNo)
    if (!monitor) throw new Error(`The monitor ${monitorNo} is gone.`)
    const { false_alarm_every: runLength } = requestOf(monitor).stream
    const first = monitor.outputs_seen + 1
    const values = scored.map(({ value }) => value)
    const { state, alarms, path } = watchDrift(driftOf(monitor), values, bounds, runLength)
    for (const [i, { outputs }] of scored.entries()) for (const no of outputs) storePlace(db, no, first + i)
    storeDrift(db, monitorNo, state, monitor.outputs_seen + scored.length)
    const alarmed = new Set(alarms.map(({ index }) => index))
    const every = Math.max(1, Math.ceil(path.length / (shownPoints / 2)))
    const shown = path
      .map((step, i) => ({ output: first + i, ...step, wanted: i % every === 0 || i === path.length - 1 || alarmed.has(i) }))
      .filter(({ wanted }) => wanted)
      .slice(-shownPoints)
    return {
      ...bounds,
      alarm_at: runLength,
      ...meanOf(values),
      path: shown.map(({ output, fall, rise }) => ({ output, fall, rise })),
      alarms: alarms.slice(0, shownOutputs).map(({ index, kind }) => {
        const place = first + index
        return {
          kind,
          output: place,
          at: scored[index]?.at ?? monitor.created_at,
          outputs: extremeOutputs(db, monitorNo, { from: place - alarmStretch + 1, to: place }, kind, shownOutputs).map(row => ({
            id: row.key,
            value: row.value ?? 0,
            input: row.input.slice(0, shownText).toWellFormed(),
            output: row.output.slice(0, shownText).toWellFormed(),
            explanation: row.explanation ?? '',
          })),
        }
      }),
    }
  }

  return {
    execute: async (work: Work): Promise<() => Finding> => {
      const { occurrence, monitor } = work
      const versionId = monitor.evaluator_version_id
      if (versionId === null) throw failedBecause('The monitor has no evaluator.')
      await collect(work)
      await gradeAll(work, versionId)
      const { low, high } = baselineOf(monitor)
      const bounds = low === null || high === null ? null : driftBounds({ low, high }, requestOf(monitor).stream.tolerance)
      const sent = countOutputs(db, occurrence.no)
      const outputs = scoredOutputs(db, occurrence.no)
      return () => {
        const clusters = [...new Set(outputs.flatMap(({ cluster }) => (cluster === null ? [] : [cluster])))]
        const scores = clusterScores(outputs, seenClusters(db, monitor.no, clusters))
        const detector = bounds === null || sent === 0 ? null : watch(scores, monitor.no, bounds)
        const judgment = judgeDrift({
          alarms: detector?.alarms ?? [],
          scores: scores.length,
          sent,
          known: findOccurrence(db, occurrence.id)?.duplicates ?? 0,
          floor: bounds?.floor ?? null,
        })
        return {
          verdict: judgment.verdict,
          changes: {
            reason: judgment.reason,
            n: sent,
            unscored: sent - outputs.length,
            detector: detector && JSON.stringify(detector),
            ...spentBy(evaluators.outputs.end(ownerOf(occurrence, monitor, work.job.owner))),
            held_microusd: 0,
          },
        }
      }
    },
    /** Gives back what an occurrence that is given up has not spent. @returns what it has */
    stop: (occurrence: OccurrenceRow, monitor: MonitorRow, payer: JobOwner): Spent => {
      forgetOutputs(db, occurrence.no)
      return spentBy(evaluators.outputs.end(ownerOf(occurrence, monitor, payer)))
    },
  }
}

/** Scores are one a cluster, so they count as independent. */
function meanOf(values: readonly number[]): Pick<Detector, 'mean' | 'interval'> {
  const binary = values.length > 0 && whyNotBinary(values) === null
  const { mean, interval } = summarizeMetric(values, { binary })
  return { mean, interval }
}

function textsOf(expected: unknown): string[] {
  if (expected === null || expected === undefined) return []
  if (Array.isArray(expected)) return expected.map(each => (typeof each === 'string' ? each : JSON.stringify(each)))
  return [typeof expected === 'string' ? expected : JSON.stringify(expected)]
}
