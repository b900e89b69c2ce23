import type { TextFormat } from '../import-source.ts'
import { type Row, RowError } from '../row.ts'
import { needsJudge } from './judged-assertions.ts'
import { checked, type CaseAssertion, type PromptfooCase } from './promptfoo-case.ts'

/** `type: value` or `type(0.8): value`; without a type the value must be equalled. */
const assertion = /^(?<type>(?:not-)?[a-z]+(?:-[a-z0-9]+)*)(?:\((?<threshold>[\d.]+)\))?:(?!\/\/)\s*(?<value>[\s\S]*)$/
/** Types that need no value. */
const bare = /^(?:not-)?is-json$/
/** Default threshold; in CSV only. */
const csvThreshold = new Map([['levenshtein', 0.75]])

/** How promptfoo writes tests as a table: a column a variable, `__expected` what must hold of the answer. */
export const promptfooTable: TextFormat = { kind: 'csv' }

/** What a row asks, without what must hold of the answer. */
export function questionOfRow(row: Row): PromptfooCase {
  const names = Object.keys(row.value)
  const vars = Object.fromEntries(names.filter(name => !name.startsWith('__')).map(name => [name, cell(row, name)]))
  const given = (name: string) => (Object.hasOwn(row.value, name) ? cell(row, name) : undefined)
  return { vars, assertions: [], prefix: given('__prefix'), suffix: given('__suffix') }
}

/** @throws RowError */
export function caseOfRow(row: Row): PromptfooCase {
  const threshold = cell(row, '__threshold').trim()
  if (threshold !== '' && !Number.isFinite(Number(threshold)))
    throw new RowError(`"__threshold" is no number: "${threshold.slice(0, 40)}".`)
  return { ...questionOfRow(row), assertions: expected(row), ...(threshold !== '' && { threshold: Number(threshold) }) }
}

function expected(row: Row): CaseAssertion[] {
  const columns = Object.keys(row.value).filter(name => /^__expected\d*$/.test(name) && cell(row, name).trim() !== '')
  if (columns.length === 0) throw new RowError('The row has no "__expected".')
  return columns.map(column => {
    const text = cell(row, column).trim()
    const config = cell(row, `__config:${column}:threshold`).trim()
    return withThreshold(oneAssertion(text), config)
  })
}

function oneAssertion(text: string): CaseAssertion {
  if (bare.test(text)) return checked({ type: text })
  if (needsJudge(text)) return { type: text }
  const { type, threshold, value = '' } = assertion.exec(text)?.groups ?? {}
  if (type === undefined) return { type: 'equals', value: text }
  if (value.trim() === '' && !bare.test(type)) throw new RowError(`The assertion "${type.slice(0, 60)}" has no value.`)
  const own = threshold === undefined ? csvThreshold.get(type.replace(/^not-/, '')) : Number(threshold)
  const made = { type, ...(bare.test(type) ? {} : { value: value.trim() }), ...(own !== undefined && { threshold: own }) }
  return needsJudge(type) ? made : checked(made)
}

function withThreshold(made: CaseAssertion, config: string): CaseAssertion {
  if (config === '') return made
  if (!Number.isFinite(Number(config))) throw new RowError(`A threshold of "__config" is no number: "${config.slice(0, 40)}".`)
  return { ...made, threshold: Number(config) }
}

function cell({ value }: Row, name: string): string {
  const found = Object.hasOwn(value, name) ? value[name] : ''
  return typeof found === 'string' ? found : typeof found === 'number' || typeof found === 'boolean' ? String(found) : ''
}
