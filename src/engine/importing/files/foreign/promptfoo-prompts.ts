import { z } from 'zod'
import { framed } from '../../../../contract/messages/message-text.ts'
import { compileTemplate, isTemplate, nunjucks } from '../../templates/template.ts'
import { TemplateError } from '../../templates/template-error.ts'
import { RowError } from '../row.ts'
import { isConversation, readConversation, taskInput } from '../../messages/read-conversation.ts'
import type { ForeignInput } from './foreign-task.ts'
import type { MediaIntake } from '../../media/media-intake.ts'
import type { PromptfooCase } from './promptfoo-case.ts'
import type { SentFiles } from './promptfoo-files.ts'

export interface PromptfooPrompt {
  readonly raw: string
  readonly label: string
}

/** What prompts may refer to beside the variables of a test. */
interface PromptScope {
  readonly sent: SentFiles
  readonly intake: MediaIntake
  /** The environment, as far as the configuration states it. */
  readonly env: Readonly<Record<string, unknown>>
}

type Ask = (one: PromptfooCase) => ForeignInput

/**
 * What a test asks without a prompt: one of its variables.
 * @param input the variable; undefined where there is only one
 */
export function prepareQuestion(input: string | undefined): Ask {
  return one => ({ fields: { prompt_1: wrapped(one, questionOf(one.vars, input)) } })
}

/**
 * What each case asks: every prompt with the case's variables in it, as the fields `prompt_1`, `prompt_2` and so on.
 * @throws RowError for a prompt that cannot be read
 */
