import { type FrozenCoverage, type FrozenProfile, type Results, type Run, tasksKey } from '../../contract/index.ts'

/** What of a run decides whether its score is read beside another. */
export type BesideRun = Pick<Run, 'id' | 'status' | 'result_version' | 'model' | 'profiles' | 'coverage'>

export interface BesideChoice {
  readonly run: BesideRun
  readonly role: 'baseline' | 'previous'
  /** Over the same tasks of the same version. Scores over others are no measure of each other. */
  readonly sameTasks: boolean
}

interface Here {
  readonly run_id: string
  readonly coverage: FrozenCoverage
  readonly reproducibility: Pick<Results['reproducibility'], 'model' | 'profiles'>
}

/**
 * The runs to read a score beside: a model's run before it, and a baseline. Of several, those over the same tasks come first, then
 * complete ones; then the newest before this run, which no later run replaces, and only without one the first after it.
 * @param runs newest first; their ids are in the order of time
 */
export function chooseBeside(runs: readonly BesideRun[], here: Here, profileId: string): readonly BesideChoice[] {
  const profile = here.reproducibility.profiles.find(one => one.profile_id === profileId)
  if (!profile) return []
  const sameTasks = (run: BesideRun): boolean => keyOf(run, profileId) === tasksKey(profile, here.coverage)
  const others = runs.filter(run => run.id !== here.run_id && run.result_version !== null && profileIn(run, profileId) !== undefined)
  const before = others.filter(run => run.id < here.run_id)
  const after = others.filter(run => run.id > here.run_id).toReversed()
  const best = (candidates: readonly BesideRun[]): BesideRun | undefined =>
    [true, false].flatMap(same =>
      [true, false].flatMap(complete => candidates.find(run => sameTasks(run) === same && (run.status === 'complete') === complete) ?? []),
    )[0]
  const previous = best(before.filter(run => run.model.is_model))
  // Another one than this run's own: two runs of one baseline differ by luck alone.
  const isOther = (run: BesideRun): boolean => !run.model.is_model && run.model.title !== here.reproducibility.model.title
  const baseline = best([...before, ...after].filter(isOther))
  return [
    ...(previous ? [{ run: previous, role: 'previous' as const, sameTasks: sameTasks(previous) }] : []),
    ...(baseline ? [{ run: baseline, role: 'baseline' as const, sameTasks: sameTasks(baseline) }] : []),
  ]
}

function profileIn(run: BesideRun, profileId: string): FrozenProfile | undefined {
  return run.profiles.find(profile => profile.profile_id === profileId)
}

function keyOf(run: BesideRun, profileId: string): string | null {
  const profile = profileIn(run, profileId)
  return profile ? tasksKey(profile, run.coverage) : null
}
