import { type RawBuilder, sql } from 'kysely'
import { searchTerms } from '../lib/text-query.ts'

/**
 * Whether a column of lower-case text matches the search of a list: it contains every word and "phrase", in any order and also inside
 * longer words, and no -excluded one. For short texts such as names; whole texts have an index of words.
 */
export function matchesWords(column: string | RawBuilder<string>, q: string): RawBuilder<boolean> {
  const text = typeof column === 'string' ? sql.ref(column) : column
  const conditions = searchTerms(q).map(
    ({ text: wanted, isExcluded }) => sql<boolean>`instr(${text}, ${wanted}) ${sql.raw(isExcluded ? '= 0' : '> 0')}`,
  )
  return conditions.length === 0 ? sql<boolean>`1` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
