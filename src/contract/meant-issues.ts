import type { z } from 'zod'
import { shownValue, typeNames } from './value-names.ts'

type Issue = z.core.$ZodIssue
type UnionIssue = z.core.$ZodIssueInvalidUnion

/**
 * What is wrong with the choice that was meant. Of a union that is one branch where the value says which: by its type, by its discriminator
 * or by a field that the other branches lack. Otherwise it is every choice that there is.
 */
export function meantIssues(issues: readonly Issue[]): Issue[] {
  return issues.flatMap(issue => (issue.code === 'invalid_union' ? ofUnion(issue) : [issue]))
}

function ofUnion(issue: UnionIssue): Issue[] {
  const isKnownText = issue.message.startsWith('Invalid discriminator value')
  if (isKnownText && 'options' in issue && Array.isArray(issue.options)) return [unknownDiscriminator(issue, issue.options)]
  const branches = issue.errors.map(branch => meantIssues(branch))
  if (branches.length === 0) return [issue]
  const fitting = branches.filter(branch => !branch.some(isOfAnotherType))
  if (fitting.length === 0) return [wrongType(issue, branches.flat().filter(isOfAnotherType))]
  const best = unknownKind(fitting) ?? lacking(issue, fitting) ?? fitting.toSorted((a, b) => score(a) - score(b))[0] ?? []
  return best.map(inner => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

function unknownDiscriminator(issue: UnionIssue, options: readonly unknown[]): Issue {
  const name = issue.path.at(-1) ?? ''
  const input: unknown = typeof issue.input === 'object' && issue.input !== null ? Reflect.get(issue.input, name) : undefined
  const values = options.map(value => (typeof value === 'string' || typeof value === 'boolean' ? value : String(value)))
  return { code: 'invalid_value', path: issue.path, message: issue.message, values, input }
}

/** A value of no branch's type, or a constant of none. */
function isOfAnotherType(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || issue.code === 'invalid_value' || choicesOf(issue) !== null
}

/** The choices of a union that `wrongType` has described. */
function choicesOf(issue: Issue): readonly string[] | null {
  const choices: unknown = issue.code === 'custom' ? issue.params?.['choices'] : undefined
  return Array.isArray(choices) ? choices.map(String) : null
}

function wrongType(issue: UnionIssue, complaints: readonly Issue[]): Issue {
  const choices = [...new Set(complaints.flatMap(nameChoices))]
  const not = issue.input === undefined ? '' : `, not ${shownValue(issue.input)}`
  return { code: 'custom', path: issue.path, message: `must be ${oneOf(choices)}${not}`, params: { choices } }
}

function nameChoices(issue: Issue): readonly string[] {
  if (issue.code === 'invalid_type') return [typeNames[issue.expected] ?? issue.expected]
  if (issue.code === 'invalid_value') return issue.values.map(value => JSON.stringify(value))
  return choicesOf(issue) ?? []
}

function oneOf(choices: readonly string[]): string {
  const last = choices.some(choice => choice.includes(' and ')) ? ', or ' : ' or '
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')}${last}${choices.at(-1) ?? ''}`
}

/** Where no branch knows the kind, every kind that one does: the branch that came furthest would name its own alone. */
function unknownKind(branches: readonly (readonly Issue[])[]): Issue[] | null {
  const complaints = branches.map(branch =>
    branch.find(
      (one): one is z.core.$ZodIssueInvalidValue => one.code === 'invalid_value' && one.path.length === 1 && one.path[0] === 'kind',
    ),
  )
  const [first] = complaints
  if (!first || complaints.includes(undefined)) return null
  return [{ ...first, values: [...new Set(complaints.flatMap(complaint => complaint?.values ?? []))] }]
}

/** Where each branch lacks fields that others do not, and none knows more of those that are there: what each would need. */
function lacking(issue: UnionIssue, branches: readonly (readonly Issue[])[]): Issue[] | null {
  const missing = branches.map(branch => branch.filter(isMissing))
  const inAll = (missing[0] ?? []).filter(({ path: [name] }) => missing.every(lacks => lacks.some(({ path: [other] }) => other === name)))
  const forms = missing.map(lacks =>
    lacks.flatMap(({ path: [name] }) => (inAll.some(({ path: [common] }) => common === name) ? [] : [JSON.stringify(name)])).join(' and '),
  )
  const [first = [], ...others] = branches.map(unknownKeys)
  if (branches.length < 2 || forms.includes('') || others.some(keys => keys.length !== first.length)) return null
  const keys = first.filter(key => others.every(known => known.includes(key)))
  const unknown: Issue[] = keys.length > 0 ? [{ code: 'unrecognized_keys', keys: [...keys], path: [], message: issue.message }] : []
  const choices = [...new Set(forms)]
  return [...inAll, { code: 'custom', path: [], message: `must have ${oneOf(choices)}`, params: { forms } }, ...unknown]
}

function isMissing(issue: Issue): boolean {
  if (issue.path.length !== 1 || (issue.code !== 'invalid_type' && issue.code !== 'invalid_value')) return false
  return 'input' in issue ? issue.input === undefined : issue.message.endsWith('received undefined')
}

function unknownKeys(branch: readonly Issue[]): readonly string[] {
  return branch.flatMap(issue => (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : []))
}

/** Fewer complaints, and none about the discriminator, means closer to what was meant. */
function score(issues: readonly Issue[]): number {
  return issues.length + (issues.some(({ path }) => path[0] === 'kind') ? 100 : 0)
}
