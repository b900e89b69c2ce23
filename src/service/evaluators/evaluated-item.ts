import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { LabelValue } from '../../contract/datasets/examples.schemas.ts'
import { describeContent, promptText } from '../../contract/messages/message-text.ts'
import { filesIn, type MediaPart, Message } from '../../contract/messages/messages.schemas.ts'
import { turnTargetsOf } from '../../engine/grading/scorers/native/each-turn.scorer.ts'
import type { Task } from '../../engine/tasks/task.ts'

/** One output to evaluate, of an example or of a run's sample. Everything in it is untrusted text. */
export interface EvaluatedItem {
  /** An example's id, a sample's position: names its calls. */
  readonly item: string
  readonly input: string
  /** What the input shows beside its text; absent where it is text alone. */
  readonly files?: readonly MediaPart[] | undefined
  /** The model was shown images with more pixels resized. */
  readonly maxImagePixels?: number | undefined
  readonly output: string | { readonly a: string; readonly b: string } | null
  /** Reasoning in the output is part of it, or was taken apart before. */
  readonly isWhole?: boolean | undefined
  readonly targets: readonly string[]
  readonly choices?: readonly string[] | undefined
  readonly label: LabelValue | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** The same for an example's own output: verdicts in it are of this output. */
  readonly example?: Readonly<Record<string, unknown>>
  readonly sample?: EvaluatedSample | undefined
  /** What was asked and answered before the output, where the conversation was scripted; absent where the output is all there is. */
  readonly earlier?: readonly EarlierTurn[] | undefined
}

/** The answer to one of the turns before the last. */
export type EarlierTurn = Pick<EvaluatedItem, 'input' | 'files' | 'maxImagePixels' | 'targets'> & { readonly output: string }

/** What remote scorers are told about a sample beside its texts, so that they find their own data on it. */
export interface EvaluatedSample {
  /** Of its task, example or trace, stable over runs. */
  readonly id: string
  /** Its id in the interface. */
  readonly sampleId?: string
  readonly run?: { readonly id: string; readonly attempt: number }
  readonly epoch?: number
  /** The conversation that was answered. */
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[]
  readonly model?: string | null
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | null
  readonly stopReason?: string | null
}

/**
 * What was asked in a run, and what is expected of the answer.
 * @param messages with the scripted turns and the answers to them
 * @param answers to the turns before the last
 */
export function askedItem(
  messages: readonly Message[],
  answers: readonly string[],
  { targets, metadata }: Pick<Task, 'targets' | 'metadata'>,
  maxImagePixels: number | undefined,
): Pick<EvaluatedItem, 'input' | 'files' | 'maxImagePixels' | 'targets' | 'earlier'> {
  const ofTurns = turnTargetsOf(metadata)
  const asked = (shown: readonly Message[]) => ({ input: promptText(shown.map(withoutReasoning)), files: filesIn(shown), maxImagePixels })
  const earlier = answers.map((output, i): EarlierTurn => {
    // Each answer is followed by the next turn.
    const before = messages.slice(0, messages.length - 2 * (answers.length - i))
    return { ...asked(before), output, targets: ofTurns?.[i] ?? [] }
  })
  return { ...asked(messages), targets, earlier }
}

/** What a model thought is for no grader. */
function withoutReasoning(message: Message): Message {
  const { content } = message
  return typeof content === 'string' ? message : { ...message, content: content.filter(({ type }) => type !== 'reasoning') }
}

export function exampleItem({ example_id, input, output, expected, label, metadata }: FrozenExample): EvaluatedItem {
  const sample = { id: example_id, sampleId: example_id, ...(Array.isArray(input) && { messages: input }) }
  return {
    item: example_id,
    input: inputText(input),
    files: filesIn(shownIn(input)),
    output,
    targets: targetsOf(expected),
    label,
    metadata,
    example: metadata,
    sample,
  }
}

/** A conversation as its turns, fields as their names and values. */
export function inputText(input: FrozenExample['input']): string {
  if (typeof input === 'string') return input
  if (Array.isArray(input))
    return input
      .map(message => {
        const { role, content } = message
        const [shown] = shownIn([message])
        return `${role}: ${typeof content === 'string' ? content : shown && filesIn([shown]).length > 0 ? describeContent(shown.content) : JSON.stringify(content)}`
      })
      .join('\n\n')
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n\n')
}

/** Messages of an example as models are shown them; an example may hold others. */
export function shownIn(input: FrozenExample['input']): Message[] {
  return Array.isArray(input) ? input.flatMap(message => Message.safeParse(message).data ?? []) : []
}

function targetsOf(expected: FrozenExample['expected']): readonly string[] {
  if (expected === null) return []
  if (typeof expected === 'string') return [expected]
  return Array.isArray(expected) ? expected : [JSON.stringify(expected)]
}

/** What a deterministic evaluator compares with. */
export function targetsFrom(item: EvaluatedItem, from: 'expected' | 'label' | { readonly metadata: string }): readonly string[] {
  if (from === 'expected') return item.targets
  if (from === 'label') return item.label === null ? [] : [String(item.label)]
  const value = Object.hasOwn(item.metadata, from.metadata) ? item.metadata[from.metadata] : undefined
  const texts = (Array.isArray(value) ? value : [value]).filter(entry => entry !== undefined && entry !== null)
  return texts.map(entry => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
}
