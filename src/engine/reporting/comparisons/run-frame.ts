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

/** Names that tell the runs apart: the models' titles, else the runs' names, else the prompts; where those are equal, the end of the ids. */
export function labelRuns(runs: readonly Pick<RunFrame, 'asked' | 'name' | 'model' | 'execution'>[]): string[] {
  const candidates = [runs.map(run => run.model.title), runs.map(run => run.name), runs.map(run => `${run.model.title}, ${run.name}`)]
  const distinct = candidates.find(labels => new Set(labels).size === labels.length)
  if (distinct) return distinct
  const prompts = describePrompts(runs.map(run => run.execution))
  const labels = runs.map((run, i) => `${run.model.title}, ${prompts[i]}`)
  return runs.map((run, i) => {
    const label = labels[i] ?? ''
    // The end of a UUIDv7 is its random part.
    return labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${run.name} (${run.asked.slice(-12)})`
  })
}

/** How each run asks, in a few words: what it changes of its profiles' prompt, by the part that tells it from the other runs. */
export function describePrompts(runs: readonly ExecutionSettings[]): string[] {
  const systems = quotations(runs.map(run => run.system_prompt))
  const templates = quotations(runs.map(run => run.prompt_template))
  const stops = excerpts(runs.map(({ stop }) => stop?.map(text => JSON.stringify(text)).join(', ')))
  return runs.map((run, i) => {
    const changes = [
      ...(run.system_prompt === undefined ? [] : [run.system_prompt === '' ? 'no system prompt' : `system prompt ${systems[i]}`]),
      ...(run.prompt_template === undefined ? [] : [`prompt template ${templates[i]}`]),
      ...(run.stop === undefined ? [] : [run.stop.length === 0 ? 'no stop sequences' : `stop sequences ${stops[i]}`]),
    ]
    return changes.join(' and ') || 'usual prompt'
  })
}

/** Each text in quotation marks; what these don't show is said. */
function quotations(texts: readonly (string | undefined)[]): string[] {
  const shown = excerpts(texts)
  return texts.map((text, i) => {
    const isTwin = texts.some(other => other !== text && other !== undefined && text !== undefined && oneLine(other) === oneLine(text))
    return `“${shown[i]}”${isTwin ? ' (differs in white space only)' : ''}`
  })
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Code points of a prompt that a name shows, and of them those before the place where it differs. */
const shownPrompt = 40
const shownBefore = 16

/** Each text in one line; of a long one the beginning, or what is around the place where it departs from the text most like it. */
function excerpts(texts: readonly (string | undefined)[]): string[] {
  const lines = texts.map(text => Array.from(oneLine(text ?? '')))
  return lines.map(line => {
    if (line.length <= shownPrompt) return line.join('')
    const differsAt = Math.max(...lines.map(other => departure(line, other)))
    const isCut = differsAt > shownPrompt - shownBefore
    // Half a word says nothing.
    const before = isCut
      ? `…${line
          .slice(differsAt - shownBefore, differsAt)
          .join('')
          .replace(/^\S* /, '')}`
      : ''
    const from = isCut ? differsAt : 0
    const rest = line.slice(from, from + shownPrompt - before.length)
    return `${before}${rest.join('').trimEnd()}${from + rest.length < line.length ? '…' : ''}`
  })
}

/** Where a line departs from another, in code points; 0 where they are equal. */
function departure(line: readonly string[], other: readonly string[]): number {
  const at = line.findIndex((character, i) => character !== other[i])
  if (at !== -1) return at
  return line.length === other.length ? 0 : line.length
}

/** Whether two snapshots name the same model at the same place. */
export function isSameModel(a: ModelSnapshot, b: ModelSnapshot): boolean {
  return (
    a.kind === b.kind && a.route_id === b.route_id && a.connection_id === b.connection_id && a.model === b.model && a.origin === b.origin
  )
}
