import { partsOf } from '../../contract/messages/messages.schemas.ts'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import { sampleNotice } from '../../contract/runs/call-notes.ts'
import type { Sample, SampleGroup, sampleSorts, SampleVerdict } from '../../contract/runs/samples.schemas.ts'
import { ScoreClass } from '../../contract/runs/score-class.ts'
import { z } from 'zod'
import type { TextMatch } from '../../lib/text-query.ts'
import type { Database } from '../database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../keyset.ts'
import { readAnnotationSummaries } from './annotations.ts'
import { findSamplePage, type FoundPage, isWalk, type SamplePageQuestion, type SamplePlace } from './sample-page.ts'
import { unpackNotices } from '../runs/attempt-notices.ts'
import { sampleId, samplePosition } from '../sample-id.ts'
import { targetChoice } from '../../lib/target-text.ts'
import { decodeTask, type StoredTask } from '../task-content.ts'

/** Characters of a target that a list shows. */
const previewLength = 200

export interface SamplesQuery extends PageQuery {
  readonly status?: Sample['status'] | undefined
  readonly profile?: string | undefined
  readonly passed?: 'true' | 'false' | 'none' | undefined
  readonly outcome?: SampleVerdict | undefined
  readonly capability?: string | undefined
  readonly breakdown?: string | undefined
  readonly breakdown_value?: string | undefined
  readonly error?: string | undefined
  readonly group?: SampleGroup | undefined
  readonly group_code?: string | undefined
  readonly tag?: string | undefined
  readonly bookmarked?: 'true' | 'false' | undefined
  readonly noted?: 'true' | 'false' | undefined
  readonly position_from?: number | undefined
  readonly position_to?: number | undefined
  readonly latency_min?: number | undefined
  readonly latency_max?: number | undefined
  readonly output_tokens_min?: number | undefined
  readonly output_tokens_max?: number | undefined
  readonly offset?: number | undefined
  readonly locate?: string | undefined
  readonly q: string
  readonly match: TextMatch
  readonly sort: (typeof sampleSorts)[number]
}

export interface RunOfSamples {
  readonly no: number
  readonly id: string
  readonly frozen: number
  /** Whether its places are 0, 1, 2 and so on; a part has only some of them. */
  readonly whole: boolean
  /** No more of them than a list shows: they cross to a thread. */
  readonly profiles: readonly {
    readonly profile_id: string
    readonly metrics: readonly Pick<FrozenProfile['metrics'][number], 'id' | 'scorer' | 'primary'>[]
  }[]
}

export interface SampleList {
  readonly items: Sample[]
  readonly next_cursor: string | null
  readonly total: number | null
  readonly located_at: number | null
  readonly searched_by: FoundPage['searchedBy']
}

const StoredRow = z.object({
  position: z.int(),
  profile_no: z.int(),
  task_id: z.string(),
  preview: z.string(),
  content: z.instanceof(Uint8Array),
  epoch: z.int(),
  status: z.enum(['pending', 'calling', 'answered', 'scored', 'failed', 'excluded', 'missing', 'cancelled']),
  passed: z.int().nullable(),
  value: z.number().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  attempts: z.int(),
  latency_ms: z.number().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  output_preview: z.string().nullable(),
  finish_reason: z.string().nullable(),
  notices: z.string().nullable(),
  finished_at: z.int().nullable(),
  cached: z.int(),
})
type Row = z.infer<typeof StoredRow> & { readonly sort_key: number | null }

const ScoreRow = z.object({
  position: z.int(),
  metric_no: z.int(),
  value: z.number().nullable(),
  class: ScoreClass,
  code: z.string().nullable(),
  answer: z.string().nullable(),
})
type ScoreRow = z.infer<typeof ScoreRow>

