import { z } from 'zod'
import { outcomeCodes, type Sample, type SampleVerdict } from '../../contract/index.ts'
import type { Database } from '../database.ts'
import { facetOf } from './task-facet.ts'

/** Literally, as the indexes of some of them need it. */
const statusTexts: Readonly<Record<Sample['status'], string>> = {
  pending: `'pending'`,
  calling: `'calling'`,
  answered: `'answered'`,
  scored: `'scored'`,
  failed: `'failed'`,
  excluded: `'excluded'`,
  missing: `'missing'`,
  cancelled: `'cancelled'`,
}

const columns = { position: 's.position', value: 's.value', latency: 's.latency_ms', output_tokens: 's.output_tokens' } as const

/** Which samples of a run are wanted, by what they are ordered, and after which. */
export interface SamplePageQuestion {
  readonly runNo: number
  readonly status: Sample['status'] | null
  readonly profileNo: number | null
  readonly passed: 'true' | 'false' | 'none' | null
  /** Part of a task id, an answer or the beginning of an output; empty: any. */
  readonly q: string
  readonly column: keyof typeof columns
  readonly descending: boolean
  /** Sort key and position of the last sample of the page before; null: from the start. */
  readonly after: { readonly key: number | null; readonly position: number } | null
  readonly limit: number
  readonly verdict: SampleVerdict | null
  readonly capability: string | null
  /** Samples whose task has a value in a dimension of the breakdowns. */
  readonly part: { readonly dimension: string; readonly value: string } | null
  readonly error: string | null
  /** Null: whether or not. */
  readonly annotated: {
    readonly tag: string | null
    readonly bookmarked: 'true' | 'false' | null
    readonly noted: 'true' | 'false' | null
  }
  /** Inclusive ends; null: open. */
  readonly places: Range
  readonly latencyMs: Range
  readonly outputTokens: Range
  /** Matching samples to skip. */
  readonly offset: number
  /** Whether the samples that match are counted. */
  readonly counted: boolean
}

interface Range {
  readonly from: number | null
  readonly to: number | null
}

export interface SamplePage {
  readonly places: readonly SamplePlace[]
  /** Null where it was not asked for. */
  readonly total: number | null
}

const Place = z.object({ position: z.int(), sort_key: z.number().nullable() })
export type SamplePlace = z.infer<typeof Place>
const Count = z.object({ n: z.int() })

/**
 * Places of the samples of a page in order. Nulls sort last, whichever way; the position breaks ties.
 * @param found positions of the samples that hold `q`, where that is known; null: their texts are searched
 */
