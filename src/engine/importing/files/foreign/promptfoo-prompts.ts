import { framed } from '../../../../contract/index.ts'
import { compileTemplate, nunjucks } from '../../templates/template.ts'
import { TemplateError } from '../../templates/template-error.ts'
import { RowError } from '../row.ts'
import { isConversation, readConversation, taskInput } from '../../messages/read-conversation.ts'
import type { ForeignInput } from './foreign-task.ts'
import type { PromptfooCase } from './promptfoo-case.ts'

export interface PromptfooPrompt {
  readonly raw: string
  readonly label: string
}

/**
 * What each case asks: every prompt with the case's variables in it, as the fields `prompt_1`, `prompt_2` and so on.
 * @param prompts null where there are only tests, one of whose variables is the question
 * @param input that variable; undefined where there is only one
 * @throws RowError for a prompt that cannot be read
 */
export function preparePrompts(
  prompts: readonly PromptfooPrompt[] | null,
  input: string | undefined,
): (one: PromptfooCase) => ForeignInput {
  if (prompts === null) return one => ({ fields: { prompt_1: wrapped(one, questionOf(one.vars, input)) } })
  const templates = prompts.map(({ raw, label }) => {
    const whole = parsed(raw)
    if (/\{[{%][^}]*\benv\b/.test(raw))
      throw new RowError(`The prompt "${label.slice(0, 60)}" uses the environment, which is not known here.`)
    try {
      return typeof whole === 'object' && whole !== null ? inJson(whole) : compileTemplate(raw, nunjucks)
    } catch (error) {
      throw error instanceof TemplateError ? new RowError(`The prompt "${label.slice(0, 60)}": ${error.message}.`) : error
    }
  })
  return one => {
    const read = templates.map((template, i): ForeignInput => {
      try {
        const text = template.render(one.vars)
        const field = `prompt_${i + 1}`
        return conversation(one, text, field) ?? { fields: { [field]: wrapped(one, text) } }
      } catch (error) {
        throw error instanceof TemplateError ? new RowError(`The prompt ${i + 1}: ${error.message}.`) : error
      }
    })
    const conversations = Object.assign({}, ...read.map(prompt => prompt.conversations ?? {}))
    return {
      fields: Object.assign({}, ...read.map(({ fields }) => fields)),
      ...(Object.keys(conversations).length > 0 && { conversations }),
    }
  }
}

/** A prompt in JSON: its texts are templates, so that what fills them cannot break it. */
function inJson(whole: object): Pick<ReturnType<typeof compileTemplate>, 'render'> {
  const filled = (value: unknown, vars: PromptfooCase['vars']): unknown => {
    if (typeof value === 'string') return compileTemplate(value, nunjucks).render(vars)
    if (Array.isArray(value)) return value.map(item => filled(item, vars))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, vars)]))
  }
  filled(whole, {})
  return { render: vars => JSON.stringify(filled(whole, { ...vars }), null, 2) }
}

function wrapped({ prefix = '', suffix = '' }: PromptfooCase, text: string): string {
  const whole = prefix + text + suffix
  if (whole.trim() === '') throw new RowError('The prompt is empty.')
  return whole
}

/** A prompt may be a list of messages in JSON; null for any other. */
function conversation({ prefix = '', suffix = '' }: PromptfooCase, text: string, field: string): ForeignInput | null {
  if (!/^\s*\[/.test(text)) return null
  const value = parsed(text)
  if (!isConversation(value)) return null
  const { messages, answer } = readConversation(value, field)
  if (answer !== null) throw new RowError(`The prompt "${field}" ends with an answer of the model; it must end with a question.`)
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return taskInput(
    prefix + suffix === ''
      ? messages
      : messages.map((message, i) => (i === asked ? { ...message, content: framed(prefix, message.content, suffix) } : message)),
    field,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function questionOf(vars: PromptfooCase['vars'], input: string | undefined): string {
  const names = Object.keys(vars)
  const [only] = names
  const name = input ?? (names.length === 1 ? only : undefined)
  if (name === undefined)
    throw new RowError(
      `There are ${names.length} variables (${names.slice(0, 10).join(', ')}). Say in "mapping" which one holds the question as "input".`,
    )
  const value = vars[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  if (typeof value === 'number') return String(value)
  throw new RowError(value === undefined ? `The variable "${name}" is missing.` : `The variable "${name}" must be a text and not empty.`)
}
