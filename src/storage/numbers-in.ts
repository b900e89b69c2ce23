import { sql } from 'kysely'

/** The right side of `in`. All values are one parameter, so a statement has one text, and is prepared once, however many there are. */
export function numbersIn(values: readonly number[]) {
  return sql<number>`(select value from json_each(${JSON.stringify(values)}))`
}