export function findSamplePage(db: Database, question: SamplePageQuestion, found: readonly number[] | null = null): SamplePage {
  // Nothing is asked but what holds a text, in the run's own order: the positions are the answer.
  if (found !== null && isWalk({ ...question, q: '', offset: 0, counted: false })) return pageOf(found, question)
  const { runNo, q, descending, after, limit } = question
  const column = columns[question.column]
  const conditions: string[] = ['s.run_no = ?']
  const values: unknown[] = [runNo]
  const where: Where = (condition, ...bound) => {
    conditions.push(condition)
    values.push(...bound)
  }
  if (found !== null) where('s.position in (select value from json_each(?))', JSON.stringify(found))
  else if (q) {
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
  for (const name of filterNames) applyFilter(name, question, where)
  const tables = `samples s ${(q && found === null) || question.capability !== null ? 'join tasks t on t.no = s.task_no' : ''}`
  const total = question.counted
    ? Count.parse(db.prepare(`select count(*) as n from ${tables} where ${conditions.join(' and ')}`).get(...values)).n
    : null
  if (after) {
    const beyond = descending ? '<' : '>'
    const { key, position } = after
    if (question.column === 'position') where(`s.position ${beyond} ?`, position)
    else if (key === null) where(`${column} is null and s.position > ?`, position)
    else where(`(${column} ${beyond} ? or (${column} = ? and s.position > ?) or ${column} is null)`, key, key, position)
  }
  const direction = descending ? 'desc' : 'asc'
  const order = question.column === 'position' ? `s.position ${direction}` : `${column} is null, ${column} ${direction}, s.position asc`
  const places = db
    .prepare(`select s.position, ${column} as sort_key from ${tables} where ${conditions.join(' and ')} order by ${order} limit ? offset ?`)
    .all(...values, limit, question.offset)
    .map(row => Place.parse(row))
  return { places, total }
}

function pageOf(found: readonly number[], { descending, after, limit, offset, counted }: SamplePageQuestion): SamplePage {
  const ordered = descending ? found.toReversed() : found
  const isBeyond = (position: number) => after === null || (descending ? position < after.position : position > after.position)
  const first = ordered.findIndex(isBeyond)
  const page = first < 0 ? [] : ordered.slice(first + offset, first + offset + limit)
  return { places: page.map(position => ({ position, sort_key: position })), total: counted ? found.length : null }
}

/** The letter of `outcomeCodes` for a row of `samples s`. */
const outcomeOfSample = `case s.status
  when 'scored' then case when s.value is null then 'u' when s.value >= 1 then 'c' when s.value <= 0 then 'w' else 'p' end
  when 'failed' then 'f' when 'pending' then '.' when 'calling' then 'a' when 'answered' then 'a' else 'm' end`

const Codes = z.object({ codes: z.string().nullable() })

/** One letter per sample, in the order of the run. */
export function readOutcomes(db: Database, runNo: number): string {
  const row = db
    .prepare(
      `select group_concat(code, '') as codes from (select ${outcomeOfSample} as code from samples s where s.run_no = ? order by s.position)`,
    )
    .get(runNo)
  return Codes.parse(row).codes ?? ''
}

type Where = (condition: string, ...bound: unknown[]) => void
type Filters = Omit<SamplePageQuestion, 'runNo' | 'q' | 'column' | 'descending' | 'after' | 'limit' | 'offset' | 'counted'>

const within = (yes: boolean) => (yes ? 's.position in' : 's.position not in')
const range =
  (column: string) =>
  ({ from, to }: Range, where: Where): void => {
    if (from !== null) where(`${column} >= ?`, from)
    if (to !== null) where(`${column} <= ?`, to)
  }

/** What each filter asks of the database. One that is missing here does not compile, nor can it be left out of `isWalk`. */
const filters: { readonly [Name in keyof Filters]: (value: NonNullable<Filters[Name]>, where: Where, runNo: number) => void } = {
  status: (status, where) => where(`s.status = ${statusTexts[status]}`),
  profileNo: (profileNo, where) => where('s.profile_no = ?', profileNo),
  passed: (passed, where) => (passed === 'none' ? where('s.passed is null') : where('s.passed = ?', passed === 'true' ? 1 : 0)),
  verdict: (verdict, where) => where(`${outcomeOfSample} = ?`, outcomeCodes[verdict]),
  capability: (capability, where) => where('exists (select 1 from json_each(t.capabilities) have where have.value = ?)', capability),
  part: ({ dimension, value }, where, runNo) => {
    const { sql, bound } = facetOf(dimension)
    // Each task is read once, however many samples it has.
    where(
      `s.task_no in (select t.no from tasks t where t.no in (select task_no from samples where run_no = ?) and ${sql} = ?)`,
      runNo,
      ...bound,
      value,
    )
  },
  error: (error, where) => where(`s.error_code = ? and s.status <> 'scored'`, error),
  annotated: ({ tag, bookmarked, noted }, where, runNo) => {
    if (tag !== null) where(`s.position in (select position from run_marks where run_no = ? and kind = 'tag' and tag = ?)`, runNo, tag)
    if (bookmarked !== null)
      where(`${within(bookmarked === 'true')} (select position from run_marks where run_no = ? and kind = 'bookmark')`, runNo)
    if (noted !== null) where(`${within(noted === 'true')} (select position from run_notes where run_no = ?)`, runNo)
  },
  places: range('s.position'),
  latencyMs: range('s.latency_ms'),
  outputTokens: range('s.output_tokens'),
}
const filterNames = Object.keys(filters) as readonly (keyof Filters)[] // `filters` has exactly these keys

function applyFilter<Name extends keyof Filters>(name: Name, question: SamplePageQuestion, where: Where): void {
  const value: Filters[Name] = question[name]
  if (value !== null) filters[name](value, where, question.runNo)
}

/** Whether a filter asks for anything: those of several parts ask for nothing where each part is null. */
function asks(value: Filters[keyof Filters]): boolean {
  return typeof value === 'object' && value !== null ? Object.values(value).some(part => part !== null) : value !== null
}

/** Whether the page is a walk along the run's own order; anything else may read all its samples and is a thread's work. */
export function isWalk(question: SamplePageQuestion): boolean {
  const { column, q, offset, counted } = question
  return column === 'position' && q === '' && offset === 0 && !counted && filterNames.every(name => !asks(question[name]))
}
