import type { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import { armReasons, type TuneArm, type TuneGroup } from '../../contract/tuning/race.schemas.ts'
import { measureArm } from '../../engine/reporting/tuning/measure-arm.ts'
import type { Runs, RunState } from '../runs/index.ts'
import { describeMissing } from './describe-missing.ts'
import type { GroupArm, GroupRow } from './groups.store.ts'
import { outagePatienceMs } from './stalled-runs.ts'

const nothing = measureArm({ outcomes: [], priced: false }, null, null, 0)

/** A run group as readers see it: stored verdicts and figures, beside what its runs are now. */
export function describeGroup(runs: Pick<Runs, 'gated'>, workspaceId: string, row: GroupRow, quote: TuneQuote): TuneGroup {
  const states = row.arms.map(({ runId }) => runs.gated.state(workspaceId, runId))
  const looksDone = row.status === 'running' ? row.look : Math.max(0, ...row.arms.flatMap(({ looks }) => looks.map(({ look }) => look)))
  const sum = (of: (state: RunState) => bigint) => states.reduce((total, state) => total + (state ? of(state) : 0n), 0n)
  return {
    id: row.id,
    number: row.number,
    quote_id: row.quoteId,
    mode: quote.mode,
    status: row.status,
    exploratory: quote.exploratory,
    alpha: quote.alpha,
    margin: quote.margin,
    cases: quote.cases,
    looks: quote.looks,
    looks_done: looksDone,
    arms: row.arms.map((arm, i) => describeArm(arm, quote, states[i] ?? null)),
    max_charge_microusd: quote.max_charge_microusd,
    charged_microusd: String(sum(state => state.charged)),
    provider_billed_microusd: states.every(state => state?.priced) ? String(sum(state => state.billed)) : null,
    saved: savings(row.arms, states, quote.cases),
    conclusion: row.conclusion,
    job_id: row.jobId,
    started_at: row.startedAt,
    finished_at: row.finishedAt,
  }
}

function describeArm({ arm, label, runId, verdict, reason, looks, figures }: GroupArm, quote: TuneQuote, state: RunState | null): TuneArm {
  const quoted = quote.arms[arm]
  if (!quoted) throw new Error(`The quote ${quote.id} has no arm ${arm}.`)
  const current = arm === 0
  const why = current ? null : (reason ?? 'pending')
  const missing = reason === 'missing' ? describeMissing(state) : ''
  return {
    label,
    current,
    model: quoted.model,
    effort: quoted.effort,
    prompt: quoted.prompt,
    run_id: runId,
    run_status: runStatus(state),
    cases_run: state?.asked ?? 0,
    unreachable: state?.outage ? describeOutage(state.outage) : null,
    verdict: current ? null : (verdict ?? 'undecided'),
    reason: why,
    detail: why && armReasons[why] + missing,
    ...(figures ?? { ...nothing, difference: null }),
    looks: [...looks],
    charged_microusd: String(state?.charged ?? 0n),
    provider_billed_microusd: state?.priced ? String(state.billed) : null,
  }
}

function runStatus(state: RunState | null): string {
  if (!state) return 'deleted'
  return state.isEnded && state.stopCode === 'decided_early' ? 'stopped_early' : state.status
}

function describeOutage({ since, message }: NonNullable<RunState['outage']>): TuneArm['unreachable'] {
  return { since: new Date(since).toISOString(), message, until: new Date(since + outagePatienceMs).toISOString() }
}

/** What arms whose runs ended were spared, by their own measured cost. */
function savings(arms: readonly GroupArm[], states: readonly (RunState | null)[], cases: number): TuneGroup['saved'] {
  let calls = 0
  let cost: number | null = 0
  for (const [i, { figures }] of arms.entries()) {
    const state = states[i]
    if (!state?.isEnded) continue
    const spared = Math.max(0, cases - state.asked)
    calls += spared
    const each = figures?.cost_per_case_microusd ?? null
    cost = cost === null || (each === null && spared > 0) ? null : cost + spared * Number(each ?? 0)
  }
  return { calls, microusd: cost === null ? null : String(Math.round(cost)) }
}
