import type { TextFormat } from '../import-source.ts'
import { type Row, RowError } from '../row.ts'
import { needsJudge } from './judged-assertions.ts'

/** `type: value` or `type(0.8): value`; without a type the value must be equalled. */
const assertion = /^(?<type>(?:not-)?[a-z]+(?:-[a-z0-9]+)*)(?:\((?<threshold>[\d.]+)\))?:(?!\/\/)\s*(?<value>[\s\S]*)$/
/** Types that need no value. */
const bare = /^(?:not-)?(?:is-json|latency|cost)$/
/** Default threshold; in CSV only. */
const csvThreshold = new Map(['levenshtein', 'latency', 'cost'].map(type => [type, 0.75]))

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
  if (bare.test(text) || needsJudge(text)) return { type: text }
  const { type, threshold, value = '' } = assertion.exec(text)?.groups ?? {}
  if (type === undefined) return { type: 'equals', value: text }
  if (value.trim() === '' && !bare.test(type) && !needsJudge(type)) throw new RowError(`The assertion "${type.slice(0, 60)}" has no value.`)
  const own = threshold === undefined ? csvThreshold.get(type.replace(/^not-/, '')) : Number(threshold)
  return {
    type: /^(?:fn|eval)$/.test(type) ? 'javascript' : type,
    ...(!bare.test(type) && { value: value.trim() }),
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
