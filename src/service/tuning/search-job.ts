import { z } from 'zod'
import { mostCases } from '../../contract/tuning/draft.schemas.ts'
import type { NewTuneQuote, TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import { mostFoundPrompts } from '../../contract/tuning/search.schemas.ts'
import { tuneSessionMachine } from '../../contract/tuning/session.machine.ts'
import { choosePrompts } from '../../engine/reporting/tuning/search-prompts.ts'
import { transition } from '../../storage/transition.ts'
import type { Evaluators, JudgeOwner } from '../evaluators/index.ts'
import type { JobContext, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Quotes } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import { sessionStatus } from './approve.ts'
import { readCases } from '../../storage/reads/tune-cases.ts'
import { findTuneQuote } from './groups.store.ts'
import type { TuneQuotes } from './quotes.ts'
import { endSearch, findSearch, insertSearch, type SearchRow, type SearchState, stateOf, storeSearchState } from './searches.store.ts'
import { createSearchSteps, scoredOf, type StepsDependencies } from './search-steps.ts'
import type { TuneSessions } from './sessions.service.ts'
import { findSessionByNo, type SessionRow } from './sessions.store.ts'
import { splitCases } from '../../engine/reporting/tuning/split-cases.ts'
import { type GroupStart, startArms } from './start-group.ts'

const Input = z.strictObject({ search_id: z.string() })
type Input = z.infer<typeof Input>

export interface SearchDependencies {
  readonly sessions: TuneSessions
  readonly quotes: TuneQuotes
  /** Of the arms. */
  readonly plans: Quotes
  readonly evaluators: Pick<Evaluators, 'writers' | 'pause'>
  readonly runs: Runs
  readonly jobs: Jobs
  readonly quotedHeldOut: StepsDependencies['quotedHeldOut']
}

export type PromptSearch = ReturnType<typeof createPromptSearch>

/** The owner of what proposals cost. */
export function searchOwner({ id, principal_id }: Pick<SearchRow, 'id' | 'principal_id'>, workspaceId: string): JudgeOwner {
  return { kind: 'search', id, workspaceId, principalId: principal_id }
}

/** Searches prompts on the training cases, then quotes and starts the race on the others. */
export function createPromptSearch(kernel: Kernel, dependencies: SearchDependencies) {
  const { db, clock, ids } = kernel
  const { sessions, quotes, evaluators, runs, jobs } = dependencies
  const steps = createSearchSteps(kernel, dependencies)

  const open = ({ search_id: id }: Input) => {
    const row = findSearch(db, id)
    const session = row && findSessionByNo(db, row.session_no)
    const quote = session && findTuneQuote(db, session.no, row.quote_id, timestamp(clock))
    if (!row || !session || !quote?.optimize) throw new Error(`The prompt search ${id} is gone.`)
    const draft = sessions.approved(session, 'search')
    const cases = readCases(db, session.no, draft.revision, mostCases)
    const { training } = splitCases(cases, draft.objective.seed, quote.optimize.train_share)
    return { row, session, quote, optimize: quote.optimize, draft, training, owner: searchOwner(row, session.workspace_id) }
  }
  type Opened = ReturnType<typeof open>

  /** The terms of the race: the candidates and the prompts that were found, under what the search has left. */
  const raceTerms = ({ quote, owner }: Opened, state: SearchState): { readonly request: NewTuneQuote; readonly state: SearchState } => {
    const found = choosePrompts(scoredOf(state), mostFoundPrompts)
    const [, first] = quote.arms
    const reflections = evaluators.writers.spent(owner)
    const left = (cap: string, spent: bigint) => String(BigInt(cap) > spent ? BigInt(cap) - spent : 0n)
    const candidates = quote.arms.slice(1).map(({ label, model, effort, prompt }) => ({
      label,
      model: modelChoice(model),
      effort,
      ...(prompt && { prompt }),
    }))
    const joined = found.flatMap(({ number, prompt }) =>
      prompt && first
        ? [{ label: `${first.label.slice(0, 80)}, prompt ${number}`, model: modelChoice(first.model), effort: first.effort, prompt }]
        : [],
    )
    const billed = quote.max_provider_billed_microusd
    return {
      state: {
        ...state,
        prompts: state.prompts.map(prompt => ({ ...prompt, races: found.some(({ number }) => number === prompt.number) })),
      },
      request: {
        candidates: [...candidates, ...joined],
        mode: quote.mode,
        max_charge_microusd: left(quote.max_charge_microusd, BigInt(state.charged) + reflections.charged),
        ...(billed !== null && { max_provider_billed_microusd: left(billed, BigInt(state.billed) + reflections.billed) }),
        ...(quote.optimize && { optimize: optimizeOf(quote.optimize) }),
      },
    }
  }
  const end = ({ row, owner }: Opened, status: 'complete' | 'failed' | 'cancelled'): void => {
    endSearch(db, row.id, status, timestamp(clock))
    evaluators.writers.end(owner)
  }

  jobs.register<Input>({
    kind: 'tune_search',
    input: Input,
    lane: 'tuning',
    concurrency: 16,
    run: async (job: JobContext<Input>) => {
      const opened = open(job.input)
      const { row, session, draft } = opened
      job.commit(() => evaluators.writers.forgetOpenCalls(opened.owner))
      const searched = await steps.search(job, opened, stateOf(row))
      if (job.signal.aborted) return
      const { request, state } = raceTerms(opened, searched)
      const race = await quotes.plan(session, draft, request)
      return () => {
        storeSearchState(db, row.id, state)
        end(opened, 'complete')
        race.store()
        const start = { operationKey: row.operation_key, principalId: row.principal_id, owner: job.owner }
        const stored: TuneQuote = { ...race.quote, status: 'open' }
        startArms(kernel, dependencies, session, stored, start)
      }
    },
    pause: ({ input }) => {
      const { row, session, owner } = open(input)
      return evaluators.pause(owner) ?? runs.gated.pause(session.workspace_id, [stateOf(row).runId])
    },
    stored: ({ input }) => {
      const { row, session, owner } = open(input)
      const { calls, runId } = stateOf(row)
      const ended = runId === null ? 0 : (runs.gated.state(session.workspace_id, runId)?.ended ?? 0)
      return calls + ended + evaluators.writers.stored(owner)
    },
    ended: ({ input }, { state, code }) => {
      const opened = open(input)
      const at = timestamp(clock)
      end(opened, state)
      transition(db, tuneSessionMachine, sessionStatus, opened.session.id, state === 'cancelled' ? 'cancel' : 'fail', at, code)
      const { runId } = stateOf(opened.row)
      const { workspace_id: workspaceId } = opened.session
      if (runId !== null)
        db.afterCommit(() => {
          const run = runs.gated.state(workspaceId, runId)
          if (run && !run.isEnded && run.status !== 'cancelling') runs.cancel(workspaceId, runId)
        })
    },
  })

  return {
    /** In the caller's transaction. @throws ApiError insufficient_credit, spend_ceiling_reached */
    begin: (session: SessionRow, quote: TuneQuote, { operationKey, principalId, owner }: GroupStart): void => {
      const id = ids.next()
      const workspaceId = session.workspace_id
      const subject = { type: 'tune_session', id: session.id }
      const jobId = jobs.enqueue('tune_search', { workspaceId, owner, input: { search_id: id }, subject })
      const row = { id, sessionNo: session.no, quoteId: quote.id, operationKey, principalId, jobId, createdAt: timestamp(clock) }
      insertSearch(db, row)
      evaluators.writers.begin(searchOwner({ id, principal_id: principalId }, workspaceId), steps.writingHold(workspaceId, quote))
    },
  }
}

function modelChoice({ connection_id, route_id }: TuneQuote['arms'][number]['model']): NewTuneQuote['candidates'][number]['model'] {
  return connection_id === null ? { kind: 'managed', route_id: route_id ?? '' } : { kind: 'connection', connection_id }
}

function optimizeOf(planned: NonNullable<TuneQuote['optimize']>): NonNullable<NewTuneQuote['optimize']> {
  const { reflection_model, reflection_effort, train_share, max_calls } = planned
  return { reflection_model, reflection_effort, train_share, max_calls }
}
