import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import type { ComparedRun, ComparedTask, SampleDetail } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Expected } from '../samples/expected.tsx'
import { LongText } from '../samples/long-text.tsx'
import { Reasoning } from '../samples/reasoning.tsx'
import { sampleQuery } from '../samples/samples.queries.ts'
import { Verdict } from '../samples/verdict.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { DiffedText } from './diffed-text.tsx'
import type { Contender } from './use-contender.ts'
import { diffWords } from './word-diff.ts'
import { describeContent } from '../../contract/messages/message-text.ts'
import { Messages } from '../samples/messages.tsx'

interface SidesProps {
  readonly task: ComparedTask
  readonly contender: Contender
}

/** Prompt, expectation and the two answers of the first epoch. */
export function Sides({ task, contender: { baseline, chosen } }: SidesProps) {
  const left = useSide(task, baseline)
  const right = useSide(task, chosen)
  const failed = left.error ?? right.error
  if (failed) return <ErrorState error={failed} title="Couldn’t load the transcripts" onRetry={() => (left.retry(), right.retry())} />
  if (left.loading || right.loading) return <LinesSkeleton lines={6} />
  const prompts = [left.sample, right.sample].map(promptOf)
  const samePrompt = prompts[0] === null || prompts[1] === null || prompts[0] === prompts[1]
  const sample = left.sample ?? right.sample
  return (
    <>
      <Pair
        title="Answers"
        left={left.sample?.output ?? null}
        right={right.sample?.output ?? null}
        heads={[head(baseline, left.sample, task), head(chosen, right.sample, task)]}
        reasoning={[left.sample?.reasoning ?? null, right.sample?.reasoning ?? null]}
      />
      {sample ? <Expected targets={sample.targets} choices={sample.choices} /> : null}
      {samePrompt ? (
        <Section title="Prompt of both">
          {sample?.messages.some(({ content }) => typeof content !== 'string') ? (
            <Messages messages={sample.messages} />
          ) : (
            <LongText text={prompts[0] ?? prompts[1] ?? ''} />
          )}
        </Section>
      ) : (
        <Section title="Prompts, which differ">
          <Pair title="Prompts" left={prompts[0] ?? null} right={prompts[1] ?? null} heads={[baseline.label, chosen.label]} />
        </Section>
      )}
    </>
  )
}

interface Side {
  readonly sample: SampleDetail | null
  readonly loading: boolean
  readonly error: Error | null
  readonly retry: () => void
}

function useSide(task: ComparedTask, run: ComparedRun): Side {
  const sampleId = task.outcomes.find(outcome => outcome.run_id === run.id)?.sample_id ?? null
  const query = useQuery({ ...sampleQuery(run.run_id, sampleId ?? ''), enabled: sampleId !== null })
  return {
    sample: query.data ?? null,
    loading: sampleId !== null && query.isPending,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
  }
}

interface PairProps {
  readonly title: string
  readonly left: string | null
  readonly right: string | null
  readonly heads: readonly [ReactNode, ReactNode]
  /** Shown folded before each. */
  readonly reasoning?: readonly [string | null, string | null]
}

function Pair({ title, left, right, heads, reasoning = [null, null] }: PairProps) {
  const diff = useMemo(() => (left === null || right === null ? null : diffWords(left, right)), [left, right])
  return (
    <>
      <div className="compare-sides">
        <section className="compare-side" aria-label={`${title}: baseline`}>
          <h3>{heads[0]}</h3>
          <Reasoning reasoning={reasoning[0]} />
          <DiffedText text={left} parts={diff?.left ?? null} side="left" />
        </section>
        <section className="compare-side" aria-label={`${title}: contender`}>
          <h3>{heads[1]}</h3>
          <Reasoning reasoning={reasoning[1]} />
          <DiffedText text={right} parts={diff?.right ?? null} side="right" />
        </section>
      </div>
      {diff === null ? null : (
        <p className="compare-note">
          {diff.exact
            ? left === right
              ? 'Both outputs are identical.'
              : 'Highlighted: words that the other output does not contain.'
            : 'Too long for a word diff: everything between the common prefix and suffix is highlighted.'}
        </p>
      )}
    </>
  )
}

function head(run: ComparedRun, sample: SampleDetail | null, task: ComparedTask) {
  const score = sample?.scores.find(one => one.metric === task.metric)
  return (
    <>
      <UntrustedText text={run.label} layout="prose" />
      {run.baseline ? <span className="quiet"> (baseline)</span> : null}
      {sample ? (
        <span className="row small" style={{ fontWeight: 400 }}>
          <Verdict status={sample.status} score={score} />
          <span>
            answer <UntrustedText text={score?.answer ?? '–'} layout="inline" />
          </span>
          <span className="num">{formatDuration(sample.latency_ms)}</span>
          {sample.output_tokens === null ? null : <span className="num">{formatCount(sample.output_tokens)} tokens</span>}
          <Anchor component={Link} to={`/runs/${run.run_id}/samples/${sample.id}`} fz="inherit">
            Transcript
          </Anchor>
        </span>
      ) : (
        <span className="quiet small" style={{ display: 'block', fontWeight: 400 }}>
          This run does not have the task.
        </span>
      )}
    </>
  )
}

function promptOf(sample: SampleDetail | null): string | null {
  return sample === null ? null : sample.messages.map(({ role, content }) => `${role}:\n${describeContent(content)}`).join('\n\n')
}
