import type { Message } from '../model-clients/model-client.ts'
import type { Shot, Task } from '../tasks/task.ts'

/** The part of a profile that decides what the model is shown. */
export interface PromptRecipe {
  readonly systemPrompt: string | null
  readonly promptTemplate: string
  readonly shotTemplate: string | null
  readonly shots: readonly Shot[]
}

/** The conversation that asks one task. The same recipe and task give the same text, to the byte. */
export function renderPrompt(recipe: PromptRecipe, task: Pick<Task, 'fields' | 'choices'>): Message[] {
  const { shotTemplate } = recipe
  const examples = shotTemplate === null ? '' : recipe.shots.map(shot => fill(shotTemplate, shot.fields)).join('')
  const content = examples + fill(recipe.promptTemplate, withChoices(task))
  const user: Message = { role: 'user', content }
  return recipe.systemPrompt === null ? [user] : [{ role: 'system', content: recipe.systemPrompt }, user]
}

/** Replaces `{name}` by the field of that name; other braces stay, and a field's own braces are never expanded. */
export function fill(template: string, fields: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(fields, name) ? (fields[name] ?? whole) : whole))
}

/** `{choices}` stands for the answer choices, lettered from A, a line each. */
function withChoices(task: Pick<Task, 'fields' | 'choices'>): Readonly<Record<string, string>> {
  if (!task.choices) return task.fields
  const lines = task.choices.map((choice, i) => `${String.fromCharCode(65 + i)}) ${choice}`)
  return { ...task.fields, choices: lines.join('\n') }
}
