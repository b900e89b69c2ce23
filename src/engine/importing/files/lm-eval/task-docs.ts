import { choiceLabel } from '../../../grading/scorers/inspect-ai/multiple-choice.ts'
import { labelTargetsKey } from '../../../grading/scorers/lm-eval/measured-choices.ts'
import { parsePythonLiteral } from '../../../grading/scorers/python/literal.ts'
import { reprFloat } from '../../../grading/scorers/python/numbers.ts'
import { isSpaceCode } from '../../../grading/scorers/python/strings.ts'
import type { PyValue } from '../../../grading/scorers/python/values.ts'
import type { Shot, Task } from '../../../tasks/task.ts'
import { pythonRepr, pythonText } from '../../templates/python-text.ts'
import { plainNumber } from '../../templates/whole-float.ts'
import { compileTemplate, isTemplate, jinja } from '../../templates/template.ts'
import { TemplateError } from '../../templates/template-error.ts'
import type { MediaIntake } from '../../media/media-intake.ts'
import { placeMedia } from '../../media/place-media.ts'
import { checkConversation } from '../../messages/read-conversation.ts'
import { type Row, RowError } from '../row.ts'
import { withPythonFloats } from '../written-numbers.ts'
import { isWithoutContext, type TaskConfig } from './task-config.ts'

/** Reads the documents of a task's data set as its templates say. */
export interface TaskDocs {
  /** @param part from 0, of a split in several files */
  task(row: Row, part: number): Task
  shot(row: Row): Shot
}

type Doc = Row['value']
/** The value of a task's key, rendered for a document. */
type Field = (doc: Doc) => unknown

/** Metadata that names the task of a group, and the group below the outermost one. */
export const subtaskKey = 'subtask'
export const subgroupKey = 'group'

/** Fields beside the question that the prompts of a set name. */
export interface ShownFields {
  readonly description: boolean
  readonly gen_prefix: boolean
}

/** The place of a task in its group. */
interface Place {
  /** As it is shown. */
  readonly name: string
  readonly task: string
  readonly group: string | null
}

/**
 * @param place null where the task is alone
 * @param shown given to every task, empty where its own settings have none
 * @param intake takes the pictures and sounds of rows
 * @throws TemplateError naming the key whose template cannot be read
 */
export function taskDocs(config: TaskConfig, place: Place | null, shown: ShownFields, intake: MediaIntake): TaskDocs {
  const text = field('doc_to_text', config.doc_to_text)
  const targetField = field('doc_to_target', config.doc_to_target)
  const target = (doc: Doc, choices: readonly string[] | null): unknown => {
    const value = targetField(doc)
    if (typeof value !== 'string') return value
    const isColumn = typeof config.doc_to_target === 'string' && Object.hasOwn(doc, config.doc_to_target)
    return isColumn ? columnTarget(value, choices) : literalIn(value, choices !== null)
  }
  const choice = config.doc_to_choice == null ? null : choiceField(config.doc_to_choice)
  const description = isTemplate(config.description) ? field('description', config.description) : () => config.description

  const prefix = config.gen_prefix ? field('gen_prefix', config.gen_prefix) : () => ''
  const prefixOf = (doc: Doc): string => pythonText(prefix(doc))

  const choicesOf = (doc: Doc): string[] | null => {
    if (!choice) return null
    const value = choice(doc)
    const list = typeof value === 'string' ? listIn(value) : value
    if (!Array.isArray(list) || list.length === 0) throw new RowError('"doc_to_choice" gives no list of choices.')
    return list.map(pythonText)
  }
  const textOf = (doc: Doc): string => {
    const value = text(doc)
    if (typeof plainNumber(value) === 'number')
      throw new RowError('"doc_to_text" gives a number: tasks whose contexts are the choices cannot be imported.')
    return pythonText(value)
  }

  return {
    task: (row, part) => {
      const doc = withPythonFloats(row.value)
      const choices = choicesOf(doc)
      const answer = answerOf(target(doc, choices), choices, config.output_type)
      const intro = config.description === '' ? '' : pythonText(description(doc))
      const isRolling = config.output_type === 'loglikelihood_rolling'
      const question = isRolling ? (answer.targets[0] ?? '') : textOf(doc)
      if (isRolling && question === '') throw new RowError('"doc_to_target" is empty: there is no text to measure.')
      const begun = delimited(question, prefixOf(doc), config.target_delimiter).slice(question.length)
      // A completions endpoint gives no likelihood for the first token of a text.
      if (
        config.output_type !== 'generate_until' &&
        intro + question + begun === '' &&
        (config.num_fewshot ?? 0) === 0 &&
        !isWithoutContext(config)
      )
        throw new RowError(
          '"doc_to_text" is empty here and not in other rows, and only some models measure a likelihood without a text before it.',
        )
      return {
        id: `${place ? `${place.task}/` : ''}${part === 0 ? '' : `part-${part + 1}-`}doc-${row.position - 1}`,
        split: 'test',
        // In the order of the prompt, which a preview shows them in.
        fields: {
          ...(shown.description && { description: intro }),
          text: question,
          ...(shown.gen_prefix && { gen_prefix: begun }),
        },
        ...filesOf(config, row.value, question, intake),
        targets: answer.targets,
        choices: measuredOf(config.output_type, choices, answer),
        metadata: {
          ...(config.output_type === 'multiple_choice'
            ? { answer_template: 'ANSWER: {answer}', ...(answer.areLabels && { [labelTargetsKey]: true }) }
            : { reference_output: answer.targets[0] ?? '', ...listed(choices ?? row.value['choices']) }),
          ...(place && { [subtaskKey]: place.name, ...(place.group !== null && { [subgroupKey]: place.group }) }),
        },
        capabilities: [],
        dependsOn: [],
      }
    },
    shot: row => {
      if (mediaKeys.some(key => config[key] != null))
        throw new RowError('This row is a worked example with files, and worked examples are text. Set "num_fewshot" to 0.')
      const doc = withPythonFloats(row.value)
      const choices = choicesOf(doc)
      const { text: solution } = answerOf(target(doc, choices), choices, config.output_type)
      return {
        fields: { shot: exampleOf(config, textOf(doc), prefixOf(doc), solution) },
        ...(place && { group: place.name }),
      }
    },
  }
}