export function preparePrompts(prompts: readonly PromptfooPrompt[], scope: PromptScope): Ask {
  const templates = prompts.map(({ raw, label }) => {
    refuseUnknown(raw, label, scope)
    try {
      return promptTemplate(raw)
    } catch (error) {
      throw error instanceof TemplateError ? new RowError(`The prompt "${label.slice(0, 60)}": ${error.message}.`) : error
    }
  })
  return one => {
    const read = templates.map((template, i): ForeignInput => {
      try {
        const text = template.render({ ...one.vars, env: scope.env })
        const field = `prompt_${i + 1}`
        const asked = conversation(one, text, field, scope) ?? { fields: { [field]: wrapped(one, text) } }
        if (scope.sent.marked(JSON.stringify(asked)) !== null)
          throw new RowError(`A file stands within the text of the prompt ${i + 1}: it can be part of a message alone.`)
        return asked
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

/** @throws RowError for a prompt that asks with what no test has */
function refuseUnknown(raw: string, label: string, { env }: PromptScope): void {
  if (/\{[{%][^}]{0,2000}\b_conversation\b/.test(raw))
    throw new RowError(
      `The prompt "${label.slice(0, 60)}" asks with the answers to earlier tests ("_conversation"), and tests here are asked one by one. Write each conversation as one test.`,
    )
  const unknown = [...raw.matchAll(/\{[{%][^}]{0,2000}?\benv(?:\.|\[['"])(\w+)/g)].find(([, name = '']) => !Object.hasOwn(env, name))
  if (unknown)
    throw new RowError(
      `The prompt "${label.slice(0, 60)}" uses the environment variable "${unknown[1]?.slice(0, 60)}", which is not known here. State it under "env".`,
    )
}

/** @throws TemplateError */
export function promptTemplate(raw: string): Pick<ReturnType<typeof compileTemplate>, 'render'> {
  const whole = parsed(raw)
  const { render } = typeof whole === 'object' && whole !== null ? inJson(whole) : inText(raw)
  return { render: vars => render(resolvedVars(vars)) }
}

/** Passes over the variables that promptfoo makes. */
const mostPasses = 5
/** Of a variable with others in it. */
const mostCharacters = 4_000_000

/** Variables whose texts name others plainly (`{{name}}`) with those in them, as promptfoo puts them there before it renders a prompt. */
function resolvedVars(vars: PromptfooCase['vars']): PromptfooCase['vars'] {
  const found = { ...vars }
  for (let pass = 0; pass < mostPasses; pass++) {
    for (const [key, value] of Object.entries(found)) {
      if (typeof value !== 'string') continue
      const [mark, name = ''] = /\{\{\s*(\w+)\s*\}\}/.exec(value) ?? []
      const other = Object.hasOwn(found, name) ? found[name] : undefined
      // A list or an object is left to the template.
      if (mark === undefined || (typeof other !== 'string' && typeof other !== 'number' && typeof other !== 'boolean')) continue
      // Its text may hold patterns of `replace` (`$&`), which promptfoo follows as well.
      const text = value.replace(mark, String(other))
      if (text.length > mostCharacters) throw new TemplateError(`the variable "${key.slice(0, 60)}" becomes too long`)
      found[key] = text
    }
  }
  return found
}

/** Variables of a prompt that is a text may be templates with variables themselves; promptfoo leaves unclosed ones as they are. */
function inText(raw: string): Pick<ReturnType<typeof compileTemplate>, 'render'> {
  const template = compileTemplate(raw, nunjucks)
  const filled = (value: unknown, vars: PromptfooCase['vars']): unknown =>
    typeof value === 'string' && isTemplate(value) && !isUnclosed(value) ? compileTemplate(value, nunjucks).render(vars) : value
  return {
    render: vars =>
      // One that the prompt does not name may be a template that is not read here.
      template.render(
        Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, raw.includes(name) ? filled(value, vars) : value])),
      ),
  }
}

/** Whether a line begins what it does not close. */
function isUnclosed(text: string): boolean {
  return text.split('\n').some(line =>
    ['{%%', '{{}', '{##'].some(marks => {
      const begin = line.lastIndexOf(marks.slice(0, 2))
      return begin >= 0 && !line.includes(marks.slice(2), begin + 2)
    }),
  )
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
function conversation(
  { prefix = '', suffix = '' }: PromptfooCase,
  text: string,
  field: string,
  { sent, intake }: PromptScope,
): ForeignInput | null {
  const value = chatOf(text)
  if (value === null) return null
  const { messages, answer, left } = readConversation(value, field, found =>
    intake.reference({ ...found, reference: sent.marked(found.reference) ?? found.reference }, field),
  )
  if (answer !== null) throw new RowError(`The prompt "${field}" ends with an answer of the model; it must end with a question.`)
  intake.leave(left)
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return taskInput(
    prefix + suffix === ''
      ? messages
      : messages.map((message, i) => (i === asked ? { ...message, content: framed(prefix, message.content, suffix) } : message)),
    field,
  )
}

/** The messages of a prompt that is a list of them in JSON; null for any other. */
export function chatOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return null
  const value = messagesOf(parsed(text))
  return isConversation(value) ? value : null
}

const Part = z.looseObject({
  text: z.string().optional(),
  inline_data: z.looseObject({ mime_type: z.string(), data: z.string() }).optional(),
})
const Content = z.object({ role: z.string().default('user'), parts: z.array(Part) })
const Gemini = z.looseObject({
  contents: z.array(Content),
  system_instruction: z.looseObject({ parts: z.array(Part) }).optional(),
})

/** Gemini's form (`parts`, or `contents` of them) as messages; any other value as it is. */
function messagesOf(value: unknown): unknown {
  const list = z.array(Content).safeParse(value).data
  const whole = list ? { contents: list } : Gemini.safeParse(value).data
  if (!whole) return value
  const instruction = 'system_instruction' in whole ? whole.system_instruction : undefined
  return [...(instruction ? [{ role: 'system', parts: instruction.parts }] : []), ...whole.contents].map(({ role, parts }) => ({
    role,
    content: parts.map(({ text, inline_data: inline }) =>
      inline
        ? {
            type: inline.mime_type.startsWith('audio/') ? 'audio' : inline.mime_type.startsWith('image/') ? 'image' : 'document',
            source: inline,
          }
        : { type: 'text', text },
    ),
  }))
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
