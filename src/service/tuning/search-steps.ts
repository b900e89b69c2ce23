import { ApiError } from '../../contract/errors.ts'
import { describeContent } from '../../contract/messages/message-text.ts'
import { caseFiles, caseText } from '../../contract/tuning/case-input.ts'
import type { TuneCase } from '../../contract/tuning/draft.schemas.ts'
import type { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import type { TuneOptimize, TunePrompt } from '../../contract/tuning/search.schemas.ts'
import {
  drawFailures,
  drawParent,
  type Failure,
  meanScore,
  readProposal,
  reflectionPrompt,
  type ScoredPrompt,
} from '../../engine/reporting/tuning/search-prompts.ts'
import { mulberry32 } from '../../engine/statistics/random.ts'
import { sampleId } from '../../storage/sample-id.ts'
import { asApiError, type Evaluators, type JudgeHold, type JudgeOwner } from '../evaluators/index.ts'
import type { JobContext } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import { WorkLimitError } from '../../workers/bounded-pool.ts'
import type { Workers } from '../../workers/pool.ts'
import type { PlannedArm } from './plan-arms.ts'
import type { TuneQuotes } from './quotes.ts'
import { mostProposals, searchShare, shownFailures, writingShare } from './search-limits.ts'
import { type SearchRow, type SearchState, storeSearchState } from './searches.store.ts'
import type { ApprovedDraft } from './sessions.service.ts'
import type { SessionRow } from './sessions.store.ts'
import { endedOrGivenUp } from './stalled-runs.ts'

export interface SearchContext {
  readonly row: SearchRow
  readonly session: SessionRow
  readonly quote: TuneQuote
  readonly optimize: TuneOptimize
  readonly draft: ApprovedDraft
  readonly training: readonly TuneCase[]
  readonly owner: JudgeOwner
}

type Job = JobContext<{ search_id: string }>
type Tried = SearchState['prompts'][number]

/** Prompts with a score on the training cases. */
export function scoredOf({ prompts }: SearchState): (Tried & ScoredPrompt)[] {
  return prompts.flatMap(prompt => (prompt.scores === null ? [] : [{ ...prompt, scores: prompt.scores }]))
}

export interface StepsDependencies {
  readonly quotes: TuneQuotes
  readonly evaluators: Pick<Evaluators, 'writers'>
  readonly runs: Runs
  readonly quotedHeldOut: Workers['quotedHeldOut']
}

/** The loop after GEPA: each step is stored before the next begins, so that a kill repeats at most calls in flight. */
export function createSearchSteps(kernel: Kernel, { quotes, evaluators, runs, quotedHeldOut }: StepsDependencies) {
  const { db } = kernel
  const writers = evaluators.writers
  /** What proposals may cost, in micro-USD. Null: their provider's bill is not limited. */
  const writingCaps = (workspaceId: string, { optimize, max_charge_microusd: cap, max_provider_billed_microusd: billed }: TuneQuote) => {
    if (!optimize) return { wallet: 0n, provider: 0n, isPriced: true }
    const { reflection_model: model, reflection_effort: effort } = optimize
    const loc = ['body', 'optimize', 'reflection_model']
    const { payer, rates } = writers.facts(workspaceId, { model, effort, temperature: null }, loc)
    const share = (amount: string) => BigInt(amount) / searchShare / writingShare
    return {
      wallet: payer === 'wallet' ? share(cap) : 0n,
      provider: payer === 'wallet' ? 0n : billed === null ? null : share(billed),
      isPriced: rates !== null,
    }
  }

  const store = (job: Job, { row, optimize }: SearchContext, state: SearchState): SearchState => {
    job.commit(() => storeSearchState(db, row.id, state))
    job.progress({ done: Math.min(state.calls, optimize.max_calls), total: optimize.max_calls })
    return state
  }
  /** What runs of the search may still cost. */
  const capsOf = ({ session, quote }: SearchContext, state: SearchState) => {
    const writing = writingCaps(session.workspace_id, quote)
    const wallet = BigInt(quote.max_charge_microusd) / searchShare - writing.wallet - BigInt(state.charged)
    const billed = quote.max_provider_billed_microusd
    const provider = billed === null ? null : BigInt(billed) / searchShare - (writing.provider ?? 0n) - BigInt(state.billed)
    return { wallet: wallet > 0n ? wallet : 0n, provider: provider !== null && provider < 0n ? 0n : provider }
  }
  /** Scores of one prompt on some training cases: an ordinary run, begun and counted once. */
  const evaluate = async (job: Job, context: SearchContext, state: SearchState, prompt: TunePrompt | null, places: readonly number[]) => {
    const { session, draft, training, row, quote } = context
    const workspaceId = session.workspace_id
    let runId = state.runId
    if (runId === null) {
      const [, first] = quote.arms
      if (!first) throw new Error(`The quote ${quote.id} has no candidate.`)
      const { connection_id, route_id } = first.model
      const model: PlannedArm['model'] =
        connection_id === null ? { kind: 'managed', route_id: route_id ?? '' } : { kind: 'connection', connection_id }
      const arm: PlannedArm = { label: first.label, model, effort: first.effort, prompt }
      const ids = places.flatMap(place => training[place]?.id ?? [])
      const { id: quoteId } = await quotes.quoteCases(session, draft, arm, ids)
      runId = job.commit(() => {
        const name = `${session.name}: prompt search`.slice(0, 200)
        const caps = capsOf(context, state)
        const by = { principalId: row.principal_id, scope: 'tuning:write' } as const
        const { run } = runs.submit({ workspaceId, ...by, operationKey: null, quoteId, name, caps })
        storeSearchState(db, row.id, { ...state, runId: run.id })
        return run.id
      })
    }
    await endedOrGivenUp(kernel, runs, workspaceId, runId, job.signal)
    job.signal.throwIfAborted()
    const ended = runs.gated.state(workspaceId, runId)
    const evaluatorVersionId = quotes.evaluatorOf(workspaceId, draft)
    const values = runs.gated.outcomes(workspaceId, runId, places.length, evaluatorVersionId).map(({ value }) => value)
    if (values.every(value => value === null))
      throw new ApiError('conflict', `No answer of the prompt search has a score. ${ended?.stopReason ?? 'Open its run to see why.'}`)
    const next: SearchState = {
      ...state,
      runId: null,
      calls: state.calls + (ended?.asked ?? places.length),
      charged: state.charged + Number(ended?.charged ?? 0n),
      billed: state.billed + Number(ended?.billed ?? 0n),
    }
    return { values, runId, next }
  }
  const failuresOf = ({ session, training }: SearchContext, { training_run_id: runId }: Tried, places: readonly number[]): Failure[] =>
    places.flatMap(place => {
      const one = training[place]
      if (!one || runId === null) return []
      const { output, error, score_details: scores } = runs.sample(session.workspace_id, runId, sampleId(runId, place))
      const expected = one.expected === null ? '' : [one.expected].flat().join(' or ')
      const grade = scores.map(({ explanation }) => explanation).join('\n')
      const input = Array.isArray(one.input) ? describeContent(one.input) : caseText(one.input)
      return [{ input, files: caseFiles(one.input), expected, output: output ?? error?.message ?? '', grade }]
    })

  /** The prompt that the search begins with, on all training cases. */
  const begin = async (job: Job, context: SearchContext, state: SearchState): Promise<SearchState> => {
    const { quote, training } = context
    const prompt = quote.arms[1]?.prompt ?? null
    const { values, runId, next } = await evaluate(job, context, state, prompt, [...training.keys()])
    const start: Tried = {
      number: 0,
      prompt,
      parent: null,
      outcome: 'start',
      detail: 'The prompt of the candidate.',
      scores: values,
      races: false,
      training_run_id: runId,
    }
    return store(job, context, { ...next, prompts: [start] })
  }
  const promptOf = ({ draft }: SearchContext, { prompt }: Tried): TunePrompt =>
    prompt ?? { system_prompt: draft.call.system_prompt, prompt_template: draft.call.prompt_template }

  /** A prompt that holds the race's cases would win it by knowing them. */
  const withoutHeldOut = async <Proposal extends { readonly template: string }>(
    proposal: Proposal,
    { draft, optimize, session }: SearchContext,
    known: readonly string[],
    signal: AbortSignal,
  ): Promise<Proposal | { readonly problem: string; readonly isLast?: boolean }> => {
    const { revision, objective } = draft
    const cases = { sessionNo: session.no, revision, seed: objective.seed, trainShare: optimize.train_share }
    try {
      const id = await quotedHeldOut({ ...cases, proposal: proposal.template, known }, signal)
      return id === null ? proposal : { problem: `The proposed prompt quotes the held-out case "${id}", so it was not tried.` }
    } catch (error) {
      if (!(error instanceof WorkLimitError)) throw error
      // The cases are the same for each proposal, which is paid for before.
      const problem = `The proposed prompt could not be compared with the held-out cases, so it was not tried and the search ended. ${error.message}`
      return { problem, isLast: true }
    }
  }

  /** Null: there is nothing left to try, or no budget for it. */
  const propose = async (job: Job, context: SearchContext, state: SearchState): Promise<SearchState | null> => {
    const { draft, optimize, owner, quote, session, training } = context
    const number = state.prompts.length
    const cost = 1 + shownFailures + training.length
    if (state.isClosed || number > mostProposals || state.calls + cost > optimize.max_calls) return null
    const random = mulberry32(draft.objective.seed * 1000 + number)
    const parent = drawParent(scoredOf(state), random)
    if (parent === null) return null
    const failures = drawFailures(parent, shownFailures, random)
    const { system_prompt, prompt_template: template } = promptOf(context, parent)
    const reply = await writers
      .ask(
        { owner, ...writingCaps(session.workspace_id, quote), signal: job.signal },
        `proposal ${number}`,
        { model: optimize.reflection_model, effort: optimize.reflection_effort, temperature: null },
        draw => reflectionPrompt(template, failuresOf(context, parent, failures), draw),
      )
      .catch(asApiError)
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'spending_limit_reached') return null
        throw error
      })
    if (reply === null) return null
    const calls = state.calls + 1
    const known = state.prompts.map(prompt => promptOf(context, prompt).prompt_template)
    const read = readProposal(reply, known)
    const proposal = 'template' in read ? await withoutHeldOut(read, context, known, job.signal) : read
    if ('problem' in proposal) {
      const isClosed = 'isLast' in proposal && proposal.isLast === true
      return store(job, context, tried({ ...state, calls, isClosed }, null, parent.number, 'unusable', proposal.problem))
    }
    const prompt: TunePrompt = { system_prompt, prompt_template: proposal.template }
    return store(job, context, { ...state, calls, proposal: { prompt, parent: parent.number, failures, isBetter: false } })
  }
  /** On the failures first; only a proposal that does better there is scored on all training cases. */
  const tryProposal = async (job: Job, context: SearchContext, state: SearchState): Promise<SearchState> => {
    const { proposal } = state
    if (!proposal) return state
    const { prompt, parent, failures } = proposal
    if (!proposal.isBetter) {
      const { values, next } = await evaluate(job, context, state, prompt, failures)
      const before = state.prompts[parent]?.scores ?? []
      const was = meanScore(failures.map(place => before[place] ?? null))
      if (meanScore(values) > was) return store(job, context, { ...next, proposal: { ...proposal, isBetter: true } })
      const detail = `Not better than prompt ${parent} on ${failures.length} of its failures.`
      return store(job, context, tried({ ...next, proposal: null }, prompt, parent, 'not_better', detail))
    }
    const { values, runId, next } = await evaluate(job, context, state, prompt, [...context.training.keys()])
    const detail = `Better than prompt ${parent} on its failures.`
    return store(
      job,
      context,
      tried({ ...next, proposal: null }, prompt, parent, 'kept', detail, { scores: values, training_run_id: runId }),
    )
  }

  return {
    /** What is set aside for proposals. */
    writingHold: (workspaceId: string, quote: TuneQuote): JudgeHold => {
      const { wallet, provider, isPriced } = writingCaps(workspaceId, quote)
      return { wallet, provider: isPriced ? provider : null }
    },
    search: async (job: Job, context: SearchContext, first: SearchState): Promise<SearchState> => {
      let state = first
      if (state.prompts.length === 0) state = await begin(job, context, state)
      while (!job.signal.aborted) {
        if (state.proposal) {
          state = await tryProposal(job, context, state)
          continue
        }
        const next = await propose(job, context, state)
        if (next === null) return state
        state = next
      }
      return state
    },
  }
}

function tried(
  state: SearchState,
  prompt: TunePrompt | null,
  parent: number,
  outcome: Tried['outcome'],
  detail: string,
  scored: Pick<Tried, 'scores' | 'training_run_id'> = { scores: null, training_run_id: null },
): SearchState {
  return {
    ...state,
    prompts: [...state.prompts, { number: state.prompts.length, prompt, parent, outcome, detail, races: false, ...scored }],
  }
}
