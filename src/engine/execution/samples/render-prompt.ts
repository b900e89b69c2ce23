import { framed } from '../../../contract/messages/message-text.ts'
import type { Message } from '../../../contract/messages/messages.schemas.ts'
import { mostRepeats } from '../../tasks/prompt-limits.ts'
import { groupOf, type Shot, type Task } from '../../tasks/task.ts'

/** The part of a profile that decides what the model is shown. */
export interface PromptRecipe {
  readonly systemPrompt: string | null
  /** Before the examples; absent if there is none. */
  readonly introTemplate?: string | undefined
  readonly promptTemplate: string
  readonly shotTemplate: string | null
  readonly shots: readonly Shot[]
  /** Examples are messages of user and assistant, asked by `promptTemplate` and answered by `shotTemplate`; absent: text before the task. */
  readonly shotsAs?: 'turns' | undefined
  /** Metadata by which a task is shown only the examples of its own group; absent where all are shown the same. */
  readonly shotsBy?: string | undefined
}

/** What of a task a prompt depends on. */
type ShownTask = Pick<Task, 'fields' | 'conversations' | 'choices' | 'metadata'>

/** The conversation that asks one task. The same recipe and task give the same text, to the byte. */
export function renderPrompt(recipe: PromptRecipe, task: ShownTask): Message[] {
  const { shotTemplate, introTemplate = '', shotsAs, systemPrompt } = recipe
  const shots = shotTemplate === null ? [] : shotsFor(recipe, task)
  const intro = fill(introTemplate, task.fields)
  const turns = shotsAs === 'turns' ? shots.flatMap((shot, i) => exampleTurns(recipe, shot, i === 0 ? intro : '')) : []
  const before = turns.length > 0 ? '' : intro + shots.map(shot => fill(shotTemplate ?? '', shot.fields)).join('')
  const given = givenConversation(recipe.promptTemplate, task)
  if (given) return conversationOf(recipe, task, given, before, turns)
  const user: Message = { role: 'user', content: before + fill(recipe.promptTemplate, withChoices(task)) }
  return [...(systemPrompt === null ? [] : [systemMessage(systemPrompt)]), ...turns, user]
}

/** A worked example as a question of the user and an answer of the model. */
function exampleTurns({ promptTemplate, shotTemplate }: PromptRecipe, { fields }: Shot, intro: string): Message[] {
  return [
    { role: 'user', content: intro + fill(promptTemplate, fields) },
    { role: 'assistant', content: fill(shotTemplate ?? '', fields) },
  ]
}

interface GivenConversation {
  readonly messages: readonly Message[]
  /** Position of its field in the template. */
  readonly start: number
  readonly end: number
}

/** The first field of a template that stands for a conversation. */
function givenConversation(template: string, { conversations }: ShownTask): GivenConversation | null {
  if (!conversations) return null
  for (const { 0: mark, 1: name = '', index } of template.matchAll(placeholder)) {
    const messages = Object.hasOwn(conversations, name) ? conversations[name] : undefined
    if (messages) return { messages, start: index, end: index + mark.length }
  }
  return null
}

/**
 * A task's own conversation. The template's text before and after its field is put around the last message of the user, as Inspect does;
 * the system prompts of profile and task become one.
 */
function conversationOf(
  { systemPrompt, promptTemplate }: PromptRecipe,
  task: ShownTask,
  { messages, start, end }: GivenConversation,
  examples: string,
  turns: readonly Message[],
): Message[] {
  const fields = withChoices(task)
  const before = examples + fill(promptTemplate.slice(0, start), fields)
  const after = fill(promptTemplate.slice(end), fields)
  const [first, ...rest] = messages
  const own = first?.role === 'system' ? first : null
  const said = own ? rest : messages
  const system =
    systemPrompt === null ? own : own ? { ...own, content: framed(`${systemPrompt}\n\n`, own.content, '') } : systemMessage(systemPrompt)
  const asked = said.findLastIndex(({ role }) => role === 'user')
  const isFramed = before + after !== ''
  const shown = said.map((message, i) =>
    isFramed && i === asked ? { ...message, content: framed(before, message.content, after) } : message,
  )
  return [
    ...(system ? [system] : []),
    ...turns,
    ...shown,
    ...(isFramed && asked === -1 ? [{ role: 'user' as const, content: before + after }] : []),
  ]
}

const systemMessage = (content: string): Message => ({ role: 'system', content })

function shotsFor({ shots, shotsBy }: PromptRecipe, task: ShownTask): readonly Shot[] {
  if (shotsBy === undefined) return shots
  const group = groupOf(task, shotsBy)
  return shots.filter(shot => shot.group === group)
}

/** Characters up to which a template may repeat as it likes. */
const mostFreely = 256 * 1024

/** A template repeats its fields until the prompt is out of proportion. Nothing was rendered. */
export class PromptTooLargeError extends Error {
  override readonly name = 'PromptTooLargeError'
}

/** @throws PromptTooLargeError */
function requireProportion(template: string, fields: Readonly<Record<string, string>>): void {
  const used = new Map<string, number>()
  let size = template.length
  for (const [, name = ''] of template.matchAll(placeholder)) {
    if (!Object.hasOwn(fields, name)) continue
    used.set(name, (used.get(name) ?? 0) + 1)
    size += fields[name]?.length ?? 0
  }
  if (size <= mostFreely) return
  for (const [name, count] of used)
    if (count > mostRepeats)
      throw new PromptTooLargeError(
        `The prompt would have ${size.toLocaleString('en')} characters, because the template holds {${name}} ${count.toLocaleString('en')} times. Use it at most ${mostRepeats} times.`,
      )
}

const placeholder = /\{(\w+)\}/g

/** The fields that a template names, each once. */
export function fieldsIn(template: string): readonly string[] {
  return [...new Set(Array.from(template.matchAll(placeholder), ([, name = '']) => name))]
}

/** Replaces `{name}` by the field of that name; other braces stay, and a field's own braces are never expanded. @throws PromptTooLargeError */
export function fill(template: string, fields: Readonly<Record<string, string>>): string {
  requireProportion(template, fields)
  return template.replaceAll(placeholder, (whole, name: string) => (Object.hasOwn(fields, name) ? (fields[name] ?? whole) : whole))
}

/** `{choices}` is replaced by the answer choices, lettered from A, a line each. */
function withChoices(task: Pick<Task, 'fields' | 'choices'>): Readonly<Record<string, string>> {
  if (!task.choices) return task.fields
  const lines = task.choices.map((choice, i) => `${String.fromCharCode(65 + i)}) ${choice}`)
  return { ...task.fields, choices: lines.join('\n') }
}
