import { joined } from '../../../contract/messages/message-text.ts'
import type { Message, MessageContent } from '../../../contract/messages/messages.schemas.ts'
import { mostRepeats } from '../../tasks/prompt-limits.ts'
import { letteredChoices } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { choicesField, groupOf, type Shot, type Task } from '../../tasks/task.ts'

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

/** The part of a task that a prompt depends on. */
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

/** The first field of a template that stands for a conversation; the choices only where the question is not a conversation. */
function givenConversation(template: string, { conversations }: ShownTask): GivenConversation | null {
  if (!conversations) return null
  const found = Array.from(template.matchAll(placeholder)).flatMap(({ 0: mark, 1: name = '', index }) => {
    const messages = Object.hasOwn(conversations, name) ? conversations[name] : undefined
    return messages ? [{ name, messages, start: index, end: index + mark.length }] : []
  })
  return found.find(({ name }) => name !== choicesField) ?? found[0] ?? null
}

/** A part of a template with its fields; files of choices take the place of `{choices}`. */
function filled(template: string, task: ShownTask): MessageContent {
  const fields = withChoices(task)
  const [choices] = task.conversations?.[choicesField] ?? []
  const [before = '', ...others] = choices ? template.split(`{${choicesField}}`) : [template]
  return others.reduce<MessageContent>(
    (content, text) => joined(joined(content, choices?.content ?? ''), fill(text, fields)),
    fill(before, fields),
  )
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
  const before = joined(examples, filled(promptTemplate.slice(0, start), task))
  const after = filled(promptTemplate.slice(end), task)
  const [first, ...rest] = messages
  const own = first?.role === 'system' ? first : null
  const said = own ? rest : messages
  const system =
    systemPrompt === null ? own : own ? { ...own, content: joined(`${systemPrompt}\n\n`, own.content) } : systemMessage(systemPrompt)
  const asked = said.findLastIndex(({ role }) => role === 'user')
  const around = joined(before, after)
  const isFramed = around !== ''
  const shown = said.map((message, i) =>
    isFramed && i === asked ? { ...message, content: joined(joined(before, message.content), after) } : message,
  )
  return [
    ...(system ? [system] : []),
    ...turns,
    ...shown,
    ...(isFramed && asked === -1 ? [{ role: 'user' as const, content: around }] : []),
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
  if (largestPrompt(template, fields) <= mostFreely) return
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

/** Characters that a prompt has at most, without a look at which fields its template names: each brace stands for the longest. */
function largestPrompt(template: string, fields: Readonly<Record<string, string>>): number {
  let longest = 0
  for (const name in fields) longest = Math.max(longest, fields[name]?.length ?? 0)
  let size = template.length
  for (let at = template.indexOf('{'); at !== -1; at = template.indexOf('{', at + 1)) size += longest
  return size
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

function withChoices({ fields, choices }: Pick<Task, 'fields' | 'choices'>): Readonly<Record<string, string>> {
  return choices ? { ...fields, [choicesField]: letteredChoices(choices) } : fields
}