/** What a page of samples asks for. @throws ApiError invalid_cursor */
function questionOf(run: RunOfSamples, { cursor, limit, offset = 0, locate, ...query }: SamplesQuery) {
  const listing: Listing = { endpoint: 'listSamples', filters: { run: run.id, ...query } }
  const [key = null, position = 0] = cursor ? decodeCursor(listing, cursor, 2) : []
  const question: SamplePageQuestion = {
    ...everySample(run.no, limit + 1, query.q.trim() === '' ? '' : query.q, query.match),
    status: query.status ?? null,
    profileNo: query.profile === undefined ? null : run.profiles.findIndex(p => p.profile_id === query.profile),
    passed: query.passed ?? null,
    // Without its minus a sort is one of the columns' names, by the contract's own list.
    column: query.sort.replace('-', '') as SamplePageQuestion['column'],
    descending: query.sort.startsWith('-'),
    after: cursor ? { key: key === null ? null : Number(key), position: Number(position) } : null,
    verdict: query.outcome ?? null,
    capability: query.capability ?? null,
    part:
      query.breakdown === undefined || query.breakdown_value === undefined
        ? null
        : { dimension: query.breakdown, value: query.breakdown_value },
    error: query.error ?? null,
    group:
      query.group === undefined ? null : { name: query.group, code: query.group_code ?? null, primaries: primaryMetrics(run.profiles) },
    annotated: { tag: query.tag ?? null, bookmarked: query.bookmarked ?? null, noted: query.noted ?? null },
    places: { from: query.position_from ?? null, to: query.position_to ?? null },
    latencyMs: { from: query.latency_min ?? null, to: query.latency_max ?? null },
    outputTokens: { from: query.output_tokens_min ?? null, to: query.output_tokens_max ?? null },
    locate: locate === undefined ? null : samplePosition(run.id, locate),
  }
  /** Samples to skip; null where the page continues from a cursor. */
  const skipped = cursor ? null : offset
  return { question, skipped, listing }
}

/** Whether the page is a walk along the run's order; to find any other may take a look at all its samples. @throws ApiError invalid_cursor */
export function walksSamples(run: RunOfSamples, query: SamplesQuery): boolean {
  const { question, skipped } = questionOf(run, query)
  return walks(run, question, skipped)
}

function walks(run: RunOfSamples, question: SamplePageQuestion, skipped: number | null): boolean {
  return isWalk({ ...question, locate: run.whole ? null : question.locate }) && (skipped === null || run.whole)
}

/**
 * A page of samples. Nulls sort last, whichever way; the position breaks ties.
 * @param find chooses the page where it is not a walk
 */
export function listSamples(
  db: Database,
  run: RunOfSamples,
  query: SamplesQuery,
  find: (question: SamplePageQuestion) => FoundPage,
): SampleList {
  const { limit } = query
  const { question, skipped, listing } = questionOf(run, query)
  const { places, total, locatedAt, searchedBy } = findFrom(db, run, question, skipped, find)
  const rows = rowsAt(db, run.no, places)
  const scores = scoresOf(db, run.no, rows)
  const annotationsAt = readAnnotationSummaries(
    db,
    run.no,
    rows.map(row => row.position),
  )
  const page = toPage(
    rows,
    limit,
    listing,
    row => [row.sort_key, row.position],
    row => toSample(row, run, scores.get(row.position) ?? [], annotationsAt(row.position)),
  )
  return { ...page, total, located_at: locatedAt, searched_by: searchedBy }
}

/** The samples of a run that match a search, in its order. */
export function everySample(runNo: number, limit: number, q: string, match: TextMatch): SamplePageQuestion {
  const open = { from: null, to: null }
  return {
    runNo,
    q,
    match,
    limit,
    column: 'position',
    descending: false,
    after: null,
    offset: 0,
    counted: false,
    locate: null,
    status: null,
    profileNo: null,
    passed: null,
    verdict: null,
    capability: null,
    part: null,
    error: null,
    group: null,
    annotated: { tag: null, bookmarked: null, noted: null },
    places: open,
    latencyMs: open,
    outputTokens: open,
  }
}

/** Number of the primary metric of each profile. */
export function primaryMetrics(profiles: RunOfSamples['profiles']): number[] {
  return profiles.map(({ metrics }) => metrics.findIndex(metric => metric.primary))
}

/** @param offset null where the page continues from a cursor */
function findFrom(
  db: Database,
  run: RunOfSamples,
  question: SamplePageQuestion,
  offset: number | null,
  find: (question: SamplePageQuestion) => FoundPage,
): FoundPage {
  const { locate } = question
  if (!walks(run, question, offset)) {
    if (offset === null) return find(question)
    // In another order and nothing left out: counting would read the whole run a second time.
    const isAll = run.whole && isWalk({ ...question, column: 'position', locate: null })
    const found = find({ ...question, offset, counted: !isAll })
    return isAll ? { ...found, total: run.frozen } : found
  }
  if (offset === null) return { ...findSamplePage(db, question), searchedBy: null }
  const locatedAt = locate === null || locate >= run.frozen ? null : question.descending ? run.frozen - 1 - locate : locate
  // Skipping rows would read them all; in a whole run the place of a sample says how many come before it.
  const last = question.descending ? run.frozen - offset : offset - 1
  return {
    ...findSamplePage(db, { ...question, locate: null, after: { key: last, position: last } }),
    total: run.frozen,
    locatedAt,
    searchedBy: null,
  }
}

