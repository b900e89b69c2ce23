import './datasets.css'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { Example } from '../../contract/datasets/examples.schemas.ts'
import { MessageContent } from '../../contract/messages/messages.schemas.ts'
import type { ReactNode } from 'react'
import { splitReasoning } from '../../lib/split-reasoning.ts'
import { DiffedText } from '../comparisons/diffed-text.tsx'
import { diffWords } from '../comparisons/word-diff.ts'
import { Reasoning, WithoutReasoning } from '../samples/reasoning.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { fieldText } from './dataset-words.ts'
import { MessageContentView } from '../samples/messages.tsx'

type Shown = Pick<Example | FrozenExample, 'input' | 'output' | 'expected' | 'metadata'>

/** An example as its shape asks: a conversation, fields, text with its difference to the reference, or two outputs side by side. */
export function ExampleView({ example, metadata = true }: { readonly example: Shown; readonly metadata?: boolean }) {
  const { input, output, expected } = example
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
      {typeof output === 'string' && typeof expected === 'string' ? <Compared output={output} expected={expected} /> : null}
      {typeof output === 'string' && typeof expected !== 'string' ? (
        <Part title="Output">
          <Answer text={output} />
        </Part>
      ) : null}
      {expected !== null && !(typeof output === 'string' && typeof expected === 'string') ? (
        <Part title="Expected">
          {Array.isArray(expected) ? expected.map(one => <Text key={one} text={one} />) : <Text text={fieldText(expected)} />}
        </Part>
      ) : null}
      {metadata && Object.keys(example.metadata).length > 0 ? (
        <Part title="Metadata">
          <UntrustedText text={JSON.stringify(example.metadata, null, 2)} />
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

function Text({ text }: { readonly text: string }) {
  return text === '' ? <p className="quiet">Empty</p> : <UntrustedText text={text} />
}

function Answer({ text }: { readonly text: string }) {
  return <WithoutReasoning text={text}>{answer => <Text text={answer} />}</WithoutReasoning>
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

/** A message as it was shown, with its pictures; in a form of another tool, as JSON. */
function Said({ content }: { readonly content: unknown }) {
  const parts = Array.isArray(content) ? MessageContent.safeParse(content) : null
  return parts?.success ? <MessageContentView content={parts.data} readable={false} /> : <Text text={fieldText(content)} />
}

function Input({ input }: { readonly input: Example['input'] }) {
  if (typeof input === 'string') return <UntrustedText text={input} />
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
      {Object.entries(input).map(([name, value]) => (
        <div key={name} className="example-part">
          <dt className="quiet small">
            <UntrustedText text={name} layout="inline" />
          </dt>
          <dd style={{ margin: 0 }}>
            <Text text={fieldText(value)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
