import { Button } from '@mantine/core'
import type { FormEvent } from 'react'
import { ServiceError } from '../../contract/client.ts'
import type { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { TriedEvaluator, TryEvaluator } from '../../contract/evaluators/evaluators.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useConnections } from '../connections/models.queries.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Money } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { describeJudgeTime, judgeTimeMs } from './judge-time.ts'
import type { PreviewExample } from './use-pins.ts'
import { type TrialOutcome, trialKey, type useTrials } from './use-trials.ts'

type Asking = Exclude<TriedEvaluator, { readonly kind: 'verdict' }>

interface RunTrialsProps {
  readonly trials: ReturnType<typeof useTrials>
  readonly definition: EvaluatorDefinition
  readonly bodies: readonly TryEvaluator[]
  /** What each output would be asked with. */
  readonly asking: readonly Asking[]
  /** The spending limit as it was typed, which outlasts a change of the definition. */
  readonly dollars: string
  readonly onDollars: (dollars: string) => void
}

/** Calls, price and time before; then how far the run has come. */
export function RunTrials({ trials, definition, bodies, asking, dollars, onDollars }: RunTrialsProps) {
  const connections = useConnections()
  const perOutput = Math.max(...asking.map(one => (one.kind === 'prompt' ? one.model_calls_per_output : 1)))
  const price = sumOf(asking, one => (one.kind === 'prompt' ? one.estimated_microusd : '0'))
  const most = sumOf(asking, one => (one.kind === 'prompt' ? one.upper_bound_microusd : '0'))
  const limitRules = { empty: most === null ? 'None' : typedDollars(most), above: '0' }
  const limit = readDollars(dollars, limitRules)
  const outcomes = bodies.map(body => trials.outcomes.get(trialKey(body)))
  const done = outcomes.flatMap(outcome => (outcome?.kind === 'graded' ? [outcome.trial] : []))
  const failed = outcomes.find(outcome => outcome?.kind === 'failed')
  const asked = failed?.kind === 'failed' && isLimitMissing(failed.error)
  const times = judgeTimeMs(definition, perOutput, connections.data ?? [])
  const remote = asking[0]?.kind === 'request'
  const calls = perOutput * bodies.length
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (limit.error === null && !trials.isRunning) void trials.run(bodies, limit.amount ?? (most === '0' ? null : most))
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <div className="row" style={{ alignItems: 'flex-end' }}>
        {most === '0' ? null : (
          <DollarField
            label="Spending limit"
            description={most === null ? 'Required if calls have a known price' : 'Empty: the most it can cost'}
            rules={limitRules}
            value={dollars}
            error={asked && dollars.trim() === '' ? 'Required: the judge’s calls cost money' : null}
            onChange={onDollars}
          />
        )}
        <ReasonedButton type="submit" loading={trials.isRunning} blocked={limit.error === null ? null : 'Correct the spending limit.'}>
          {bodies.length === 1 ? 'Run on this one' : `Run on these ${bodies.length}`}
        </ReasonedButton>
        {trials.isRunning ? (
          <Button variant="default" onClick={trials.stop}>
            Stop
          </Button>
        ) : null}
      </div>
      <span className="num small">
        {formatCount(calls)} {calls === 1 ? 'call' : 'calls'}
        {remote ? (
          ' of the remote scorer'
        ) : (
          <>
            {' '}
            · {describeJudgeTime(times === null ? null : times * bodies.length)} · <Money microUsd={price} within />
          </>
        )}
      </span>
      <output className="num small quiet">
        {trials.concerns(bodies) || done.length > 0 ? (
          <>
            {trials.isRunning ? 'Running' : trials.isStopped ? 'Stopped' : failed ? 'Failed' : 'Finished'}: {done.length} of {bodies.length}{' '}
            graded · {formatCount(done.reduce((sum, { spending }) => sum + spending.calls, 0))} calls ·{' '}
            <Money
              microUsd={sumOf(done, ({ spending }) =>
                String(BigInt(spending.charged_microusd) + BigInt(spending.provider_billed_microusd)),
              )}
            />
            {trials.isStopped && !trials.isRunning ? '. The provider may bill the call that was stopped' : ''}
          </>
        ) : null}
      </output>
    </form>
  )
}

interface TrialResultProps {
  readonly outcome: TrialOutcome | undefined
  /** People's label of the example. */
  readonly label: PreviewExample['label'] | null
}

/** What came of one output, beside it. */
export function TrialResult({ outcome, label }: TrialResultProps) {
  if (outcome === undefined) return null
  if (outcome.kind === 'waiting') return <StatusBadge status={{ word: 'Waiting for the verdict', tone: 'running' }} />
  if (outcome.kind === 'failed')
    return isLimitMissing(outcome.error) ? null : <ErrorState error={outcome.error} title="Couldn’t grade this output" reportable={false} />
  const { value, class: name, explanation, votes } = outcome.trial
  return (
    <section className="stack" aria-label="Result" style={{ gap: 4 }}>
      <Verdict value={value} name={name} label={label} />
      {votes.some(({ reason }) => reason === explanation) || (votes.length > 0 && name !== 'unscored') ? null : (
        <UntrustedText text={explanation} layout="prose" />
      )}
      {votes.map(({ judge, vote, verdict, reason }) => (
        <div key={`${judge}-${vote}`} className="small">
          <span className="quiet">{votes.length === 1 ? 'Reply ' : `Judge ${judge + 1} `}</span>
          <b>{verdict ?? 'no verdict'}</b> · <UntrustedText text={reason} layout="prose" />
        </div>
      ))}
    </section>
  )
}

interface VerdictProps {
  readonly value: number | null
  readonly name: EvaluatorClass
  readonly label?: PreviewExample['label'] | null
}

/** What an evaluator says of an output, and whether people say the same. */
export function Verdict({ value, name, label = null }: VerdictProps) {
  const tone = name === 'correct' ? 'pass' : name === 'wrong' ? 'fail' : 'warn'
  const labeled = label === 'pass' ? 'correct' : label === 'fail' ? 'wrong' : null
  return (
    <div className="row">
      <StatusBadge status={{ word: name, tone }} />
      {value === null ? null : <span className="num">{value.toFixed(3)}</span>}
      {labeled === null || value === null || name === 'partial' ? null : (
        <span className="quiet small">{labeled === name ? 'agrees with the label' : 'disagrees with the label'}</span>
      )}
    </div>
  )
}

type EvaluatorClass = Extract<TriedEvaluator, { readonly kind: 'verdict' }>['class']

function isLimitMissing(error: Error): boolean {
  return error instanceof ServiceError && error.detail.some(({ loc, type }) => type === 'missing' && loc.includes('max_charge_microusd'))
}

/** Null where one of them is unknown. */
function sumOf<T>(all: readonly T[], of: (one: T) => string | null): string | null {
  const known = all.map(of)
  return known.some(one => one === null) ? null : String(known.reduce((sum, one) => sum + BigInt(one ?? 0), 0n))
}
