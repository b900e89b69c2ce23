import type { Message, MessageContent } from '../../contract/messages/messages.schemas.ts'

/** The field of a template that stands for the answer choices; also of the conversation that shows them, where some are files. */
export const choicesField = 'choices'

/** One item of a benchmark. Everything in it is untrusted text. */
export interface Task {
  /** Unique in its source, stable over versions where upstream has an id. */
  readonly id: string
  readonly split: 'test' | 'canonical'
  /** Fields that a prompt template may name, e.g. `question`. */
  readonly fields: Readonly<Record<string, string>>
  /**
   * Conversations that the model continues, by the field that stands for them in a template; absent where the prompt is made of text
   * alone. The field itself is then the text of the last message.
   */
  readonly conversations?: Readonly<Record<string, readonly Message[]>> | undefined
  /** What the user says next, each after the model's answer to the one before; absent where a task is one question. */
  readonly turns?: readonly MessageContent[] | undefined
  /** Reference answers; several mean "any of these". Empty when correctness is decided by metadata alone. */
  readonly targets: readonly string[]
  /** Answer choices in the order shown; null for open answers. */
  readonly choices: readonly string[] | null
  /** What scorers and breakdowns need beside the target: constraints, tests, a subject. Never shown to the model. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly capabilities: readonly string[]
  /** Task ids that must be selected with it. */
  readonly dependsOn: readonly string[]
}

/** A worked example before the task, already as text for the template's example form. */
export interface Shot {
  readonly fields: Readonly<Record<string, string>>
  /** Where each task is shown the examples of its own group, e.g. its subject. */
  readonly group?: string | undefined
}

/** The group whose examples a task is shown, by the metadata that names it; empty where the task does not say. */
export function groupOf({ metadata }: Pick<Task, 'metadata'>, by: string): string {
  const value = Object.hasOwn(metadata, by) ? metadata[by] : ''
  return typeof value === 'string' ? value : ''
}
