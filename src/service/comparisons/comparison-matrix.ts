import { LRUCache } from 'lru-cache'
import type { ComparedRun, Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import {
  type MatrixPage,
  matrixPreview,
  type MatrixQuery,
  type MatrixRow,
  type MatrixVerdict,
} from '../../contract/comparisons/matrix.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import { sampleStates } from '../../contract/runs/run.machine.ts'
import { outcomeCodes } from '../../contract/runs/samples.schemas.ts'
import type { AlignedTasks } from '../../engine/reporting/comparisons/aligned-tasks.ts'
import { decodeCursor, type Listing, toPage } from '../../storage/keyset.ts'
import type { Database } from '../../storage/database.ts'
import { readMatrixAnswers } from '../../storage/reads/matrix-cells.ts'
import { taskHeads } from '../../storage/reads/task-heads.ts'
import { sampleId } from '../../storage/sample-id.ts'
import type { Runs } from '../runs/index.ts'

/** Searches whose hits are kept, and for how long: pages of one list are read one after another, and notes may change. */
const keptSearches = { max: 8, ttl: 10_000 }

/** Runs whose metrics are kept: those of a few comparisons. */
const keptRuns = 40

/** Tasks of a comparison with what each run made of them: columns in memory decide which, and the texts of a page are read. */
export function createMatrix(db: Database, runs: Pick<Runs, 'search' | 'results'>) {
  const searches = new LRUCache<string, Uint8Array>(keptSearches)
  const metrics = new LRUCache<string, Metrics>({ max: keptRuns })

  /** Of the compared result; none where the run was deleted. */
  const metricsOf = (workspaceId: string, { run_id: id, result_version: version }: ComparedRun): Metrics => {
    const key = `${id} ${version}`
    const known = metrics.get(key)
    if (known) return known
    const found = whereDeleted(() => runs.results(workspaceId, id, version).reproducibility.profiles) ?? []
    const ids = found.map(profile => profile.metrics.map(metric => metric.id))
    metrics.set(key, ids)
    return ids
  }

  /** 1 at each task that the search finds in one of the runs. */
  const hitsOf = async (workspaceId: string, { id, runs: compared }: Comparison, tasks: AlignedTasks, { q, match }: MatrixQuery) => {
    const key = JSON.stringify([id, q, match])
    const known = searches.get(key)
    if (known) return known
    const hits = new Uint8Array(tasks.count)
    for (const [no, { run_id: runId }] of compared.entries()) {
      const found = new Set(await whereDeleted(() => runs.search(workspaceId, runId, q, match)))
      for (const [task, position] of tasks.positions[no]?.entries() ?? []) if (found.has(position)) hits[task] = 1
    }
    searches.set(key, hits)
    return hits
  }

  return async (workspaceId: string, comparison: Comparison, tasks: AlignedTasks, query: MatrixQuery): Promise<MatrixPage> => {
    const { cursor, limit, offset, locate, ...filters } = query
    const listing: Listing = { endpoint: 'listMatrix', filters: { comparison: comparison.id, ...filters } }
    const after = cursor === undefined ? null : Number(decodeCursor(listing, cursor, 1)[0])
    const isWanted = columnFilter(comparison, tasks, query)
    const hits = query.q.trim() === '' ? null : await hitsOf(workspaceId, comparison, tasks, query)
    const matching: number[] = []
    for (let task = 0; task < tasks.count; task++) if (hits?.[task] !== 0 && isWanted(task)) matching.push(task)
    const from = after === null ? offset : matching.findIndex(task => task > after)
    const shown = from < 0 ? [] : matching.slice(from, from + limit + 1)
    const rows = readRows(db, comparison, tasks, shown, run => metricsOf(workspaceId, run))
    const page = toPage(
      rows,
      limit,
      listing,
      ({ position }) => [position],
      row => row,
    )
    const place = locate === undefined ? -1 : matching.indexOf(locate)
    return { ...page, total: matching.length, located_at: place < 0 ? null : place }
  }
}

/** Undefined where the run was deleted: it has no texts, and what was compared stays. */
function whereDeleted<Found>(read: () => Found): Found | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Ids of metrics by their number, by profile. */
type Metrics = readonly (readonly string[])[]

/** Of a task in a run, by its value and, where it has none, by the status of its first epoch; null where the run does not have it. */
function verdictOf(tasks: AlignedTasks, run: number, task: number): MatrixVerdict | null {
  const value = tasks.values[run]?.[task] ?? Number.NaN
  if (!Number.isNaN(value)) return value >= 1 ? 'correct' : value <= 0 ? 'wrong' : 'partial'
  const status = sampleStates[tasks.statuses[run]?.[task] ?? -1]
  if (status === undefined) return null
  return status === 'scored' ? 'unscored' : status === 'failed' ? 'failed' : 'missing'
}

function columnFilter(comparison: Comparison, tasks: AlignedTasks, { agreement, verdict, pattern, profile }: MatrixQuery) {
  const runs = [...comparison.runs.keys()]
  if (pattern !== undefined && pattern.length !== runs.length)
    throw invalidField(['query', 'pattern'], `"${pattern}" must have ${runs.length} letters, one for each run`)
  const wanted = [...(pattern ?? '')].flatMap((letter, run) => (letter === '.' ? [] : [{ run, letter }]))
  const profileNo = profile === undefined ? null : comparison.profiles.findIndex(candidate => candidate.profile_id === profile)
  const agrees = (task: number): boolean => {
    const values = runs.map(run => tasks.values[run]?.[task] ?? Number.NaN).filter(value => !Number.isNaN(value))
    return values.length >= 2 && values.every(value => value === values[0]) === (agreement === 'same')
  }
  const has = (task: number, run: number, letter: string): boolean => {
    const found = verdictOf(tasks, run, task)
    return found !== null && outcomeCodes[found] === letter
  }
  return (task: number): boolean =>
    (profileNo === null || tasks.profile[task] === profileNo) &&
    (verdict === undefined || runs.some(run => verdictOf(tasks, run, task) === verdict)) &&
    wanted.every(({ run, letter }) => has(task, run, letter)) &&
    (agreement === undefined || agrees(task))
}

function readRows(
  db: Database,
  { runs, profiles }: Comparison,
  tasks: AlignedTasks,
  shown: readonly number[],
  metricsOf: (run: ComparedRun) => Metrics,
): MatrixRow[] {
  const heads = taskHeads(
    db,
    shown.map(task => tasks.taskNo[task] ?? 0),
  )
  const answers = runs.map((run, no) => {
    const metrics = metricsOf(run)
    const metricAt = new Map(
      shown.map(task => [tasks.positions[no]?.[task] ?? -1, profiles[tasks.profile[task] ?? 0]?.metric ?? ''] as const),
    )
    metricAt.delete(-1)
    return readMatrixAnswers(
      db,
      { runId: run.run_id, version: run.result_version },
      [...metricAt.keys()],
      (position, profileNo) => metrics[profileNo]?.indexOf(metricAt.get(position) ?? '') ?? -1,
    )
  })
  return shown.map(task => {
    const profile = profiles[tasks.profile[task] ?? 0]
    const head = heads.get(tasks.taskNo[task] ?? 0)
    return {
      position: task,
      profile_id: profile?.profile_id ?? '',
      metric: profile?.metric ?? '',
      task_id: head?.task_id ?? '',
      preview: head?.preview ?? '',
      target_preview: head?.target?.slice(0, matrixPreview) ?? null,
      target_choice: head?.choice?.slice(0, matrixPreview) ?? null,
      cells: runs.map(({ id, run_id }, no) => {
        const position = tasks.positions[no]?.[task] ?? -1
        const value = tasks.values[no]?.[task] ?? Number.NaN
        const answer = answers[no]?.get(position)
        return {
          run_id: id,
          sample_id: position < 0 ? null : sampleId(run_id, position),
          verdict: verdictOf(tasks, no, task),
          value: Number.isNaN(value) ? null : value,
          answer: answer?.answer?.slice(0, matrixPreview) ?? null,
          output_preview: answer?.outputPreview ?? null,
        }
      }),
    }
  })
}
