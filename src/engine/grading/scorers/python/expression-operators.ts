import { percentFormatted } from './expression-format.ts'
import { dictOf, membersOf } from './expression-items.ts'
import { addWork, mostItems, NotEvaluated, refuse } from './expression-limits.ts'
import { hashKey, numberOf, pyEquals, type PyValue } from './values.ts'

export type Operator = '|' | '^' | '&' | '<<' | '>>' | '+' | '-' | '*' | '/' | '//' | '%' | '**'

/** Bits of a whole number. */
const mostBits = 40_000

export function isTrue(value: PyValue): boolean {
  const number = numberOf(value)
  if (number !== null) return Number(number) !== 0
  if (value.type === 'str' || value.type === 'bytes') return value.value !== ''
  if ('items' in value) return value.items.length > 0
  return value.type === 'dict' ? value.entries.length > 0 : value.type !== 'none'
}

export function unary(sign: '-' | '+' | '~', value: PyValue): PyValue {
  const number = numberOf(value)
  if (typeof number === 'bigint') return { type: 'int', value: sign === '-' ? -number : sign === '~' ? ~number : number }
  if (number === null || sign === '~') throw new NotEvaluated()
  return { type: 'float', value: sign === '-' ? -number : number }
}

export function binary(operator: Operator, a: PyValue, b: PyValue): PyValue {
  const left = numberOf(a)
  const right = numberOf(b)
  if (left !== null && right !== null) return ofNumbers(operator, left, right, a.type === 'bool' && b.type === 'bool')
  if (operator === '+') return joined(a, b)
  if (operator === '*') return typeof right === 'bigint' ? repeated(a, right) : typeof left === 'bigint' ? repeated(b, left) : refuse()
  if (a.type === 'set' && b.type === 'set') {
    const [here, there] = [a, b].map(set => new Set(membersOf(set).map(hashKey)))
    const only = (set: readonly PyValue[], other = here) => set.filter(item => !other?.has(hashKey(item)))
    if (operator === '-') return { type: 'set', items: only(a.items, there) }
    if (operator === '&') return { type: 'set', items: a.items.filter(item => there?.has(hashKey(item))) }
    if (operator === '|') return { type: 'set', items: [...a.items, ...only(b.items, here)] }
    if (operator === '^') return { type: 'set', items: [...only(a.items, there), ...only(b.items, here)] }
  }
  if (operator === '|' && a.type === 'dict' && b.type === 'dict') return dictOf([...a.entries, ...b.entries])
  if (operator === '%' && a.type === 'str') return { type: 'str', value: percentFormatted(a.value, b.type === 'tuple' ? b.items : [b]) }
  throw new NotEvaluated()
}

function ofNumbers(operator: Operator, left: bigint | number, right: bigint | number, areBooleans: boolean): PyValue {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (areBooleans && '|&^'.includes(operator)) return { type: 'bool', value: whole(operator, left, right) !== 0n }
    if (operator === '/') return fraction(Number(left), Number(right))
    return operator === '**' && right < 0n ? float(Number(left) ** Number(right)) : { type: 'int', value: whole(operator, left, right) }
  }
  return fraction(Number(left), Number(right), operator)
}

function whole(operator: Operator, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return bitsOf(left) + bitsOf(right) > mostBits ? refuse() : left * right
    case '//':
      return right === 0n ? refuse() : (left - modulo(left, right)) / right
    case '%':
      return right === 0n ? refuse() : modulo(left, right)
    case '**':
      return right > BigInt(mostBits) || bitsOf(left) * Number(right) > mostBits ? refuse() : left ** right
    case '<<':
      return right < 0n || right > BigInt(mostBits) || bitsOf(left) > mostBits ? refuse() : left << right
    case '>>':
      return right < 0n ? refuse() : left >> right
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
    case '/':
      return refuse()
  }
}

/** The remainder with the sign of the divisor. */
function modulo(left: bigint, right: bigint): bigint {
  const rest = left % right
  return rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest
}

function bitsOf(value: bigint): number {
  return value.toString(16).length * 4
}

