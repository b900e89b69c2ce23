import type { Message } from '../../clients/model-client.ts'
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
  /** Metadata by which a task is shown only the examples of its own group; absent where all are shown the same. */
  readonly shotsBy?: string | undefined
}

/** What of a task a prompt depends on. */
type ShownTask = Pick<Task, 'fields' | 'choices' | 'metadata'>

/** The conversation that asks one task. The same recipe and task give the same text, to the byte. */
export function renderPrompt(recipe: PromptRecipe, task: ShownTask): Message[] {
  const { shotTemplate, introTemplate = '' } = recipe
  const examples =
    shotTemplate === null
      ? ''
      : shotsFor(recipe, task)
          .map(shot => fill(shotTemplate, shot.fields))
          .join('')
  const content = fill(introTemplate, task.fields) + examples + fill(recipe.promptTemplate, withChoices(task))
  const user: Message = { role: 'user', content }
  return recipe.systemPrompt === null ? [user] : [{ role: 'system', content: recipe.systemPrompt }, user]
}

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
