import { useQuery } from '@tanstack/react-query'
import { benchmarkTitle } from '../../lib/format/benchmark-names.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { leaderboardQuery } from '../leaderboard/leaderboard.queries.ts'

/** Models and benchmarks that runs can be narrowed to: those with a result. */
export function useRunChoices() {
  const entries = useQuery(leaderboardQuery).data?.entries ?? []
  const models = new Map(entries.map(({ model, model_title: title }) => [model, title]))
  const benchmarks = new Map(entries.map(entry => [entry.slug, benchmarkTitle(entry)]))
  return { models: optionsOf(models), benchmarks: optionsOf(benchmarks) }
}

function optionsOf(titles: ReadonlyMap<string, string>) {
  return [...titles].map(([value, title]) => ({ value, label: showHidden(title) })).toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}