function fraction(left: number, right: number, operator: Operator = '/'): PyValue {
  if ((operator === '/' || operator === '//' || operator === '%') && right === 0) throw new NotEvaluated()
  const rest = left % right
  const values: Partial<Record<Operator, number>> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '//': Math.floor(left / right),
    '%': rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest,
    '**': left ** right,
  }
  const value = values[operator]
  // A negative number to a fraction is complex in Python.
  return value === undefined || (operator === '**' && Number.isNaN(value)) ? refuse() : float(value)
}

function float(value: number): PyValue {
  return { type: 'float', value }
}

function joined(a: PyValue, b: PyValue): PyValue {
  if ((a.type === 'str' || a.type === 'bytes') && b.type === a.type) {
    addWork(a.value.length + b.value.length)
    return { type: a.type, value: a.value + b.value }
  }
  if ((a.type === 'list' || a.type === 'tuple') && b.type === a.type) return { type: a.type, items: [...membersOf(a), ...membersOf(b)] }
  throw new NotEvaluated()
}

function repeated(value: PyValue, times: bigint): PyValue {
  const count = times < 0n ? 0 : Number(times)
  const length = value.type === 'str' ? value.value.length : 'items' in value ? value.items.length : refuse()
  if (length * count > mostItems) throw new NotEvaluated()
  addWork(length * count)
  if (value.type === 'str') return { type: 'str', value: value.value.repeat(count) }
  if (value.type !== 'list' && value.type !== 'tuple') throw new NotEvaluated()
  return { type: value.type, items: Array.from({ length: count }, () => value.items).flat() }
}

export function compare(operator: string, a: PyValue, b: PyValue): boolean {
  switch (operator) {
    case '==':
      return pyEquals(a, b)
    case '!=':
      return !pyEquals(a, b)
    case 'is':
      return a.type === b.type && pyEquals(a, b)
    case 'is not':
      return a.type !== b.type || !pyEquals(a, b)
    case 'in':
      return holds(b, a)
    case 'not in':
      return !holds(b, a)
    case '<':
      return areSets(a, b) ? isSubset(a, b) && !isSubset(b, a) : order(a, b) < 0
    case '>':
      return areSets(a, b) ? isSubset(b, a) && !isSubset(a, b) : order(a, b) > 0
    case '<=':
      return areSets(a, b) ? isSubset(a, b) : order(a, b) <= 0
    default:
      return areSets(a, b) ? isSubset(b, a) : order(a, b) >= 0
  }
}

function areSets(a: PyValue, b: PyValue): boolean {
  return a.type === 'set' && b.type === 'set'
}

function isSubset(a: PyValue, b: PyValue): boolean {
  const keys = new Set(membersOf(b).map(hashKey))
  return membersOf(a).every(item => keys.has(hashKey(item)))
}

function holds(container: PyValue, item: PyValue): boolean {
  if (container.type === 'str') return item.type === 'str' ? container.value.includes(item.value) : refuse()
  return membersOf(container).some(other => pyEquals(other, item))
}

/** Negative, zero or positive, as Python sorts; NaN compares to nothing. */
export function order(a: PyValue, b: PyValue): number {
  const left = numberOf(a)
  const right = numberOf(b)
  if (left !== null && right !== null) return left < right ? -1 : left > right ? 1 : Number(left) === Number(right) ? 0 : Number.NaN
  if (a.type === 'str' && b.type === 'str') {
    const [one, other] = [[...a.value], [...b.value]]
    const at = one.findIndex((char, i) => char !== other[i])
    if (at < 0) return one.length - other.length
    return other[at] === undefined ? 1 : (one[at]?.codePointAt(0) ?? 0) - (other[at].codePointAt(0) ?? 0)
  }
  if ((a.type !== 'list' && a.type !== 'tuple') || b.type !== a.type) throw new NotEvaluated()
  for (const [i, item] of a.items.entries()) {
    const other = b.items[i]
    if (other === undefined) return 1
    if (!pyEquals(item, other)) return order(item, other)
  }
  return a.items.length - b.items.length
}
