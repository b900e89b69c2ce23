import { z } from 'zod'
import type { Database } from '../database.ts'

const columns = { position: 's.position', value: 's.value', latency: 's.latency_ms', output_tokens: 's.output_tokens' } as const

/** Which samples of a run are wanted, by what they are ordered, and after which. */
export interface SamplePageQuestion {
  readonly runNo: number
  readonly status: string | null
  readonly profileNo: number | null
  readonly passed: 'true' | 'false' | 'none' | null
  /** Part of a task id, an answer or the beginning of an output; empty: any. */
  readonly q: string
  readonly column: keyof typeof columns
  readonly descending: boolean
  /** Sort key and position of the last sample of the page before; null: from the start. */
  readonly after: { readonly key: number | null; readonly position: number } | null
  readonly limit: number
}

const Place = z.object({ position: z.int(), sort_key: z.number().nullable() })
export type SamplePlace = z.infer<typeof Place>

/** Places of the samples of a page in order. Nulls sort last, whichever way; the position breaks ties. */
export function findSamplePage(db: Database, question: SamplePageQuestion): SamplePlace[] {
  const { runNo, status, profileNo, passed, q, descending, after, limit } = question
  const column = columns[question.column]
  const conditions: string[] = ['s.run_no = ?']
  const values: unknown[] = [runNo]
  const where = (condition: string, ...bound: unknown[]) => {
    conditions.push(condition)
    values.push(...bound)
  }
  if (status !== null) where('s.status = ?', status)
  if (profileNo !== null) where('s.profile_no = ?', profileNo)
  if (passed === 'none') where('s.passed is null')
  else if (passed !== null) where('s.passed = ?', passed === 'true' ? 1 : 0)
  if (q) {
    const text = `%${q.replaceAll(/[\\%_]/g, match => `\\${match}`)}%`
    // Read through in order, each table once: looking each sample's rows up would take several times as long.
    where(
      `(t.task_id like ? escape '\\'
        or s.position in (select position from scores where run_no = ? and answer like ? escape '\\')
        or s.position in (select a.position from attempts a join samples o on o.run_no = ? and o.position = a.position and o.attempts = a.number
          and coalesce(o.source_no, o.run_no) = a.run_no
          where a.run_no in (select no from runs where no = ? or part_of = ?) and a.output_preview like ? escape '\\'))`,
      text,
      runNo,
      text,
      runNo,
      runNo,
      runNo,
      text,
    )
  }
  if (after) {
    const beyond = descending ? '<' : '>'
    const { key, position } = after
    if (question.column === 'position') where(`s.position ${beyond} ?`, position)
    else if (key === null) where(`${column} is null and s.position > ?`, position)
    else where(`(${column} ${beyond} ? or (${column} = ? and s.position > ?) or ${column} is null)`, key, key, position)
  }
  const direction = descending ? 'desc' : 'asc'
  const order = question.column === 'position' ? `s.position ${direction}` : `${column} is null, ${column} ${direction}, s.position asc`
  return db
    .prepare(
      `select s.position, ${column} as sort_key from samples s ${q ? 'join tasks t on t.no = s.task_no' : ''}
       where ${conditions.join(' and ')} order by ${order} limit ?`,
    )
    .all(...values, limit)
    .map(row => Place.parse(row))
}

/** Whether the page is a walk along the run's own order; anything else may read all its samples and is a thread's work. */
export function isWalk({ status, profileNo, passed, q, column }: SamplePageQuestion): boolean {
  return column === 'position' && status === null && profileNo === null && passed === null && q === ''
}