const mediaKeys = ['doc_to_image', 'doc_to_audio'] as const

/** A question with its pictures and sounds where the harness marks them (`<image>`), else before it, as its models of an API get them. */
function filesOf(config: TaskConfig, doc: Doc, question: string, intake: MediaIntake): Pick<Task, 'conversations'> {
  const media = new Map(
    mediaKeys.flatMap(key => {
      const source = config[key]
      if (source == null) return []
      const columns = (Array.isArray(source) ? source : [source]).map(name => /^\{\{\s*(\w+)\s*\}\}$/.exec(name)?.[1] ?? name)
      const missing = columns.find(name => !Object.hasOwn(doc, name))
      if (missing !== undefined) throw new RowError(`"${key}" names the column "${missing.slice(0, 60)}", which the row lacks.`)
      return [[key, columns.flatMap(name => (doc[name] == null ? [] : intake.cell(doc[name], name)))] as const]
    }),
  )
  if ([...media.values()].every(parts => parts.length === 0)) return {}
  const content = placeMedia(question, media)
  checkConversation([{ role: 'user', content }], 'doc_to_image')
  return { conversations: { text: [{ role: 'user', content }] } }
}

/** A question with what its answer begins with and its answer. As in the harness, one without an answer is not set off from what follows. */
function exampleOf(config: TaskConfig, question: string, prefix: string, solution: string): string {
  const { target_delimiter: delimiter, fewshot_delimiter: end } = config
  const begun = delimited(question, prefix, delimiter)
  if (solution === '') return begun
  return prefix === '' ? question + delimiter + solution + end : delimited(begun, solution, ' ') + end
}

/** Two texts with a delimiter between them where there are both and neither has white space there. */
function delimited(first: string, second: string, delimiter: string): string {
  const isOpen = first !== '' && second !== '' && !isSpaceCode(first.charCodeAt(first.length - 1)) && !isSpaceCode(second.charCodeAt(0))
  return first + (isOpen ? delimiter : '') + second
}

/** What a model measures instead of answering; null where it answers. */
function measuredOf(kind: string, choices: readonly string[] | null, { targets }: Answer): readonly string[] | null {
  if (kind === 'loglikelihood' || kind === 'loglikelihood_rolling') return targets.slice(0, 1)
  return kind === 'multiple_choice' ? choices : null
}

/** Choices for a filter that looks for them in the answer. */
function listed(choices: unknown): { choices?: string[] } {
  return Array.isArray(choices) && choices.every(choice => typeof choice === 'string') ? { choices } : {}
}

/** A list may hold a template for each choice. */
function choiceField(source: string | readonly string[]): Field {
  if (typeof source === 'string' || !source.some(isTemplate)) return field('doc_to_choice', source)
  const each = source.map(one => (isTemplate(one) ? field('doc_to_choice', one) : () => one))
  return doc => each.map(render => render(doc))
}

