import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { TuneObjective } from '../../contract/tuning/draft.schemas.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { usePatchDraft } from './tuning.queries.ts'
import { confidenceText, marginText } from './tuning-words.ts'

/** What counts as not worse: a form while the session is a draft. */
export function ObjectiveEditor({ session }: { readonly session: TuneSession }) {
  const { margin, confidence, max_latency_ms: latency, planned_groups: groups, better_price_factor: factor, seed } = session.draft.objective
  if (session.status === 'draft') return <ObjectiveForm session={session} />
  return (
    <KeyValues
      items={{
        'Acceptable loss': `${marginText(margin)} at ${confidenceText(confidence)} confidence`,
        'Latency limit': latency === undefined ? null : `p95 of ${formatCount(latency)} ms`,
        'Better calls': factor === undefined ? 'Cheaper calls only' : `Up to ${factor} times today’s price per case`,
        'Planned groups': formatCount(groups),
        Seed: String(seed),
      }}
    />
  )
}

/** Empty fields are null. */
interface Typed {
  readonly points: number | null
  readonly percent: number | null
  readonly latency: number | null
  readonly groups: number | null
  readonly factor: number | null
  readonly seed: number | null
}

function ObjectiveForm({ session }: { readonly session: TuneSession }) {
  const { objective } = session.draft
  const patch = usePatchDraft(session)
  const [typed, setTyped] = useState<Typed>({
    points: round(100 * objective.margin),
    percent: round(100 * objective.confidence),
    latency: objective.max_latency_ms ?? null,
    groups: objective.planned_groups,
    factor: objective.better_price_factor ?? null,
    seed: objective.seed,
  })
  const field = (name: keyof Typed) => ({
    value: typed[name] ?? '',
    onChange: (value: number | string) => setTyped({ ...typed, [name]: typeof value === 'number' ? value : null }),
  })
  const next = TuneObjective.safeParse({
    margin: typed.points === null ? null : typed.points / 100,
    confidence: typed.percent === null ? null : typed.percent / 100,
    ...(typed.latency !== null && { max_latency_ms: typed.latency }),
    planned_groups: typed.groups,
    ...(typed.factor !== null && { better_price_factor: typed.factor }),
    seed: typed.seed,
  })
  const blocked = !next.success
    ? 'Enter a loss between 0 and 100 points, a confidence of 50 to 99.99 %, and at least one group.'
    : JSON.stringify(next.data) === JSON.stringify(TuneObjective.parse(objective))
      ? 'There are no changes to save.'
      : null
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        if (next.success && blocked === null) patch.mutate({ objective: next.data })
      }}
    >
      <div className="tuning-fields">
        <NumberInput
          label="Acceptable loss (points)"
          description="Largest loss of quality, of 100"
          min={0.1}
          max={99}
          decimalScale={2}
          {...field('points')}
        />
        <NumberInput label="Confidence (%)" description="Of a recommendation" min={50} max={99.99} decimalScale={2} {...field('percent')} />
        <NumberInput
          label="Latency limit (ms)"
          description="p95 of a recommended call"
          placeholder="None"
          min={1}
          allowDecimal={false}
          {...field('latency')}
        />
        <NumberInput
          label="Planned groups"
          description="The error rate is split over them"
          min={1}
          max={20}
          allowDecimal={false}
          {...field('groups')}
        />
        <NumberInput
          label="Price of a better call"
          description="Times today’s, per case; empty: cheaper only"
          placeholder="Cheaper only"
          min={1}
          max={100}
          decimalScale={2}
          {...field('factor')}
        />
        <NumberInput label="Seed" description="Orders the cases" min={0} allowDecimal={false} {...field('seed')} />
      </div>
      {patch.isError ? <FailureMessage title="Couldn’t save the objective" error={patch.error} /> : null}
      <div className="row">
        <ReasonedButton type="submit" variant="default" loading={patch.isPending} blocked={blocked}>
          Save objective
        </ReasonedButton>
      </div>
    </form>
  )
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
