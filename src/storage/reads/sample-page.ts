import { z } from 'zod'
import type { TextMatch } from '../../lib/text-query.ts'
import { outcomeCodes, type Sample, type SampleGroup, type SampleVerdict } from '../../contract/runs/samples.schemas.ts'
import type { Database } from '../database.ts'
import type { SampleHits } from './sample-index.ts'
import { readSampleGroups } from './sample-groups.ts'
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
  /** Search, of which `hits` are what was found; empty: any. */
  readonly q: string
  readonly match: TextMatch
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
  /** Samples of a group of those that are not correct. */
  readonly group: WantedGroup | null
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
  /** A sample whose place among the matching ones is asked for, by position; null: none. */
  readonly locate: number | null
}

export interface WantedGroup {
  readonly name: SampleGroup
  /** Of unscored samples, by their reason; null: any. */
  readonly code: string | null
  /** Number of the primary metric of each profile. */
  readonly primaries: readonly number[]
}

interface Range {
  readonly from: number | null
  readonly to: number | null
}

export interface SamplePage {
  readonly places: readonly SamplePlace[]
  /** Null where it was not asked for. */
  readonly total: number | null
  /** Matching samples before the located one; null where it does not match, or none was asked for. */
  readonly locatedAt: number | null
}

/** A page, and how its search was made: in the run's index, or by reading every sample; null where nothing was searched. */
export type FoundPage = SamplePage & { readonly searchedBy: 'index' | 'scan' | null }

const Place = z.object({ position: z.int(), sort_key: z.number().nullable() })
export type SamplePlace = z.infer<typeof Place>
const Count = z.object({ n: z.int() })

/** What a search found. */
export interface SampleSearch {
  readonly hits: SampleHits
  /** Samples with notes, which the hits cannot tell: whether each matches. */
  readonly noted: ReadonlyMap<number, boolean>
}

/**
 * Places of the samples of a page in order. Nulls sort last, whichever way; the position breaks ties.
 * @param search what `q` found; null where nothing is searched
 */
export function findSamplePage(db: Database, question: SamplePageQuestion, search: SampleSearch | null = null): SamplePage {
  // Nothing is asked but what matches, in the run's own order: the hits are the answer.
  const isPlain = isWalk({ ...question, q: '', offset: 0, counted: false, locate: null })
  if (search?.hits.kind === 'positions' && search.noted.size === 0 && isPlain) return pageOf(search.hits.positions, question)
  if (search?.hits.kind === 'expression' && search.noted.size === 0 && isPlain) return pageOfIndex(db, search.hits.expression, question)
  const { runNo, descending, after, limit } = question
  const column = columns[question.column]
  const conditions: string[] = ['s.run_no = ?']
  const values: unknown[] = [runNo]
  const where: Where = (condition, ...bound) => {
    conditions.push(condition)
    values.push(...bound)
  }
  if (search !== null) {
    const { hits, noted } = search
    const [hit, bound] =
      hits.kind === 'positions'
        ? ['select value from json_each(?)', JSON.stringify(hits.positions)]
        : ['select rowid from search_index.documents where documents match ?', hits.expression]
    if (noted.size === 0) where(`s.position in (${hit})`, bound)
    else {
      const matching = [...noted].filter(([, matches]) => matches).map(([position]) => position)
      where(
        `(s.position in (select value from json_each(?)) or (s.position not in (select value from json_each(?)) and s.position in (${hit})))`,
        JSON.stringify(matching),
        JSON.stringify([...noted.keys()]),
        bound,
      )
    }
  }
  for (const name of filterNames) applyFilter(name, question, where, db)
  const tables = `samples s ${question.capability !== null ? 'join tasks t on t.no = s.task_no' : ''}`
  const total = question.counted
    ? Count.parse(db.prepare(`select count(*) as n from ${tables} where ${conditions.join(' and ')}`).get(...values)).n
    : null
  const locatedAt = question.locate === null ? null : locate(db, question, question.locate, { tables, conditions, values })
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
  return { places, total, locatedAt }
}

const Keyed = z.object({ key: z.number().nullable() })

