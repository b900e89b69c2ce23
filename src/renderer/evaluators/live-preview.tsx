import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { TriedEvaluator, TryEvaluator } from '../../contract/evaluators/evaluators.schemas.ts'
import { WithoutReasoning } from '../samples/reasoning.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { DatasetVersionField } from './dataset-version-field.tsx'
import type { ReadForm } from './definition-form.ts'
import { examplesQuery, triedQuery } from './evaluators.queries.ts'
import { PinDialog } from './pin-dialog.tsx'
import { RunTrials, TrialResult, Verdict } from './run-trials.tsx'
import { type PreviewExample, usePins } from './use-pins.ts'
import { type TrialOutcome, trialKey, useTrials } from './use-trials.ts'

const PINNED = 3
const TYPING_PAUSE_MS = 400

/** Live preview of the definition on three examples: a verdict, or a judge's exact prompt. Calls a model only when a person runs it. */
export function LivePreview({ read, initialVersionId }: { readonly read: ReadForm; readonly initialVersionId: string | null }) {
  const [versionId, setVersionId] = useState(initialVersionId)
  const { pins, setPins } = usePins(versionId)
  const [choosing, setChoosing] = useState(false)
  const examples = useQuery(examplesQuery(versionId, PINNED))
  const [settled] = useDebouncedValue(read, TYPING_PAUSE_MS)
  const first = examples.data?.items ?? []
  const shown: readonly (PreviewExample | null)[] = versionId === null ? [null] : pins.length > 0 ? pins : first
  const trials = useTrials()
  const [dollars, setDollars] = useState('')
  const definition = 'definition' in settled ? settled.definition : null
  const bodies = definition === null ? [] : shown.map(example => bodyOf(definition, example))
  const tried = useQueries({ queries: bodies.map(body => triedQuery(body)) })
  const asked = bodies.flatMap((body, i) => {
    const data = tried[i]?.data
    return data === undefined || data.kind === 'verdict' ? [] : [{ body, data }]
  })
  return (
    <div className="stack">
      <DatasetVersionField value={versionId} onChange={setVersionId} />
      {versionId === null ? null : (
        <div className="row">
          <span className="quiet small">{pins.length > 0 ? 'Pinned examples' : 'The first examples'}</span>
          <Button size="xs" variant="default" onClick={() => setChoosing(true)}>
            Pin examples
          </Button>
          {pins.length > 0 ? (
            <Button size="xs" variant="subtle" onClick={() => setPins([])}>
              Unpin all
            </Button>
          ) : null}
        </div>
      )}
      {versionId !== null && choosing ? (
        <PinDialog
          versionId={versionId}
          pins={pins.length > 0 ? pins : first}
          most={PINNED}
          onPin={setPins}
          onClose={() => setChoosing(false)}
        />
      ) : null}
      {'problem' in settled ? <p className="quiet">{settled.problem}</p> : null}
      {versionId !== null && examples.isError ? (
        <ErrorState error={examples.error} title="Couldn’t load the examples" onRetry={() => void examples.refetch()} />
      ) : null}
      {versionId !== null && examples.isPending ? <LinesSkeleton /> : null}
      {definition === null || asked.length === 0 || tried.some(({ isPending }) => isPending) ? (
        trials.isRunning ? (
          <div className="row">
            <output className="small">Running with the definition before this change</output>
            <Button size="xs" variant="default" onClick={trials.stop}>
              Stop
            </Button>
          </div>
        ) : null
      ) : (
        <RunTrials
          trials={trials}
          definition={definition}
          bodies={asked.map(({ body }) => body)}
          asking={asked.map(({ data }) => data)}
          dollars={dollars}
          onDollars={setDollars}
        />
      )}
      {definition === null
        ? null
        : bodies.map((body, i) => (
            <PreviewCard
              key={shown[i]?.example_id ?? i}
              definition={definition}
              example={shown[i] ?? null}
              tried={tried[i]}
              outcome={trials.outcomes.get(trialKey(body))}
            />
          ))}
    </div>
  )
}

interface PreviewCardProps {
  readonly definition: EvaluatorDefinition
  readonly example: PreviewExample | null
  readonly tried: UseQueryResult<TriedEvaluator> | undefined
  readonly outcome: TrialOutcome | undefined
}

function PreviewCard({ definition, example, tried, outcome }: PreviewCardProps) {
  if (tried?.isError) return <ErrorState error={tried.error} title="Couldn’t preview the definition" reportable={false} />
  if (!tried?.data) return <LinesSkeleton lines={3} />
  return (
    <div className="evaluators-card">
      {example ? (
        <div className="small">
          <span className="quiet">Output </span>
          <WithoutReasoning text={typeof example.output === 'string' ? example.output : JSON.stringify(example.output)}>
            {answer => <UntrustedText text={answer.slice(0, 400)} layout="prose" />}
          </WithoutReasoning>
          {example.label === null ? null : <span className="quiet"> · labeled {String(example.label)}</span>}
        </div>
      ) : (
        <div className="small quiet">A made-up example, until a dataset version is chosen</div>
      )}
      <TrialResult outcome={outcome} label={example?.label ?? null} />
      <Tried
        tried={tried.data}
        label={example?.label ?? null}
        asks={definition.kind === 'embedding' ? 'Texts sent for their embeddings' : 'Exact prompt of the first judge'}
        folded={outcome !== undefined}
      />
    </div>
  )
}

interface TriedProps {
  readonly tried: TriedEvaluator
  readonly label: PreviewExample['label'] | null
  readonly asks: string
  /** A result is read before what was asked. */
  readonly folded: boolean
}

function Tried({ tried, label, asks, folded }: TriedProps) {
  if (tried.kind === 'verdict') {
    return (
      <>
        <Verdict value={tried.value} name={tried.class} label={label} />
        <UntrustedText text={tried.explanation} layout="prose" />
      </>
    )
  }
  if (tried.kind === 'request')
    return (
      <details open={!folded}>
        <summary>Request to the remote scorer</summary>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll must be reachable by keyboard */}
        <pre className="evaluators-prompt" tabIndex={0} aria-label="Request">
          {JSON.stringify(tried.request, null, 2)}
        </pre>
      </details>
    )
  const [first] = tried.questions
  return (
    <details open={!folded}>
      <summary>
        {asks}
        {tried.questions.length > 1 ? ` (1 of ${tried.questions.length} questions)` : ''}; {tried.model_calls_per_output}{' '}
        {tried.model_calls_per_output === 1 ? 'call' : 'calls'} per output
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll must be reachable by keyboard */}
      <pre className="evaluators-prompt" tabIndex={0} aria-label="Prompt">
        {first?.messages.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n')}
      </pre>
    </details>
  )
}

function bodyOf(definition: EvaluatorDefinition, example: PreviewExample | null): TryEvaluator {
  const isPair = definition.kind === 'model_graded' && definition.mode === 'pairwise'
  const made = isPair ? { a: 'Paris', b: 'The capital of France is Paris.' } : 'The capital of France is Paris.'
  if (!example) return { definition, input: 'What is the capital of France?', output: made, expected: 'Paris', metadata: {} }
  const { input, output, expected, metadata } = example
  const expectedText =
    expected === null ? undefined : typeof expected === 'string' || Array.isArray(expected) ? expected : JSON.stringify(expected)
  return {
    definition,
    input: typeof input === 'string' ? input : JSON.stringify(input, null, 1),
    output: output ?? '',
    ...(expectedText !== undefined && { expected: expectedText }),
    metadata,
  }
}
