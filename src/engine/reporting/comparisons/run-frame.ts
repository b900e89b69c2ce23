import type { ComparedRun } from '../../../contract/comparisons/comparisons.schemas.ts'
import type { ExecutionSettings, FrozenProfile, ModelSnapshot } from '../../../contract/quotes/quotes.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { changedPrompt } from '../../../lib/format/changed-prompt.ts'

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

/** Names that tell the runs apart: the models' titles, else the runs' names, else the prompts, else the end of the ids. */
export function labelRuns(runs: readonly Pick<RunFrame, 'asked' | 'name' | 'model' | 'execution'>[]): string[] {
  const candidates = [
    runs.map(run => run.model.title),
    runs.map(run => run.name),
    runs.map(run => `${run.model.title}, ${run.name}`),
    runs.map(run => `${run.model.title}, ${describePrompt(run.execution)}`),
  ]
  const distinct = candidates.find(labels => new Set(labels).size === labels.length)
  // The end of a UUIDv7 is its random part.
  return distinct ?? runs.map(run => `${run.name} (${run.asked.slice(-12)})`)
}

/** Characters of a prompt that a name shows. */
const shownPrompt = 40

/** How a run asks, in a few words: what it changes of its profiles' prompt, by its beginning. */
export function describePrompt(execution: ExecutionSettings): string {
  const changes = changedPrompt(execution).map(([name, text]) => {
    const line = text.replaceAll(/\s+/g, ' ').trim()
    const shown = line.length > shownPrompt ? `${line.slice(0, shownPrompt).trimEnd()}…` : line
    return `${name.replace(', changed', '').toLowerCase()} “${shown}”`
  })
  return changes.length === 0 ? 'usual prompt' : changes.join(' and ')
}

/** Whether two snapshots name the same model at the same place. */
export function isSameModel(a: ModelSnapshot, b: ModelSnapshot): boolean {
  return (
    a.kind === b.kind && a.route_id === b.route_id && a.connection_id === b.connection_id && a.model === b.model && a.origin === b.origin
  )
}
