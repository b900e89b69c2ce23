import { noticeLabel } from '../../contract/runs/call-notes.ts'
import { failureLabel } from '../../contract/runs/failure-labels.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { AnnotationsView } from '../annotations/annotations-view.tsx'
import { Verdicts } from '../annotations/verdicts.tsx'
import { TextViewSwitch } from '../markdown/text-view-switch.tsx'
import { AnswerDiff } from './answer-diff.tsx'
import { Attempts } from './attempts.tsx'
import { CachedBadge } from './cached-badge.tsx'
import { Episode } from './episode.tsx'
import { Expected } from './expected.tsx'
import { Prompt } from './prompt.tsx'
import { AnswerFiles } from './answer-files.tsx'
import { Output } from './output.tsx'
import { Reasoning } from './reasoning.tsx'
import { ScoreDetails } from './score-details.tsx'
import { ExampleLink } from './example-link.tsx'
import { VerdictBar } from './verdict-bar.tsx'

interface TranscriptProps {
  readonly sample: SampleDetail
  readonly run: Run
}

/** Transcript of one sample: prompt, output, reference, scores and attempts. */
export function Transcript({ sample, run }: TranscriptProps) {
  const profile = run.profiles.find(one => one.profile_id === sample.profile_id)
  const primaryId = profile?.metrics.find(metric => metric.primary)?.id
  return (
    <>
      <VerdictBar sample={sample} primaryId={primaryId} />
      <div className="samples-summary">
        <span className="num">{formatDuration(sample.latency_ms)}</span>
        <span className="num">
          {sample.input_tokens === null ? '–' : formatCount(sample.input_tokens)} tokens in,{' '}
          {sample.output_tokens === null ? '–' : formatCount(sample.output_tokens)} out
        </span>
        {sample.finish_reason === null ? null : (
          <span>
            ended by <UntrustedText text={sample.finish_reason} layout="inline" />
          </span>
        )}
        {sample.cached ? <CachedBadge /> : null}
        <RelativeTime at={sample.finished_at} />
        <TextViewSwitch />
      </div>
      {sample.error ? (
        <p className="samples-error">
          <UntrustedText text={sample.error.message} layout="prose" /> <span className="quiet">{failureLabel(sample.error.code)}</span>
        </p>
      ) : null}
      {sample.notices.length > 0 ? (
        <ul className="samples-notices" aria-label="Notices">
          {sample.notices.map(({ code, message }) => (
            <li key={code}>
              <StatusBadge status={{ word: noticeLabel(code), tone: 'warn' }} /> <UntrustedText text={message} layout="prose" />
            </li>
          ))}
        </ul>
      ) : null}
      {sample.episode ? (
        <>
          <Episode episode={sample.episode} />
          <Reasoning reasoning={sample.reasoning} />
        </>
      ) : (
        <>
          <Section title="Prompt as sent">
            <Prompt messages={sample.messages} run={run} />
          </Section>
          <Reasoning reasoning={sample.reasoning} />
          <Output output={sample.output} details={sample.score_details} />
          <AnswerFiles attempts={sample.attempt_log} />
          <Expected targets={sample.targets} choices={sample.choices} />
          <AnswerDiff answer={sample.scores.find(score => score.metric === primaryId)?.answer ?? null} target={sample.targets[0]} />
        </>
      )}
      <Section title="Scores">
        <ScoreDetails details={sample.score_details} primaryId={primaryId} />
      </Section>
      {run.part_of === null ? (
        <Section title="Notes and tags">
          <AnnotationsView target={{ runId: run.id, sampleId: sample.id }} />
        </Section>
      ) : null}
      <Section title="Human verdicts">
        <Verdicts runId={sample.run_id} sampleId={sample.id} />
      </Section>
      <Section title="Attempts">
        <Attempts attempts={sample.attempt_log} />
      </Section>
      <Section title="Identity">
        <KeyValues
          items={{
            Task: <UntrustedText text={sample.task_id} layout="prose" />,
            Profile: <UntrustedText text={sample.profile_id} layout="prose" />,
            Position: `${formatCount(sample.position + 1)}, epoch ${sample.epoch}`,
            Example: sample.example ? <ExampleLink example={sample.example} /> : null,
            Sample: <Identifier value={sample.id} what="sample id" shown={36} />,
          }}
        />
      </Section>
    </>
  )
}
