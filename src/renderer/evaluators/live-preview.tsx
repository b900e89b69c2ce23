import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { TriedEvaluator, TryEvaluator } from '../../contract/evaluators/evaluators.schemas.ts'
import { WithoutReasoning } from '../samples/reasoning.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { DatasetVersionField } from './dataset-version-field.tsx'
import type { ReadForm } from './definition-form.ts'
import { examplesQuery, triedQuery } from './evaluators.queries.ts'
import { PinDialog } from './pin-dialog.tsx'
import { type PreviewExample, usePins } from './use-pins.ts'

const PINNED = 3
const TYPING_PAUSE_MS = 400

/** Live preview of the definition on three examples: a verdict, or a judge's exact prompt. Calls no model. */
export function LivePreview({ read }: { readonly read: ReadForm }) {
  const [versionId, setVersionId] = useState<string | null>(null)
  const { pins, setPins } = usePins(versionId)
  const [choosing, setChoosing] = useState(false)
  const examples = useQuery(examplesQuery(versionId, PINNED))
  const [settled] = useDebouncedValue(read, TYPING_PAUSE_MS)
  const first = examples.data?.items ?? []
  const shown: readonly (PreviewExample | null)[] = versionId === null ? [null] : pins.length > 0 ? pins : first
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
      {'definition' in settled
        ? shown.map((example, i) => <PreviewCard key={example?.example_id ?? i} definition={settled.definition} example={example} />)
        : null}
    </div>
  )
}

function PreviewCard({ definition, example }: { readonly definition: EvaluatorDefinition; readonly example: PreviewExample | null }) {
  const tried = useQuery(triedQuery(bodyOf(definition, example)))
  if (tried.isError) return <ErrorState error={tried.error} title="Couldn’t preview the definition" reportable={false} />
  if (!tried.data) return <LinesSkeleton lines={3} />
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
      <Tried tried={tried.data} />
    </div>
  )
}

function Tried({ tried }: { readonly tried: TriedEvaluator }) {
  if (tried.kind === 'verdict') {
    const tone = tried.class === 'correct' ? 'pass' : tried.class === 'wrong' ? 'fail' : 'warn'
    return (
      <>
        <div className="row">
          <StatusBadge status={{ word: tried.class, tone }} />
          <span className="num">{tried.value === null ? 'no score' : tried.value.toFixed(3)}</span>
        </div>
        <UntrustedText text={tried.explanation} layout="prose" />
      </>
    )
  }
  if (tried.kind === 'request')
    return (
      <details open>
        <summary>Request to the remote scorer</summary>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll must be reachable by keyboard */}
        <pre className="evaluators-prompt" tabIndex={0} aria-label="Request">
          {JSON.stringify(tried.request, null, 2)}
        </pre>
      </details>
    )
  const [first] = tried.questions
  return (
    <details open>
      <summary>
        Exact prompt of the first judge{tried.questions.length > 1 ? ` (1 of ${tried.questions.length} questions)` : ''};{' '}
        {tried.model_calls_per_output} {tried.model_calls_per_output === 1 ? 'call' : 'calls'} per output
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
