import type { ComparedRun } from '../../../contract/comparisons/comparisons.schemas.ts'
import type { ExecutionSettings, FrozenProfile, ModelSnapshot } from '../../../contract/quotes/quotes.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'

/** What is known of a run before its samples are read. */
export interface RunFrame {
  /** As the request named it: a run's id or an evaluation's. */
  readonly asked: string
  readonly kind: ComparedRun['kind']
  readonly runId: string
  readonly resultVersion: number
  readonly samplesDigest: string
  readonly name: string
  readonly status: ComparedRun['status']
  readonly model: ModelSnapshot
  readonly profiles: readonly FrozenProfile[]
  readonly execution: ExecutionSettings
  /** Of its results: which profiles' tasks the model's own past results helped to choose. */
  readonly biases: Results['notices']
}

/** Names that tell the runs apart: the models' titles, else the runs' names, else those with the beginning of the id. */
export function labelRuns(runs: readonly Pick<RunFrame, 'asked' | 'name' | 'model'>[]): string[] {
  const candidates = [runs.map(run => run.model.title), runs.map(run => run.name), runs.map(run => `${run.model.title}, ${run.name}`)]
  const distinct = candidates.find(labels => new Set(labels).size === labels.length)
  // The end of a UUIDv7 is its random part.
  return distinct ?? runs.map(run => `${run.name} (${run.asked.slice(-12)})`)
}

/** Whether two snapshots name the same model at the same place. */
export function isSameModel(a: ModelSnapshot, b: ModelSnapshot): boolean {
  return (
    a.kind === b.kind && a.route_id === b.route_id && a.connection_id === b.connection_id && a.model === b.model && a.origin === b.origin
  )
}
