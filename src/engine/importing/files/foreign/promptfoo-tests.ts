import type { TextFormat } from '../import-source.ts'
import { type Row, RowError } from '../row.ts'
import { assertions as knownAssertions } from '../../../grading/scorers/promptfoo/assertions.ts'
import { judgedTypes, needsJudge } from './judged-assertions.ts'
import { ungradedTypes } from './ungraded-assertions.ts'

/** `type: value`, `type(0.8): value` or `type` alone; without a type of promptfoo's the value must be equalled. */
const assertion = /^(?<type>(?:not-)?[a-z]+(?:-[a-z0-9]+)*)(?:\((?<threshold>[\d.]+)\))?(?::(?!\/\/)\s*(?<value>[\s\S]*))?$/
const spoken: Readonly<Record<string, string>> = { eval: 'javascript', fn: 'javascript', grade: 'llm-rubric' }
/** Every type that promptfoo knows, graded here or not, and how tables write some of them. */
const types: ReadonlySet<string> = new Set([
  ...Object.keys(knownAssertions),
  ...judgedTypes,
  ...ungradedTypes,
  'cost',
  'latency',
  'javascript',
  'python',
  'similar',
  ...Object.keys(spoken),
])
/** Types that need no value. */
const bare =
  /^(?:not-)?(?:(?:is|contains)-(?:json|xml|sql|html)|is-refusal|is-valid-[a-z-]{1,40}|latency|cost|moderation|guardrails|perplexity(?:-score)?|human)$/
/** Default threshold; in CSV only. */
const csvThreshold = new Map([['similar', 0.8], ...['levenshtein', 'latency', 'cost'].map(type => [type, 0.75] as const)])

/** How promptfoo writes tests as a table: a column a variable, `__expected` what must hold of the answer. */
export const promptfooTable: TextFormat = { kind: 'csv' }

/** What a row asks and how it is graded. @throws RowError */
export function itemOfRow(row: Row): Readonly<Record<string, unknown>> {
  const threshold = cell(row, '__threshold').trim()
  if (threshold !== '' && !Number.isFinite(Number(threshold)))
    throw new RowError(`"__threshold" is no number: "${threshold.slice(0, 40)}".`)
  const given = (name: string) => (Object.hasOwn(row.value, name) ? cell(row, name) : undefined)
  return {
    vars: varsOfRow(row),
    assert: expected(row),
    options: { prefix: given('__prefix'), suffix: given('__suffix') },
    description: given('__description'),
    ...(threshold !== '' && { threshold: Number(threshold) }),
  }
}

/** Every column but those that begin with two underscores. */
export function varsOfRow(row: Row): Readonly<Record<string, string>> {
  const names = Object.keys(row.value).filter(name => !name.startsWith('__'))
  return Object.fromEntries(names.map(name => [name, cell(row, name)]))
}

function expected(row: Row): Expected[] {
  const columns = Object.keys(row.value).filter(name => /^__expected\d*$/.test(name) && cell(row, name).trim() !== '')
  return columns.map(column => {
    const text = cell(row, column).trim()
    const config = cell(row, `__config:${column}:threshold`).trim()
    return withThreshold(oneAssertion(text), config)
  })
}

interface Expected {
  readonly type: string
  readonly value?: string
  readonly threshold?: number
}

function oneAssertion(text: string): Expected {
  const { type: written, threshold, value = '' } = assertion.exec(text)?.groups ?? {}
  if (written === undefined || !types.has(written.replace(/^not-/, ''))) return { type: 'equals', value: text }
  const type = spoken[written] ?? written
  if (value.trim() === '' && !bare.test(type) && !needsJudge(type)) throw new RowError(`The assertion "${type.slice(0, 60)}" has no value.`)
  const own = threshold === undefined ? csvThreshold.get(type.replace(/^not-/, '')) : Number(threshold)
  return {
    type,
    ...(value.trim() !== '' && { value: value.trim() }),
    ...(own !== undefined && { threshold: own }),
  }
}

function withThreshold(made: Expected, config: string): Expected {
  if (config === '') return made
  if (!Number.isFinite(Number(config))) throw new RowError(`A threshold of "__config" is no number: "${config.slice(0, 40)}".`)
  return { ...made, threshold: Number(config) }
}

function cell({ value }: Row, name: string): string {
  const found = Object.hasOwn(value, name) ? value[name] : ''
  return typeof found === 'string' ? found : typeof found === 'number' || typeof found === 'boolean' ? String(found) : ''
}