/** Matching samples before one in the page's order; null where that one does not match. */
function locate(
  db: Database,
  { column: name, descending }: SamplePageQuestion,
  position: number,
  { tables, conditions, values }: { readonly tables: string; readonly conditions: readonly string[]; readonly values: readonly unknown[] },
): number | null {
  const column = columns[name]
  const from = `from ${tables} where ${conditions.join(' and ')}`
  const row = db.prepare(`select ${column} as key ${from} and s.position = ?`).get(...values, position)
  if (row === undefined) return null
  const { key } = Keyed.parse(row)
  const before = descending ? '>' : '<'
  const [earlier, bound] =
    name === 'position'
      ? [`s.position ${before} ?`, [position]]
      : key === null
        ? [`(${column} is not null or s.position < ?)`, [position]]
        : [`(${column} ${before} ? or (${column} = ? and s.position < ?))`, [key, key, position]]
  return Count.parse(db.prepare(`select count(*) as n ${from} and ${earlier}`).get(...values, ...bound)).n
}

function pageOf(found: readonly number[], { descending, after, limit, offset, counted, locate: wanted }: SamplePageQuestion): SamplePage {
  const ordered = descending ? found.toReversed() : found
  const isBeyond = (position: number) => after === null || (descending ? position < after.position : position > after.position)
  const first = ordered.findIndex(isBeyond)
  const page = first < 0 ? [] : ordered.slice(first + offset, first + offset + limit)
  return {
    places: page.map(position => ({ position, sort_key: position })),
    total: counted ? found.length : null,
    locatedAt: wanted !== null && ordered.includes(wanted) ? ordered.indexOf(wanted) : null,
  }
}

const Positions = z.array(z.int())

function pageOfIndex(db: Database, expression: string, question: SamplePageQuestion): SamplePage {
  const { descending, after, limit, offset, counted, locate: wanted } = question
  const matching = 'from search_index.documents where documents match ?'
  // A beginning that many words share is looked up by each statement again, which takes longer than to read every hit once.
  if (counted || wanted !== null)
    return pageOf(Positions.parse(db.prepare(`select rowid ${matching} order by rowid`).pluck().all(expression)), question)
  const beyond = after === null ? '' : `and rowid ${descending ? '<' : '>'} ${after.position}`
  const places = db
    .prepare(
      `select rowid as position, rowid as sort_key ${matching} ${beyond} order by rowid ${descending ? 'desc' : 'asc'} limit ? offset ?`,
    )
    .all(expression, limit, offset)
    .map(row => Place.parse(row))
  return { places, total: null, locatedAt: null }
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
type Filters = Omit<
  SamplePageQuestion,
  'runNo' | 'q' | 'match' | 'column' | 'descending' | 'after' | 'limit' | 'offset' | 'counted' | 'locate'
>

const within = (yes: boolean) => (yes ? 's.position in' : 's.position not in')
const range =
  (column: string) =>
  ({ from, to }: Range, where: Where): void => {
    if (from !== null) where(`${column} >= ?`, from)
    if (to !== null) where(`${column} <= ?`, to)
  }

/** What each filter asks of the database. One that is missing here does not compile, nor can it be left out of `isWalk`. */
const filters: {
  readonly [Name in keyof Filters]: (value: NonNullable<Filters[Name]>, where: Where, runNo: number, db: Database) => void
} = {
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
  group: ({ name, code, primaries }, where, runNo, db) => {
    const positions: number[] = []
    for (const sample of readSampleGroups(db, runNo, primaries))
      if (sample.group === name && (code === null || sample.code === code)) positions.push(sample.position)
    where('s.position in (select value from json_each(?))', JSON.stringify(positions))
  },
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

function applyFilter<Name extends keyof Filters>(name: Name, question: SamplePageQuestion, where: Where, db: Database): void {
  const value: Filters[Name] = question[name]
  if (value !== null) filters[name](value, where, question.runNo, db)
}

/** Whether a filter asks for anything: those of several parts ask for nothing where each part is null. */
function asks(value: Filters[keyof Filters]): boolean {
  return typeof value === 'object' && value !== null ? Object.values(value).some(part => part !== null) : value !== null
}

/** Whether the page is a walk along the run's own order; anything else may read all its samples and is a thread's work. */
export function isWalk(question: SamplePageQuestion): boolean {
  const { column, q, offset, counted, locate: located } = question
  return (
    column === 'position' && q === '' && offset === 0 && !counted && located === null && filterNames.every(name => !asks(question[name]))
  )
}