/** The name of a column selects it; any other text is a template. */
function field(key: string, source: string | number | readonly string[]): Field {
  if (typeof source !== 'string') return () => source
  const template = compiled(key, source)
  let isColumn: boolean | null = null
  return doc => {
    const has = Object.hasOwn(doc, source)
    // Or the name of a column would be the answer of the rows that lack it.
    if (isColumn !== null && isColumn !== has)
      throw new RowError(
        `"${key}" is "${source.slice(0, 60)}", a field that ${has ? 'earlier rows lack' : 'earlier rows have and this one lacks'}.`,
      )
    isColumn = has
    if (has) return doc[source]
    try {
      return template.render(doc)
    } catch (error) {
      throw error instanceof TemplateError ? new RowError(`"${key}": ${error.message}.`) : error
    }
  }
}

function compiled(key: string, source: string) {
  try {
    return compileTemplate(source, jinja)
  } catch (error) {
    throw error instanceof TemplateError ? new TemplateError(`"${key}": ${error.message}`) : error
  }
}

interface Answer {
  readonly targets: string[]
  /** As a worked example shows it. */
  readonly text: string
  /** A target is a label that is the text of another choice, too. */
  readonly areLabels?: true
}

function answerOf(given: unknown, choices: readonly string[] | null, outputType: string): Answer {
  if (outputType === 'multiple_choice') {
    if (!choices) throw new RowError('The task has no "doc_to_choice".')
    const places = (Array.isArray(given) ? given : [given]).map(one => positionOf(one, choices))
    const [at] = places
    if (at === undefined) throw new RowError('"doc_to_target" gives an empty list.')
    const isShared = places.some(place => ![-1, place].includes(choices.indexOf(choiceLabel(place))))
    return { targets: places.map(choiceLabel), text: choices[at] ?? '', ...(isShared && { areLabels: true }) }
  }
  if (Array.isArray(given)) {
    const targets = given.map(pythonText)
    if (targets.length === 0) throw new RowError('"doc_to_target" gives an empty list.')
    return { targets, text: targets[0] ?? '' }
  }
  const at = plainNumber(given)
  const text = choices && typeof at === 'number' ? choices[at] : pythonText(given)
  if (text === undefined) throw new RowError(`"doc_to_target" is ${pythonText(given)}, but there are ${choices?.length ?? 0} choices.`)
  return { targets: [text], text }
}

function positionOf(given: unknown, choices: readonly string[]): number {
  const value = plainNumber(given)
  const at = typeof value === 'string' ? choices.indexOf(value) : typeof value === 'boolean' ? Number(value) : value
  if (typeof at === 'number' && Number.isInteger(at) && at >= 0 && at < choices.length) return at
  throw new RowError(`"doc_to_target" is ${pythonText(value).slice(0, 60)}, which is none of the ${choices.length} choices.`)
}

/** A column is taken as it is; digits that are none of the choices are a position, since a table may hold nothing but texts. */
function columnTarget(text: string, choices: readonly string[] | null): unknown {
  return choices && !choices.includes(text) && /^\d+$/.test(text) ? Number(text) : text
}

/** The meaning of a rendered target: a position where there are choices, a list in brackets, otherwise itself. */
function literalIn(text: string, hasChoices: boolean): unknown {
  if (hasChoices && /^\d+$/.test(text)) return Number(text)
  return text.length >= 2 && text.startsWith('[') && text.endsWith(']') ? (listIn(text) ?? text) : text
}

/** A list as Python writes it; null for anything else. */
function listIn(text: string): unknown[] | null {
  const value = parsePythonLiteral(text)
  return value?.type === 'list' || value?.type === 'tuple' ? value.items.map(plain) : null
}

function plain(value: PyValue): unknown {
  switch (value.type) {
    case 'none':
      return null
    case 'str':
    case 'bool':
      return value.value
    case 'float':
      return Number.isInteger(value.value) ? reprFloat(value.value) : value.value
    case 'int':
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : String(value.value)
    case 'list':
    case 'tuple':
    case 'dict':
      return nested(value)
    default:
      throw new RowError(`A list of the task has a value of the Python type "${value.type}", which cannot be read.`)
  }
}

/** A value within a list as Python writes it, where a number has no quotes. */
function nested(value: PyValue): string {
  switch (value.type) {
    case 'float':
      return reprFloat(value.value)
    case 'int':
      return String(value.value)
    case 'list':
      return `[${value.items.map(nested).join(', ')}]`
    case 'tuple':
      return `(${value.items.map(nested).join(', ')}${value.items.length === 1 ? ',' : ''})`
    case 'dict':
      return `{${value.entries.map(([key, inner]) => `${nested(key)}: ${nested(inner)}`).join(', ')}}`
    default:
      return pythonRepr(plain(value))
  }
}
