import { Anchor } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import type { ComparedRun, ComparedTask } from '../../contract/comparisons/comparisons.schemas.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { describeContent } from '../../contract/messages/message-text.ts'
import { filesIn, type MediaPart } from '../../contract/messages/messages.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Expected } from '../samples/expected.tsx'
import { LongText } from '../samples/long-text.tsx'
import { MediaPartView, placeAmong } from '../samples/media-part.tsx'
import { Messages } from '../samples/messages.tsx'
import { Reasoning } from '../samples/reasoning.tsx'
import { sampleQuery } from '../samples/samples.queries.ts'
import { Verdict } from '../samples/verdict.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { DiffedText } from './diffed-text.tsx'
import { type DiffPart, diffWords } from './word-diff.ts'

interface SidesProps {
  readonly task: Pick<ComparedTask, 'metric'> & {
    readonly outcomes: readonly Pick<ComparedTask['outcomes'][number], 'run_id' | 'sample_id'>[]
  }
  /** The baseline first. */
  readonly runs: readonly ComparedRun[]
  /** The contender that the baseline’s answer is compared with; where there are several, the reader is taken to its answer. */
  readonly chosenId: string
}

/** Prompt, expectation and every run’s answer of the first epoch. */
export function Sides({ task, runs, chosenId }: SidesProps) {
  const sampleIds = runs.map(run => task.outcomes.find(outcome => outcome.run_id === run.id)?.sample_id ?? null)
  const queries = useQueries({
    queries: runs.map((run, no) => ({ ...sampleQuery(run.run_id, sampleIds[no] ?? ''), enabled: sampleIds[no] !== null })),
  })
  const failed = queries.find(query => query.isError && query.data === undefined)
  if (failed) return <ErrorState error={failed.error} title="Couldn’t load the transcripts" onRetry={() => void failed.refetch()} />
  if (queries.some((query, no) => sampleIds[no] !== null && query.isPending)) return <LinesSkeleton lines={6} />
  const samples = queries.map(query => query.data ?? null)
  const prompts = samples.map(promptOf)
  const [prompt, ...others] = prompts.filter(text => text !== null)
  const isSamePrompt = others.every(text => text === prompt)
  const sample = samples.find(one => one !== null)
  const chosen = Math.max(
    1,
    runs.findIndex(run => run.id === chosenId),
  )
  return (
    <>
      {sample ? <Expected targets={sample.targets} choices={sample.choices} /> : null}
      <Texts
        title="Answers"
        runs={runs}
        chosen={chosen}
        texts={samples.map(one => one?.output ?? null)}
        heads={runs.map((run, no) => head(run, samples[no] ?? null, task))}
        reasoning={samples.map(one => one?.reasoning ?? null)}
      />
      {isSamePrompt ? (
        <Section title={runs.length === 2 ? 'Prompt of both' : 'Prompt of all'}>
          {sample?.messages.some(({ content }) => typeof content !== 'string') ? (
            <Messages messages={sample.messages} />
          ) : (
            <LongText text={prompt ?? ''} />
          )}
        </Section>
      ) : (
        <Section title="Prompts, which differ">
          <Texts
            title="Prompts"
            runs={runs}
            chosen={chosen}
            texts={prompts}
            heads={runs.map(run => run.label)}
            files={samples.map(one => filesIn(one?.messages ?? []))}
          />
        </Section>
      )}
    </>
  )
}

interface TextsProps {
  readonly title: string
  readonly runs: readonly ComparedRun[]
  /** Place of the contender that the baseline is compared with. */
  readonly chosen: number
  /** By run, as the rest. */
  readonly texts: readonly (string | null)[]
  readonly heads: readonly ReactNode[]
  /** Shown folded before each. */
  readonly reasoning?: readonly (string | null)[]
  /** Shown after each, which names them. */
  readonly files?: readonly (readonly MediaPart[])[]
}

/** Texts side by side as far as there is room: each contender’s is compared with the baseline’s. */
function Texts({ title, runs, chosen, texts, heads, reasoning = [], files = [] }: TextsProps) {
  const diffs = useMemo(
    () => texts.map(text => (texts[0] == null || text === null ? null : diffWords(texts[0], text))),
    // The texts of a task; the array is a new one each time.
    // oxlint-disable-next-line react/exhaustive-deps
    texts,
  )
  const diff = diffs[chosen]
  const isPair = runs.length === 2
  return (
    <>
      <div className="compare-sides">
        {runs.map((run, no) => (
          <Side
            key={run.id}
            label={`${title}: ${no === 0 ? 'baseline' : isPair ? 'contender' : run.label}`}
            isChosen={!isPair && no === chosen}
            head={heads[no]}
            reasoning={reasoning[no] ?? null}
            text={texts[no] ?? null}
            parts={(no === 0 ? diff?.left : diffs[no]?.right) ?? null}
            side={no === 0 ? 'left' : 'right'}
            files={files[no] ?? []}
          />
        ))}
      </div>
      {diff ? <p className="compare-note">{describeDiff(diff.exact, texts[0] === texts[chosen], runs, chosen)}</p> : null}
    </>
  )
}

function describeDiff(isExact: boolean, isSame: boolean, runs: readonly ComparedRun[], chosen: number): string {
  if (!isExact) return 'Too long for a word diff: everything between the common prefix and suffix is highlighted.'
  if (runs.length === 2) return isSame ? 'Both outputs are identical.' : 'Highlighted: words that the other output does not contain.'
  return `Highlighted: words that the baseline’s output does not contain; in the baseline, words that the output of ${runs[chosen]?.label} does not contain.`
}

interface SideProps {
  readonly label: string
  readonly isChosen: boolean
  readonly head: ReactNode
  readonly reasoning: string | null
  readonly text: string | null
  readonly parts: readonly DiffPart[] | null
  readonly side: 'left' | 'right'
  readonly files: readonly MediaPart[]
}

function Side({ label, isChosen, head, reasoning, text, parts, side, files }: SideProps) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // In braces, since browsers have begun to answer a promise here, and an effect must not.
    if (isChosen) section.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <section className="compare-side" ref={section} data-chosen={isChosen} aria-label={label}>
      <h3>{head}</h3>
      <Reasoning reasoning={reasoning} />
      <DiffedText text={text} parts={parts} side={side} />
      {files.map(part => (
        <MediaPartView key={part.media} part={part} of={`${placeAmong(files, part)} of the prompt`} />
      ))}
    </section>
  )
}

function head(run: ComparedRun, sample: SampleDetail | null, task: Pick<ComparedTask, 'metric'>) {
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
