import { Progress } from '@mantine/core'
import { Pareto, paretoTable } from '../../charts/pareto.ts'
import type { TuneCall } from '../../contract/tuning/draft.schemas.ts'
import type { TuneArm, TuneGroup } from '../../contract/tuning/race.schemas.ts'
import { recommendedCall } from '../../contract/tuning/recommended-call.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { Money } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { CallFacts } from './call-editor.tsx'
import { FailedArms } from './failed-arms.tsx'
import { RaceArms } from './race-arms.tsx'
import { RaceLooks } from './race-looks.tsx'
import { costPerCase, groupStatuses } from './tuning-words.ts'
import { writeSnippet } from './write-snippet.ts'

/** A run group while it races and after: conclusion first, then what it rests on. */
export function RaceGroup({ session, group }: { readonly session: TuneSession; readonly group: TuneGroup }) {
  const { conclusion, looks, looks_done: done, saved, status } = group
  return (
    <>
      {conclusion ? <Conclusion group={group} call={session.draft.call} /> : null}
      {status === 'failed' || status === 'partial' ? <FailedArms session={session} group={group} /> : null}
      <Section title={`Group ${group.number}`} aside={<StatusBadge status={groupStatuses[status]} />}>
        {status === 'running' ? (
          <Progress value={(100 * done) / looks.length} size="sm" aria-label={`${done} of ${looks.length} looks done`} />
        ) : null}
        <KeyValues
          items={{
            Looks: `${formatCount(done)} of ${formatCount(looks.length)}${looks.length > 1 ? ` (at ${looks.map(formatCount).join(', ')} cases)` : ', at the end'}`,
            Charged: (
              <>
                <Money microUsd={group.charged_microusd} /> of <Money microUsd={group.max_charge_microusd} />
              </>
            ),
            'Billed by providers': <Money microUsd={group.provider_billed_microusd} />,
            Saved: (
              <>
                {formatCount(saved.calls)} calls
                {saved.microusd === null ? null : (
                  <>
                    , <Money microUsd={String(Math.round(Number(saved.microusd)))} />
                  </>
                )}
              </>
            ),
            Note: group.exploratory ? 'Exploratory: beyond the planned groups, so its error rate is not controlled.' : null,
          }}
        />
        <RaceArms group={group} />
      </Section>
      <RaceLooks group={group} />
    </>
  )
}

function Conclusion({ group, call }: { readonly group: TuneGroup; readonly call: TuneCall | null }) {
  const { conclusion } = group
  if (!conclusion) return null
  const arm = group.arms.find(({ label }) => label === conclusion.recommended)
  const plot = {
    title: 'Quality and cost',
    takesLabel: 'cost per case',
    format: (microUsd: number) => costPerCase(String(microUsd)),
    points: group.arms.map((one, i) => ({
      label: one.current ? `${one.label} (today)` : one === arm ? `${one.label} (recommended)` : one.label,
      n: one.quality.n,
      mean: one.quality.mean,
      low: one.quality.interval?.low ?? null,
      high: one.quality.interval?.high ?? null,
      takes: one.cost_per_case_microusd === null ? null : Number(one.cost_per_case_microusd),
      onFront: !group.arms.some(other => beats(other, one)),
      series: one.current ? ('baseline' as const) : i - 1,
    })),
  }
  return (
    <>
      <Section title="Result">
        <p className="tuning-sentence">
          <UntrustedText text={conclusion.text} layout="prose" />
        </p>
        {conclusion.cautions.length > 0 ? (
          <Notice tone="warn" title="Keep in mind">
            {conclusion.cautions.join(' ')}
          </Notice>
        ) : null}
        <ChartFigure table={paretoTable(plot)}>{width => <Pareto {...plot} width={width} />}</ChartFigure>
      </Section>
      {arm && call ? <RecommendedCall call={call} arm={arm} /> : null}
    </>
  )
}

/** At least as good and as cheap, and better in one of the two. */
function beats(one: TuneArm, other: TuneArm): boolean {
  const [quality, cost] = [(one.quality.mean ?? 0) - (other.quality.mean ?? 0), costOf(other) - costOf(one)]
  return quality >= 0 && cost >= 0 && quality + cost > 0
}

function costOf({ cost_per_case_microusd: cost }: TuneArm): number {
  return cost === null ? Number.MAX_VALUE : Number(cost)
}

/** The call to paste: the code that was pasted with what is recommended in it, else its model, settings and prompts. */
function RecommendedCall({ call, arm }: { readonly call: TuneCall; readonly arm: TuneArm }) {
  const recommended = recommendedCall(call, arm)
  const { source, ...settings } = recommended
  const change = { model: arm.model.model, effort: arm.effort, prompt: arm.prompt }
  const written = source.snippet === undefined ? null : writeSnippet(source.snippet, change)
  const json = JSON.stringify(settings, null, 2)
  const text = written?.code ?? json
  const prompt = written !== null && arm.prompt !== null ? JSON.stringify(arm.prompt, null, 2) : null
  return (
    <Section title="Recommended call" aside={<CopyButton value={text} what="recommended call" />}>
      {written === null ? (
        <>
          <CallFacts call={recommended} />
          <details>
            <summary>As JSON</summary>
            <UntrustedText text={json} layout="block" />
          </details>
        </>
      ) : (
        <UntrustedText text={written.code} layout="block" />
      )}
      {written === null || written.left.length === 0 ? null : (
        <ul className="tuning-list" aria-label="Still to change">
          {written.left.map(step => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      )}
      {prompt === null ? null : <UntrustedText text={prompt} layout="block" />}
    </Section>
  )
}
