import { dateFacets } from '../../lib/task-dates.ts'

/** Value of a row of `tasks t` in a dimension of the breakdowns, as `withMonth` makes it of its facets. */
export function facetOf(dimension: string): { readonly sql: string; readonly bound: readonly string[] } {
  const facet = '(select f.value from json_each(t.facets) f where f.key = ?)'
  if (dimension !== 'month') return { sql: facet, bound: [dimension] }
  const days = dateFacets.map(() => `case when ${facet} glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' then substr(${facet}, 1, 7) end`)
  return { sql: `coalesce(${days.join(', ')}, ${facet})`, bound: [...dateFacets.flatMap(name => [name, name]), dimension] }
}
