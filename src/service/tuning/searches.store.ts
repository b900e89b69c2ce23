import { z } from 'zod'
import type { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import { TunePrompt, type TuneSearch, TuneSearchPrompt } from '../../contract/tuning/search.schemas.ts'
import type { Database } from '../../storage/database.ts'

const Scores = z.array(z.number().nullable())

const Tried = TuneSearchPrompt.omit({ training: true }).extend({ scores: Scores.nullable() })

/** A proposal that is being scored. */
const Proposal = z.strictObject({ prompt: TunePrompt, parent: z.int(), failures: z.array(z.int()), isBetter: z.boolean() })

/** Everything that a search knows; stored after each step. */
export const SearchState = z.strictObject({
  calls: z.int(),
  /** Micro-USD of the runs that have ended. */
  charged: z.int(),
  billed: z.int(),
  prompts: z.array(Tried),
  proposal: Proposal.nullable(),
  /** The run under way. */
  runId: z.string().nullable(),
  /** Proposals can't be compared with the held-out cases, so no other is asked for. */
  isClosed: z.boolean().default(false),
})
export type SearchState = z.infer<typeof SearchState>

export const newSearchState: SearchState = { calls: 0, charged: 0, billed: 0, prompts: [], proposal: null, runId: null, isClosed: false }

export interface NewSearchRow {
  readonly id: string
  readonly sessionNo: number
  readonly quoteId: string
  readonly operationKey: string
  readonly principalId: string
  readonly jobId: string
  readonly createdAt: string
}

/** In the caller's transaction. */
export function insertSearch(db: Database, row: NewSearchRow): void {
  db.run(
    db.sql.insertInto('tune_searches').values({
      id: row.id,
      session_no: row.sessionNo,
      quote_id: row.quoteId,
      operation_key: row.operationKey,
      status: 'running',
      state: JSON.stringify(newSearchState),
      principal_id: row.principalId,
      job_id: row.jobId,
      created_at: row.createdAt,
      finished_at: null,
    }),
  )
  db.run(db.sql.updateTable('tune_quotes').set({ used: 1 }).where('id', '=', row.quoteId))
}

export type SearchRow = NonNullable<ReturnType<typeof findSearch>>

export function findSearch(db: Database, id: string) {
  return db.first(db.sql.selectFrom('tune_searches').selectAll().where('id', '=', id))
}

/** Newest first. */
export function searchesOf(db: Database, sessionNo: number): SearchRow[] {
  return db.all(db.sql.selectFrom('tune_searches').selectAll().where('session_no', '=', sessionNo).orderBy('no', 'desc'))
}

export const stateOf = (row: Pick<SearchRow, 'state'>): SearchState => SearchState.parse(JSON.parse(row.state))

export function storeSearchState(db: Database, id: string, state: SearchState): void {
  db.run(
    db.sql
      .updateTable('tune_searches')
      .set({ state: JSON.stringify(state) })
      .where('id', '=', id),
  )
}

export function endSearch(db: Database, id: string, status: Exclude<TuneSearch['status'], 'running'>, at: string): void {
  db.run(db.sql.updateTable('tune_searches').set({ status, finished_at: at }).where('id', '=', id))
}

/** @param reflections micro-USD that proposals have charged */
export function toSearch(row: SearchRow, quote: TuneQuote, reflections: bigint): TuneSearch {
  const { calls, charged, prompts } = stateOf(row)
  const { optimize } = quote
  if (!optimize) throw new Error(`The quote ${quote.id} of the prompt search ${row.id} plans no search.`)
  return {
    id: row.id,
    quote_id: row.quote_id,
    status: row.status,
    candidate: quote.arms[1]?.label ?? '',
    training_cases: optimize.training_cases,
    held_out_cases: quote.cases,
    calls,
    max_calls: optimize.max_calls,
    charged_microusd: String(BigInt(charged) + reflections),
    prompts: prompts.map(({ scores, ...prompt }) => ({ ...prompt, training: scores && trainingOf(scores) })),
    job_id: row.job_id,
    created_at: row.created_at,
    finished_at: row.finished_at,
  }
}

function trainingOf(scores: readonly (number | null)[]): NonNullable<TuneSearch['prompts'][number]['training']> {
  const values = scores.flatMap(score => (score === null ? [] : [score]))
  return { n: values.length, mean: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length }
}
