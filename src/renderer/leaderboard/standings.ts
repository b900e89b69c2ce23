import type { LeaderboardEntry } from '../../contract/runs/leaderboard.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { isLopsided } from '../../lib/format/percent.ts'

type Basis = LeaderboardEntry['basis']
type UsualBasis = { readonly [part in keyof Required<Basis>]: string | null }

/** One profile: a column. */
export interface Field {
  readonly id: string
  readonly name: string
  readonly metric: string
  /** What more than half of the scores are of; null where nothing has a majority. */
  readonly usual: UsualBasis
  /** Whether its scores show both ends of their interval: they are read one under another. */
  readonly withEnds: boolean
  readonly models: number
}

/** One model: a row, with its entry on each profile that it was run on. */
export interface Standing {
  readonly model: string
  readonly title: string
  readonly isModel: boolean
  readonly entries: ReadonlyMap<string, LeaderboardEntry>
}

/** The profiles that most models were run on first. */
export function fieldsOf(entries: readonly LeaderboardEntry[]): readonly Field[] {
  return [...Map.groupBy(entries, entry => entry.profile_id)]
    .flatMap(([id, group]) => {
      const [first] = group
      if (!first) return []
      // Each cell says what its run has changed.
      const { changed: _, ...profile } = first
      const withEnds = group.some(({ estimate }) => isLopsided(estimate))
      return [{ id, name: profileName(profile), metric: first.metric, usual: usualBasis(group), withEnds, models: group.length }]
    })
    .toSorted((a, b) => b.models - a.models || a.name.localeCompare(b.name, 'en'))
}

function usualBasis(entries: readonly LeaderboardEntry[]): UsualBasis {
  const usual = (part: keyof Basis) =>
    [...Map.groupBy(entries, ({ basis }) => basis[part] ?? '')].find(([, group]) => group.length * 2 > entries.length)?.[0] ?? null
  return { tasks: usual('tasks'), prompt: usual('prompt'), settings: usual('settings'), scorer: usual('scorer') }
}

const marks = {
  tasks: { none: 'Tasks differ', other: 'Other tasks' },
  prompt: { none: 'Prompts differ', other: 'Other prompt' },
  settings: { none: 'Settings differ', other: 'Other settings' },
  scorer: { none: 'Scorers differ', other: 'Other scorer' },
} as const

/** What marks a score that must not be ranked against the others of its column; null for one that may. */
export function basisMark(basis: Basis, usual: UsualBasis): string | null {
  for (const part of ['tasks', 'prompt', 'settings', 'scorer'] as const)
    if ((basis[part] ?? '') !== usual[part]) return usual[part] === null ? marks[part].none : marks[part].other
  return null
}

/** Models in the order of their score on one profile, the best first; those that were not run on it follow by name, then baselines. */
export function standingsOf(entries: readonly LeaderboardEntry[], by: string | undefined): readonly Standing[] {
  const score = ({ entries: own }: Standing): number => (by === undefined ? -1 : (own.get(by)?.estimate.mean ?? -1))
  return [...Map.groupBy(entries, entry => entry.model)]
    .flatMap(([model, group]) => {
      const [first] = group
      if (!first) return []
      return [
        {
          model,
          title: first.model_title,
          isModel: first.is_model,
          // Of several ways to ask, the profile's own is shown, else the newest; the later of a map wins.
          entries: new Map(
            group
              .toReversed()
              .toSorted((a, b) => Number(b.changed !== undefined) - Number(a.changed !== undefined))
              .map(entry => [entry.profile_id, entry] as const),
          ),
        },
      ]
    })
    .toSorted((a, b) => Number(b.isModel) - Number(a.isModel) || score(b) - score(a) || a.title.localeCompare(b.title, 'en'))
}

/** Scores of the same tasks with the same prompt and scorer, which alone may be ranked. */
export interface LikeScores {
  readonly id: string
  readonly name: string
  readonly profile: string
  /** The best first. */
  readonly models: readonly LeaderboardEntry[]
  readonly baselines: readonly LeaderboardEntry[]
}

/** The groups of like scores, those with most models first. */
export function likeScores(entries: readonly LeaderboardEntry[]): readonly LikeScores[] {
  const groups = Map.groupBy(entries, ({ profile_id: profile, basis }) =>
    [profile, basis.tasks, basis.prompt, ...(basis.settings === undefined ? [] : [basis.settings]), basis.scorer].join(' | '),
  )
  const byScore = (a: LeaderboardEntry, b: LeaderboardEntry): number => (b.estimate.mean ?? -1) - (a.estimate.mean ?? -1)
  return [...groups]
    .flatMap(([id, group]) => {
      const [first] = group
      if (!first) return []
      const { tasks, tasks_available: available, not_run: notRun } = first
      const asked = tasks === available && notRun === 0 ? 'every task' : `${tasks} of ${available} tasks`
      return [
        {
          id,
          name: `${profileName(first)}, ${first.metric}, ${asked}`,
          profile: first.profile_id,
          models: group.filter(entry => entry.is_model).toSorted(byScore),
          baselines: group.filter(entry => !entry.is_model).toSorted(byScore),
        },
      ]
    })
    .toSorted((a, b) => b.models.length - a.models.length || b.baselines.length - a.baselines.length || a.name.localeCompare(b.name, 'en'))
}
