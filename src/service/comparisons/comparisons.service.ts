import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Comparison, NewComparison } from '../../contract/comparisons/comparisons.schemas.ts'
import type { MatrixQuery } from '../../contract/comparisons/matrix.schemas.ts'
import type { ModelRanking, NewRanking } from '../../contract/comparisons/rankings.schemas.ts'
import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import { type AlignedTasks, unpackAlignedTasks } from '../../engine/reporting/comparisons/aligned-tasks.ts'
import type { ComputedComparison } from '../../engine/reporting/comparisons/compare-runs.ts'
import type { Refusal } from '../../engine/reporting/comparisons/check-comparability.ts'
import type { RunFrame } from '../../engine/reporting/comparisons/run-frame.ts'
import { packedTasks } from '../../storage/reads/packed-tasks.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Evaluations } from '../evaluations/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import { createExportFiles, type ExportFormat } from '../export-files.ts'
import type { FileReply } from '../http/handler.ts'
import { bodyDigest } from '../http/idempotency.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import { appVersion } from '../version.ts'
import { type ComparisonsQuery, findComparison, insertComparison, listComparisons } from './comparisons.store.ts'
import { cautionsOf, gatherBattles } from './gather-battles.ts'
import { gatherRuns } from './gather-runs.ts'
import { createMatrix } from './comparison-matrix.ts'
import { type ComparedTasksQuery, listComparedTasks } from './list-compared-tasks.ts'

export type Comparisons = ReturnType<typeof createComparisons>

export interface ComparisonsDependencies {
  readonly runs: Runs
  readonly evaluations: Evaluations
  readonly evaluators: Pick<Evaluators, 'calibrations'>
  readonly workers: Workers
}

/** Comparisons whose tasks stay unpacked: people page through one and look at a second. */
const keptUnpacked = 4

export function createComparisons(kernel: Kernel, { runs, evaluations, evaluators, workers }: ComparisonsDependencies) {
  const { db, clock, ids } = kernel
  const files = createExportFiles(kernel.config.dataDir)
  const unpacked = new LRUCache<string, AlignedTasks>({ max: keptUnpacked })

  const read = (workspaceId: string, id: string): Comparison => requireFound(findComparison(db, workspaceId, id), 'comparison', id)
  const tasksOf = (id: string): AlignedTasks => {
    const tasks = unpacked.get(id) ?? unpackAlignedTasks(packedTasks(db, id))
    unpacked.set(id, tasks)
    return tasks
  }
  const matrix = createMatrix(db, runs)

  return {
    rank: async (workspaceId: string, question: NewRanking, signal: AbortSignal): Promise<ModelRanking> => {
      const { battles, sources } = gatherBattles(evaluators.calibrations, workspaceId, question)
      const outcome = await workers.rank({ ...question, battles }, signal)
      if (outcome.kind === 'refused') throw invalidField(['body', 'battles'], outcome.reason)
      return { ...outcome.ranking, sources, cautions: [...outcome.ranking.cautions, ...sources.flatMap(cautionsOf)] }
    },
    create: async (workspaceId: string, body: NewComparison): Promise<Comparison> => {
      const frames = gatherRuns(runs, evaluations, workspaceId, body)
      const outcome = await workers.compare({ runs: frames, seed: body.seed, options: body.options })
      if (outcome.kind === 'refused') throw refusal(body, frames, outcome.refusals)
      const { computed, tasks } = outcome
      const comparison: Comparison = {
        id: ids.next(),
        name: body.name,
        created_at: timestamp(clock),
        ...computed,
        digest: bodyDigest({ computed, tasks: createHash('sha256').update(tasks).digest('hex') }),
        app_version: appVersion,
      }
      insertComparison(db, workspaceId, comparison, tasks)
      return comparison
    },
    /** Compares without keeping a comparison. @throws ApiError validation_error, result_not_ready */
    compute: async (workspaceId: string, body: NewComparison): Promise<ComputedComparison> => {
      const frames = gatherRuns(runs, evaluations, workspaceId, body)
      const outcome = await workers.compare({ runs: frames, seed: body.seed, options: body.options })
      if (outcome.kind === 'refused') throw refusal(body, frames, outcome.refusals)
      return outcome.computed
    },
    list: (workspaceId: string, query: ComparisonsQuery) => listComparisons(db, workspaceId, query),
    read,
    tasks: (workspaceId: string, id: string, query: ComparedTasksQuery) => {
      const comparison = read(workspaceId, id)
      return listComparedTasks(db, comparison, tasksOf(comparison.id), query)
    },
    matrix: (workspaceId: string, id: string, query: MatrixQuery) => {
      const comparison = read(workspaceId, id)
      return matrix(workspaceId, comparison, tasksOf(comparison.id), query)
    },
    export: (workspaceId: string, id: string, format: ExportFormat): Promise<FileReply> => {
      const comparison = read(workspaceId, id)
      return files.file({
        key: `comparison-${comparison.id}`,
        title: comparison.name,
        format,
        write: path => workers.comparisonReport({ comparison, format, path }),
      })
    },
  }
}

/** Names every difference that would mislead, at the run that it is about. */
function refusal({ run_ids }: NewComparison, frames: readonly RunFrame[], refusals: readonly Refusal[]): ApiError {
  const message = `These runs cannot be compared. ${refusals.map(found => found.message).join(' ')}`
  return new ApiError('validation_error', message, {
    detail: refusals.map(({ run, check, message: msg }) => ({
      loc: ['body', 'run_ids', run_ids.findIndex(id => id.toLowerCase() === frames[run]?.asked)],
      msg,
      type: `not_comparable.${check}`,
    })),
  })
}
