import { pyEquals, type PyValue } from '../python/values.ts'
import { fieldsOf, type FunctionCall } from './read-calls.ts'

type Kind = PyValue['type']

/** How a function is documented: its required parameters and the type of each. */
export interface FunctionDoc {
  readonly required: readonly string[]
  /** By name; the type of the items where it is a list. */
  readonly types: ReadonlyMap<string, { readonly type: string; readonly items: string | null }>
}

const kinds: Readonly<Record<string, Kind>> = {
  string: 'str',
  integer: 'int',
  float: 'float',
  boolean: 'bool',
  array: 'list',
  tuple: 'list',
  dict: 'dict',
  any: 'str',
}

/**
 * Why a call is not the expected one under BFCL's rules for Python; null where it is.
 * @param wanted accepted values by parameter; an empty text among them says that it may be absent
 * @param doc null where the task has none: types are those of the accepted values then
 */
export function callFault(
  call: FunctionCall,
  name: string,
  wanted: ReadonlyMap<string, readonly PyValue[]>,
  doc: FunctionDoc | null,
): string | null {
  // Providers take no points in names, so that an underscore stands for one.
  if (call.name !== name && call.name !== name.replaceAll('.', '_')) return `${call.name} is called instead of ${name}`
  const absent = doc?.required.find(param => !call.args.has(param))
  if (absent !== undefined) return `${absent} is missing`
  for (const [param, value] of call.args) {
    const accepted = wanted.get(param)
    const type = doc?.types.get(param) ?? null
    if (!accepted || (doc && !type)) return `${param} is not expected`
    const fault = valueFault(value, accepted, type)
    if (fault !== null) return `${param} ${fault}`
  }
  const left = [...wanted].find(([param, accepted]) => !call.args.has(param) && !accepted.some(isAbsent))
  return left ? `${left[0]} is missing` : null
}

function isAbsent(value: PyValue): boolean {
  return value.type === 'str' && value.value === ''
}

function valueFault(given: PyValue, accepted: readonly PyValue[], type: { readonly type: string; readonly items: string | null } | null) {
  const acceptedKind = accepted.find(value => !isAbsent(value))?.type ?? null
  const expected = type ? (kinds[type.type] ?? 'str') : (acceptedKind ?? given.type)
  const isFloat = type ? type.type === 'float' : accepted.some(value => value.type === 'float')
  const value = asExpected(given, expected === 'list' && (type === null || type.type === 'tuple'), isFloat)
  const items = type?.items == null ? null : (kinds[type.items] ?? 'str')
  const isNested = items !== null && value.type === 'list' && expected === 'list'
  const isOfType = value.type === expected || (type === null && isFloat && value.type === 'float')
  const isTyped =
    isOfType && (!isNested || accepted.some(one => one.type !== 'list' || value.items.every(item => fits(item, one.items, items))))
  // A value of the accepted values' type is a variable where the documentation says another.
  if (!isTyped && value.type !== acceptedKind) return `has the type ${value.type} instead of ${expected}`
  const isVariable = isTyped ? acceptedKind !== null && acceptedKind !== expected && !(isFloat && acceptedKind === 'int') : true
  return isAccepted(value, accepted, isVariable ? null : expected, items) ? null : 'has another value'
}

function asExpected(value: PyValue, isTuple: boolean, isFloat: boolean): PyValue {
  if (value.type === 'tuple' && isTuple) return { type: 'list', items: value.items }
  return isFloat && value.type === 'int' ? { type: 'float', value: Number(value.value) } : value
}

function fits(item: PyValue, accepted: readonly PyValue[], kind: Kind): boolean {
  return item.type === kind || item.type === accepted.find(one => !isAbsent(one))?.type
}

function isAccepted(value: PyValue, accepted: readonly PyValue[], kind: Kind | null, items: Kind | null): boolean {
  if (kind === 'dict') return accepted.some(one => isDictOf(value, one))
  if (kind === 'list' && (items === 'dict' || (items === null && value.type === 'list' && value.items[0]?.type === 'dict')))
    return accepted.some(
      one =>
        one.type === 'list' &&
        value.type === 'list' &&
        one.items.length === value.items.length &&
        one.items.every((other, i) => isDictOf(value.items[i] ?? other, other)),
    )
  // The mark of an optional list is read as an empty one.
  if (kind === 'list' && value.type === 'list' && value.items.length === 0 && accepted.some(isAbsent)) return true
  if (kind === 'str' || kind === 'list') return accepted.some(one => pyEquals(standard(value), standard(one)))
  return accepted.some(one => pyEquals(value, one))
}

/** A dictionary whose values are each among those that are accepted for its key. */
function isDictOf(value: PyValue, accepted: PyValue): boolean {
  const [given, wanted] = [fieldsOf(value), fieldsOf(accepted)]
  if (!given || !wanted) return false
  const list = (one: PyValue | undefined): readonly PyValue[] => (one?.type === 'list' ? one.items : [])
  return (
    [...given].every(([key, one]) => list(wanted.get(key)).some(other => pyEquals(standardText(one), standardText(other)))) &&
    [...wanted].every(([key, one]) => given.has(key) || list(one).some(isAbsent))
  )
}

/** Texts without blanks and punctuation, in lower case, also within a list. */
function standard(value: PyValue): PyValue {
  return value.type === 'list' ? { type: 'list', items: value.items.map(standardText) } : standardText(value)
}

function standardText(value: PyValue): PyValue {
  if (value.type !== 'str') return value
  return {
    type: 'str',
    value: value.value
      .replaceAll(/[ ,./\-_*^]/g, '')
      .toLowerCase()
      .replaceAll("'", '"'),
  }
}
