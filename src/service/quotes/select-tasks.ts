import type { BenchmarkParts, BenchmarkStatus, Generation, Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import { ApiError } from '../../contract/errors.ts'
import type { QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import type { ProfileDefinition } from '../../engine/tasks/definition.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { Catalog, CatalogProfile } from '../catalog/catalog.types.ts'
import { askedAs, requireAskable } from './asked-as.ts'
import { changedSettings } from './changed-settings.ts'
import { type FrozenTask, sampleTasks } from './freeze-tasks.ts'

/** One profile with its frozen tasks and effective settings. */
export interface FrozenSelection {
  readonly profile: Profile
  readonly definition: ProfileDefinition
  readonly promptRecipe: PromptRecipe
  readonly sourceRef: string
  readonly versionDigest: string
  readonly generation: Generation
  /** The part of it that is not the profile's own, in words. */
  readonly changed: readonly string[]
  readonly tasks: readonly FrozenTask[]
  readonly available: number
  /** Tasks of the benchmark's split, of which a profile may ask some alone. */
  readonly ofSplit: number
  readonly status: BenchmarkStatus
  /** Null where the benchmark is one whole. */
  readonly parts: BenchmarkParts | null
  /** Tasks asked for; null for full coverage. */
  readonly asked: number | null
}

/** Resolves and freezes. Every profile that cannot be quoted is named in one refusal. */
export function selectTasks(request: QuoteRequest, workspaceId: string, catalog: Catalog): FrozenSelection[] {
  const ids = request.selection.profile_ids ?? []
  const problems: { at: number; msg: string }[] = []
  refuseRepeated(ids)
  const found = ids.map((id, at) => {
    const entry = catalog.profile(workspaceId, id)
    const problem = problemWith(id, entry)
    if (problem) problems.push({ at, msg: problem })
    return entry
  })
  if (problems.length > 0) {
    throw new ApiError('task_unavailable', `Not all profiles can be quoted: ${problems.map(p => p.msg.replace(/\.$/, '')).join('; ')}.`, {
      detail: problems.map(({ at, msg }) => ({ loc: ['body', 'selection', 'profile_ids', at], msg, type: 'task_unavailable' })),
    })
  }
  requireAskable(
    found.filter(entry => entry !== null),
    request.execution,
  )
  return found.flatMap(entry => (entry?.version ? [freeze(entry, entry.version, request, catalog)] : []))
}

function refuseRepeated(ids: readonly string[]): void {
  const detail = ids.flatMap((id, at) =>
    ids.indexOf(id) === at ? [] : [{ loc: ['body', 'selection', 'profile_ids', at], msg: `"${id}" is selected twice`, type: 'duplicate' }],
  )
  if (detail.length > 0)
    throw new ApiError('validation_error', `selection.profile_ids: ${detail.map(({ msg }) => msg).join('; ')}`, { detail })
}

function problemWith(id: string, entry: CatalogProfile | null): string | null {
  if (!entry) return `there is no profile "${id.slice(0, 100)}"`
  const { status, reasons } = entry.profile.quote_availability
  if (status !== 'ready_for_quote') return `"${id}" is not ready (${status}): ${reasons.join(' ')}`
  return entry.version ? null : `"${id}" has no data`
}

/** A profile and the very tasks of it that an evaluation names. */
export interface ExactSelection {
  readonly entry: CatalogProfile
  readonly version: NonNullable<CatalogProfile['version']>
  readonly tasks: readonly FrozenTask[]
}

export function freezeExact(
  { entry, version, tasks }: ExactSelection,
  execution: QuoteRequest['execution'],
  catalog: Pick<Catalog, 'taskIds'>,
): FrozenSelection {
  const available = catalog.taskIds(version.no, entry.definition).length
  return {
    ...settingsOf(entry, version, execution),
    tasks,
    available,
    ofSplit: tasksOfSplit(entry, version, catalog) ?? available,
    asked: tasks.length,
  }
}

/** Null where the profile asks all of them. */
function tasksOfSplit(
  { definition: { only, split } }: CatalogProfile,
  version: NonNullable<CatalogProfile['version']>,
  catalog: Pick<Catalog, 'taskIds'>,
): number | null {
  return only ? catalog.taskIds(version.no, { split }).length : null
}

/** Whether these are all tasks of their benchmarks. */
export function areWhole(selections: readonly FrozenSelection[]): boolean {
  return selections.every(({ sourceRef, definition: { split }, tasks, available, ofSplit, parts }) => {
    if (tasks.length !== available || parts?.complete === false) return false
    const same = selections.filter(other => other.sourceRef === sourceRef && other.definition.split === split)
    return available === ofSplit || new Set(same.flatMap(other => other.tasks.map(({ no }) => no))).size === ofSplit
  })
}

function freeze(
  entry: CatalogProfile,
  version: NonNullable<CatalogProfile['version']>,
  { coverage, execution }: QuoteRequest,
  catalog: Catalog,
): FrozenSelection {
  const all = catalog.taskIds(version.no, entry.definition)
  return {
    ...settingsOf(entry, version, execution),
    tasks: coverage.mode === 'sample' ? sampleTasks(all, coverage.sample_count, coverage.seed) : all,
    available: all.length,
    ofSplit: tasksOfSplit(entry, version, catalog) ?? all.length,
    asked: coverage.mode === 'sample' ? coverage.sample_count : null,
  }
}

function settingsOf(
  entry: CatalogProfile,
  version: NonNullable<CatalogProfile['version']>,
  execution: QuoteRequest['execution'],
): Omit<FrozenSelection, 'tasks' | 'available' | 'ofSplit' | 'asked'> {
  const { promptRecipe, digest } = askedAs(entry, execution)
  const generation = {
    ...entry.definition.generation,
    ...(execution.temperature === null ? {} : { temperature: execution.temperature === 'none' ? null : execution.temperature }),
    ...(execution.max_output_tokens === null ? {} : { max_output_tokens: execution.max_output_tokens }),
    ...(execution.stop && { stop: execution.stop }),
  }
  return {
    profile: { ...entry.profile, prompt_digest: digest },
    definition: entry.definition,
    promptRecipe,
    sourceRef: version.sourceRef,
    versionDigest: version.digest,
    parts: version.parts,
    status: entry.status,
    generation,
    changed: changedSettings(entry, { promptRecipe, generation, execution }),
  }
}
