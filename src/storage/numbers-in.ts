import { sql } from 'kysely'

/** For `in`: any number of values in one parameter, so that the statement's text is the same for all of them. */
export function numbersIn(values: readonly number[]) {
  return sql<number>`(select value from json_each(${JSON.stringify(values)}))`
}
