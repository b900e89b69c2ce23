import './datasets.css'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { Example } from '../../contract/datasets/examples.schemas.ts'
import { MessageContent } from '../../contract/messages/messages.schemas.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { splitReasoning } from '../../lib/split-reasoning.ts'
import { DiffedText } from '../comparisons/diffed-text.tsx'
import { diffWords } from '../comparisons/word-diff.ts'
import { fieldPieces, mediaPieces } from '../media/media-pieces.ts'
import { AnswerFiles } from '../samples/answer-files.tsx'
import { Reasoning, WithoutReasoning } from '../samples/reasoning.tsx'
import { sampleQuery } from '../samples/samples.queries.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { fieldText } from './dataset-words.ts'
import { MediaPiecesView } from './media-pieces-view.tsx'
import { MessageContentView } from '../samples/messages.tsx'

type Shown = Pick<Example | FrozenExample, 'input' | 'output' | 'expected' | 'metadata'> & { readonly origin?: Example['origin'] }

/** An example as its shape asks: a conversation, fields, text with its difference to the reference, or two outputs side by side. */
export function ExampleView({ example, metadata = true }: { readonly example: Shown; readonly metadata?: boolean }) {
  const { input, output, expected } = example
  // Words of an answer that holds files have no place in it to be compared at.
  const isCompared = typeof output === 'string' && typeof expected === 'string' && mediaPieces(output) === null
  return (
    <div>
      <Part title="Input">
        <Input input={input} />
      </Part>
      {typeof output === 'object' && output !== null ? (
        <div className="example-pair">
          <Part title="Output a">
            <Answer text={output.a} />
          </Part>
          <Part title="Output b">
            <Answer text={output.b} />
          </Part>
        </div>
      ) : null}
      {isCompared ? <Compared output={output} expected={expected} /> : null}
      {typeof output === 'string' && !isCompared ? (
        <Part title="Output">
          <Answer text={output} />
        </Part>
      ) : null}
      <FilesOfOrigin origin={example.origin} />
      {expected !== null && !isCompared ? (
        <Part title="Expected">
          {Array.isArray(expected) ? expected.map(one => <Text key={one} text={one} />) : <Text text={fieldText(expected)} />}
        </Part>
      ) : null}
      {metadata && Object.keys(example.metadata).length > 0 ? (
        <Part title="Metadata">
          <UntrustedText text={JSON.stringify(example.metadata, null, 2)} scrolls />
        </Part>
      ) : null}
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="example-part" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** Files that the model answered with beside its text, of an example that was made of a run. */
function FilesOfOrigin({ origin }: { readonly origin: Shown['origin'] }) {
  const sample = SampleRef.safeParse(origin?.kind === 'run' ? origin.ref : null).data
  return sample ? <FilesOfSample {...sample} /> : null
}

const SampleRef = z.object({ run_id: z.string(), sample_id: z.string() })

function FilesOfSample({ run_id: runId, sample_id: sampleId }: z.infer<typeof SampleRef>) {
  const sample = useQuery(sampleQuery(runId, sampleId))
  return (
    <div className="example-part">
      <AnswerFiles attempts={sample.data?.attempt_log ?? []} />
    </div>
  )
}

function Text({ text }: { readonly text: string }) {
  return text === '' ? <p className="quiet">Empty</p> : <UntrustedText text={text} scrolls />
}

function Answer({ text }: { readonly text: string }) {
  return <WithoutReasoning text={text}>{answer => <Value value={answer} of="the output" />}</WithoutReasoning>
}

function Compared({ output, expected }: { readonly output: string; readonly expected: string }) {
  const answer = splitReasoning(output)
  const diff = diffWords(expected, answer.output)
  return (
    <div className="example-pair">
      <Part title="Output">
        <Reasoning reasoning={answer.reasoning} />
        {answer.output === '' ? <Text text="" /> : <DiffedText text={answer.output} parts={diff.right} side="right" />}
      </Part>
      <Part title="Expected">{expected === '' ? <Text text="" /> : <DiffedText text={expected} parts={diff.left} side="left" />}</Part>
    </div>
  )
}

/** A message as it was shown; with its files also in a form of another tool. */
function Said({ content }: { readonly content: unknown }) {
  const parts = Array.isArray(content) ? MessageContent.safeParse(content) : null
  return parts?.success ? (
    <MessageContentView content={parts.data} readable={false} of="the example" />
  ) : (
    <Value value={content} of="the message" />
  )
}

/** A text, or JSON; with its files as pictures and recordings. @param of what it is, for those who cannot see them */
function Value({ value, of }: { readonly value: unknown; readonly of: string }) {
  const pieces = mediaPieces(value)
  return pieces ? <MediaPiecesView pieces={pieces} of={of} /> : <Text text={fieldText(value)} />
}

function Input({ input }: { readonly input: Example['input'] }) {
  if (typeof input === 'string') return <Value value={input} of="the input" />
  if (Array.isArray(input)) {
    return (
      <ol className="example-messages">
        {input.map(({ role, content }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- messages have no identity but their place
          <li key={index}>
            <div className="quiet small">
              <UntrustedText text={role} layout="inline" />
            </div>
            <Said content={content} />
          </li>
        ))}
      </ol>
    )
  }
  return (
    <dl style={{ margin: 0 }}>
      {fieldPieces(input).map(([name, pieces]) => (
        <div key={name} className="example-part">
          <dt className="quiet small">
            <UntrustedText text={name} layout="inline" />
          </dt>
          <dd style={{ margin: 0 }}>{pieces ? <MediaPiecesView pieces={pieces} of={name} /> : <Text text={fieldText(input[name])} />}</dd>
        </div>
      ))}
    </dl>
  )
}