/** In the order of the places. A sample may have moved on since they were found; its place in the order stays. */
function rowsAt(db: Database, runNo: number, places: readonly SamplePlace[]): Row[] {
  const rows = db
    .prepare(
      `select s.position, s.profile_no, t.task_id, t.preview, t.content, s.epoch, s.status, s.passed, s.value, s.error_code, s.error_message, s.attempts, s.latency_ms,
       s.input_tokens, s.output_tokens, a.output_preview, a.finish_reason, a.notices, s.finished_at, s.cached
       from json_each(?) page cross join samples s on s.run_no = ? and s.position = page.value join tasks t on t.no = s.task_no
       left join attempts a on a.run_no = coalesce(s.source_no, s.run_no) and a.position = s.position and a.number = s.attempts`,
    )
    .all(JSON.stringify(places.map(place => place.position)), runNo)
    .map(row => StoredRow.parse(row))
  const byPosition = new Map(rows.map(row => [row.position, row]))
  return places.flatMap(({ position, sort_key }) => {
    const row = byPosition.get(position)
    return row ? [{ ...row, sort_key }] : []
  })
}

/** Places of the samples before and after one; a part of a run has only some of its places. */
export function neighborsOf(db: Database, runNo: number, position: number): { previous: number | null; next: number | null } {
  const samples = db.sql.selectFrom('samples').where('run_no', '=', runNo)
  const previous = db.first(samples.select(e => e.fn.max<number | null>('position').as('at')).where('position', '<', position))
  const next = db.first(samples.select(e => e.fn.min<number | null>('position').as('at')).where('position', '>', position))
  return { previous: previous?.at ?? null, next: next?.at ?? null }
}

function scoresOf(db: Database, runNo: number, rows: readonly Row[]): Map<number, ScoreRow[]> {
  const ofAllVersions = db.prepare(
    `select position, metric_no, value, class, code, answer from scores where run_no = ? and position in (select value from json_each(?))
     order by position, metric_no, version`,
  )
  const positions = JSON.stringify(rows.map(row => row.position))
  const scores = ofAllVersions.all(runNo, positions).map(score => ScoreRow.parse(score))
  const isLatest = ({ position, metric_no }: ScoreRow, i: number) =>
    scores[i + 1]?.position !== position || scores[i + 1]?.metric_no !== metric_no
  return Map.groupBy(scores.filter(isLatest), score => score.position)
}

/** Images of a list's row. */
const shownImages = 3

/** Digests of the images that a task shows, in their order. */
function imagesOf({ conversations = {} }: StoredTask): string[] {
  return Object.values(conversations)
    .flat()
    .flatMap(partsOf)
    .flatMap(part => (part.type === 'image' ? [part.media] : []))
}

function toSample(row: Row, run: RunOfSamples, scores: readonly ScoreRow[], annotations: Sample['annotations']): Sample {
  const profile = run.profiles[row.profile_no]
  const task = decodeTask(row.content)
  return {
    id: sampleId(run.id, row.position),
    run_id: run.id,
    position: row.position,
    profile_id: profile?.profile_id ?? '',
    task_id: row.task_id,
    input_preview: row.preview,
    images: imagesOf(task).slice(0, shownImages),
    target_preview: task.targets[0]?.slice(0, previewLength) ?? null,
    target_choice: targetChoice(task)?.slice(0, previewLength) ?? null,
    epoch: row.epoch,
    status: row.status,
    passed: row.passed === null ? null : row.passed === 1,
    scores: scores.flatMap(score => {
      const metric = profile?.metrics[score.metric_no]
      return metric
        ? [{ metric: metric.id, scorer: metric.scorer, value: score.value, class: score.class, code: score.code, answer: score.answer }]
        : []
    }),
    error: row.error_code === null || row.status === 'scored' ? null : { code: row.error_code, message: row.error_message ?? '' },
    attempts: row.attempts,
    latency_ms: row.latency_ms,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cached: row.cached === 1,
    output_preview: row.output_preview,
    notices: row.output_preview === null ? [] : noticesOf(row, row.output_preview).map(sampleNotice),
    finished_at: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
    annotations,
  }
}

function noticesOf({ notices, finish_reason }: Row, preview: string) {
  return unpackNotices({ notices, finish_reason, is_empty: preview.trim() === '' ? 1 : 0 })
}
