import type { LeaderboardEntry } from '../../contract/index.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'

/** One profile: a column. */
export interface Field {
  readonly id: string
  readonly name: string
  readonly metric: string
  /** Coverage of the most models; of the most tasks among equals. */
  readonly usual: string
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
      return [{ id, name: profileName(first), metric: first.metric, usual: usualCoverage(group), models: group.length }]
    })
    .toSorted((a, b) => b.models - a.models || a.name.localeCompare(b.name, 'en'))
}

function usualCoverage(entries: readonly LeaderboardEntry[]): string {
  const groups = [...Map.groupBy(entries, entry => entry.coverage)]
  const tasksOf = (group: readonly LeaderboardEntry[]): number => group[0]?.tasks ?? 0
  const [usual] = groups.toSorted(([, a], [, b]) => b.length - a.length || tasksOf(b) - tasksOf(a))
  return usual?.[0] ?? ''
}

/** Models in the order of their score on one profile, the best first; those that were not run on it follow by name. */
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
          entries: new Map(group.map(entry => [entry.profile_id, entry] as const)),
        },
      ]
    })
    .toSorted((a, b) => score(b) - score(a) || a.title.localeCompare(b.title, 'en'))
}
