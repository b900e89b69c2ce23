import { ApiError, type ErrorDetail } from '../../contract/errors.ts'
import type { NewEvaluation } from '../../contract/evaluations/evaluations.schemas.ts'
import type { Catalog, CatalogProfile } from '../catalog/index.ts'
import type { ExactSelection } from '../quotes/index.ts'
import type { SelectedTasks } from '../suites/index.ts'

type Candidate = CatalogProfile & { readonly version: NonNullable<CatalogProfile['version']> }

/**
 * How each selection's tasks are asked: by the profile that the request names for its source, or else by the first that can run.
 * Each selection without one, and each named profile that fits none, is refused by name.
 */
export function chooseProfiles(
  catalog: Catalog,
  workspaceId: string,
  selected: readonly SelectedTasks[],
  { profile_ids: named }: Pick<NewEvaluation, 'profile_ids'>,
): ExactSelection[] {
  const problems: ErrorDetail[] = []
  const used = new Set<string>()
  const chosen = selected.flatMap(({ source, selection, tasks }, i): ExactSelection[] => {
    const candidates = source.profileIds.flatMap(id =>
      candidateOf(catalog, catalog.profile(workspaceId, id), { split: selection.split, tasks }),
    )
    const wanted = candidates.filter(({ profile }) => named.includes(profile.id))
    for (const { profile } of wanted) used.add(profile.id)
    const [entry, rival] = wanted.length > 0 ? wanted : candidates.filter(isReady).slice(0, 1)
    const problem = whyNot(entry, rival, candidates)
    if (problem !== null)
      problems.push({
        loc: ['body', 'task_selections', i],
        msg: `${source.sourceRef} (${selection.split}) ${problem}`,
        type: 'task_unavailable',
      })
    return entry ? [{ entry, version: entry.version, tasks }] : []
  })
  for (const [i, id] of named.entries()) {
    if (!used.has(id))
      problems.push({
        loc: ['body', 'profile_ids', i],
        msg: `the profile "${id}" is of none of the selected sources and splits`,
        type: 'unknown_profile',
      })
  }
  if (problems.length === 0) return chosen
  throw new ApiError('task_unavailable', `These tasks cannot be run: ${problems.map(problem => problem.msg).join('; ')}.`, {
    detail: problems,
  })
}

function candidateOf(
  catalog: Catalog,
  entry: CatalogProfile | null,
  { split, tasks }: { readonly split: string; readonly tasks: ExactSelection['tasks'] },
): Candidate[] {
  if (!entry?.version || entry.definition.split !== split) return []
  const { version, definition } = entry
  if (!definition.only) return [{ ...entry, version }]
  const asked = new Set(catalog.taskIds(version.no, definition).map(({ no }) => no))
  return tasks.every(({ no }) => asked.has(no)) ? [{ ...entry, version }] : []
}

function isReady({ profile }: Candidate): boolean {
  return profile.quote_availability.status === 'ready_for_quote'
}

function whyNot(entry: Candidate | undefined, rival: Candidate | undefined, candidates: readonly Candidate[]): string | null {
  if (rival) return `was given two profiles, ${entry?.profile.id} and ${rival.profile.id}; name one`
  if (entry && isReady(entry)) return null
  const reasons = (entry ? [entry] : candidates).map(
    ({ profile }) => `"${profile.id}" is ${profile.quote_availability.status}: ${profile.quote_availability.reasons.join(' ')}`,
  )
  return reasons.length ? `cannot be run: ${reasons.join(' ')}` : 'has no runnable profile that asks all of these tasks'
}
