import { isSame, pythonText } from './python-text.ts'
import { plainNumber, pythonFloat, WholeFloat } from './whole-float.ts'
import { type Dialect, TemplateError } from './template-error.ts'
import type { Expression, SliceExpression, Statement } from './template-node.ts'
import { filters, items, methods, OperationError, scriptFilters } from './text-operations.ts'

/** Nodes evaluated in one rendering, and characters of what comes out: more than any prompt, less than would hold anything up. */
const mostSteps = 200_000
const mostCharacters = 4_000_000
const mostCounted = 10_000

type Values = Readonly<Record<string, unknown>>
type Binary = (left: unknown, right: unknown) => unknown

const constants: Values = { true: true, True: true, false: false, False: false, none: null, None: null, null: null }

/** Carries a checked template out over some values. @throws TemplateError */
export function evaluator(dialect: Dialect, values: Values): { text(body: readonly Statement[]): string } {
  const { isTruthy } = dialect
  let steps = 0
  let scope: Map<string, unknown> = new Map(Object.entries(values))
  /** Names that the template has set: in Nunjucks a loop sets those around it, and has others of the values for itself. */
  let made = new Set<string>()

  const step = (): void => {
    if (++steps > mostSteps) throw new TemplateError('it takes too many steps')
  }

  const text = (body: readonly Statement[]): string => {
    let out = ''
    for (const statement of body) {
      step()
      out += printed(statement)
      if (out.length > mostCharacters) throw new TemplateError('its text becomes too long')
    }
    return out
  }

  const printed = (statement: Statement): string => {
    switch (statement.type) {
      case 'Comment':
        return ''
      case 'If':
        return text(isTruthy(evaluate(statement.test)) ? statement.body : statement.alternate)
      case 'For':
        return loop(statement)
      case 'Set':
        if (statement.assignee.type !== 'Identifier') throw new TemplateError('only a name can be set')
        scope.set(statement.assignee.value, statement.value ? evaluate(statement.value) : text(statement.body))
        made.add(statement.assignee.value)
        return ''
      default: {
        const value = evaluate(statement)
        if (value !== undefined) return dialect.show(value)
        if (dialect.lenient) return ''
        throw new TemplateError(`${nameOf(statement)} is missing`)
      }
    }
  }

  const loop = ({ loopvar, iterable, body, defaultBlock }: Extract<Statement, { type: 'For' }>): string => {
    const list = looped(loopvar.value, need(iterable))
    if (list.length === 0) return text(defaultBlock)
    const outer = new Map(scope)
    const own = new Set(
      [loopvar.value]
        .flat()
        .map(name => (typeof name === 'string' ? name : name.value))
        .concat('loop'),
    )
    const around = made
    made = new Set([...around, ...own])
    let out = ''
    for (const [i, item] of list.entries()) {
      step()
      // In Jinja a round has names of its own.
      if (!dialect.lenient) scope = new Map(outer)
      bind(loopvar.value, item)
      const { length } = list
      scope.set('loop', {
        index: i + 1,
        index0: i,
        revindex: length - i,
        revindex0: length - i - 1,
        first: i === 0,
        last: i === length - 1,
        length,
      })
      out += text(body)
    }
    const isOfLoop = (name: string): boolean => !dialect.lenient || own.has(name) || !around.has(name)
    scope = new Map([...outer].map(([name, value]) => [name, isOfLoop(name) ? value : scope.get(name)]))
    made = around
    return out
  }

  /** Nunjucks loops over the pairs of an object where two names are given, and over nothing where there is nothing. */
  const looped = (names: string | readonly unknown[], value: unknown): readonly unknown[] => {
    if (!dialect.lenient) return items(value)
    if (typeof value !== 'object' || Array.isArray(value)) return items(value)
    return value === null || typeof names === 'string' ? [] : Object.entries(value)
  }

  const bind = (names: string | readonly { readonly value: string }[], item: unknown): void => {
    if (typeof names === 'string') scope.set(names, item)
    else for (const [i, { value }] of names.entries()) scope.set(value, items(item)[i])
  }

  /** A value that must be there, unless the dialect lets names be empty. */
  const need = (expression: Expression): unknown => {
    const value = evaluate(expression)
    if (value === undefined && !dialect.lenient) throw new TemplateError(`${nameOf(expression)} is missing`)
    return value ?? null
  }

  const evaluate = (expression: Expression): unknown => {
    step()
    switch (expression.type) {
      case 'StringLiteral':
      case 'IntegerLiteral':
        return expression.value
      case 'FloatLiteral':
        return pythonFloat(expression.value)
      case 'Identifier':
        return scope.has(expression.value)
          ? scope.get(expression.value)
          : Object.hasOwn(constants, expression.value)
            ? constants[expression.value]
            : undefined
      case 'ArrayLiteral':
      case 'TupleLiteral':
        return expression.value.map(need)
      case 'ObjectLiteral':
        return Object.fromEntries([...expression.value].map(([key, value]) => [pythonText(need(key)), need(value)]))
      case 'MemberExpression':
        return member(expression)
      case 'CallExpression':
        return call(expression)
      case 'FilterExpression':
        return filtered(expression)
      case 'TestExpression':
        return tested(expression)
      case 'BinaryExpression':
        return combined(expression)
      case 'UnaryExpression': {
        if (expression.operator.value === 'not') return !isTruthy(evaluate(expression.argument))
        const value = need(expression.argument)
        const number = Number(plainNumber(value))
        const signed = expression.operator.value === '-' ? -number : number
        return value instanceof WholeFloat ? pythonFloat(signed) : signed
      }
      case 'Ternary':
        return evaluate(isTruthy(evaluate(expression.condition)) ? expression.trueExpr : expression.falseExpr)
      case 'KeywordArgumentExpression':
        throw new TemplateError(`the argument "${expression.key.value}" is not read`)
      case 'SelectExpression':
        return isTruthy(evaluate(expression.test)) ? evaluate(expression.lhs) : ''
    }
  }

  const member = ({ object, property, computed }: Extract<Expression, { type: 'MemberExpression' }>): unknown => {
    const holder = need(object)
    if (property.type === 'SliceExpression') return slice(holder, property)
    const named = computed ? plainNumber(need(property)) : property.type === 'Identifier' ? property.value : null
    // As in Python, where True is 1; JavaScript looks for "true".
    const key = typeof named === 'boolean' && !dialect.lenient ? Number(named) : named
    const keyText = typeof key === 'object' && key !== null ? pythonText(key) : String(key)
    if (dialect.lenient && (Array.isArray(holder) || typeof holder === 'string'))
      return keyText === 'length' ? holder.length : /^\d+$/.test(keyText) ? holder[Number(keyText)] : undefined
    if (Array.isArray(holder) || typeof holder === 'string')
      return typeof key === 'number' || /^\d+$/.test(keyText) ? items(holder).at(Number(keyText)) : undefined
    if (typeof holder !== 'object' || holder === null) return undefined
    const name = dialect.lenient ? keyText : pythonText(Object.hasOwn(holder, pythonText(named)) ? named : key)
    return Object.hasOwn(holder, name) ? new Map<string, unknown>(Object.entries(holder)).get(name) : undefined
  }

  const slice = (holder: unknown, { start, stop, step: stride }: SliceExpression): unknown => {
    if (stride) throw new TemplateError('a slice with a step is not read')
    const bound = (of: Expression | undefined) => (of ? Number(plainNumber(need(of))) : undefined)
    const part = items(holder).slice(bound(start), bound(stop))
    return typeof holder === 'string' ? part.join('') : part
  }

  const call = ({ callee, args }: Extract<Expression, { type: 'CallExpression' }>): unknown => {
    if (callee.type === 'Identifier' && callee.value === 'range') return range(args.map(one => plainNumber(need(one))))
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') throw new TemplateError('only methods are called')
    const { value: name } = callee.property
    return operate(name, methods[name], need(callee.object), args)
  }

  const filtered = ({ operand, filter }: Extract<Expression, { type: 'FilterExpression' }>): unknown => {
    const named = filter.type === 'CallExpression' ? filter.callee : filter
    const name = named.type === 'Identifier' ? named.value : ''
    const args = filter.type === 'CallExpression' ? filter.args : []
    if (name === 'default') {
      const value = evaluate(operand)
      const isMissing = value === undefined || (args[1] !== undefined && isTruthy(evaluate(args[1])) && !isTruthy(value))
      return isMissing ? (args[0] ? need(args[0]) : '') : value
    }
    if (name === 'map') return items(need(operand)).map(item => attributes(item, attributeOf(filter)))
    const operation = dialect.lenient && Object.hasOwn(scriptFilters, name) ? scriptFilters[name] : filters[name]
    return operate(name, operation, need(operand), args)
  }

  const operate = (
    name: string,
    operation: ((value: unknown, ...args: readonly unknown[]) => unknown) | undefined,
    value: unknown,
    args: readonly Expression[],
  ): unknown => {
    try {
      return bounded(operation?.(value, ...args.map(need)))
    } catch (error) {
      throw error instanceof OperationError ? new TemplateError(`"${name}": ${error.message}`) : error
    }
  }

  const tested = ({ operand, negate, test }: Extract<Expression, { type: 'TestExpression' }>): boolean => {
    const value = plainNumber(evaluate(operand))
    const check = Object.hasOwn(tests, test.value) ? tests[test.value] : undefined
    if (!check) throw new TemplateError(`the test "${test.value}" is not read; there are ${Object.keys(tests).join(', ')}`)
    return check(value) !== negate
  }

  const combined = ({ operator: { value: operator }, left, right }: Extract<Expression, { type: 'BinaryExpression' }>): unknown => {
    if (operator === 'and') return isTruthy(evaluate(left)) ? evaluate(right) : evaluate(left)
    if (operator === 'or') return isTruthy(evaluate(left)) ? evaluate(left) : evaluate(right)
    if (operator === '==' || operator === '!=') return dialect.isSame(need(left), need(right)) === (operator === '==')
    if (operator === '~') return bounded(dialect.show(need(left)) + dialect.show(need(right)))
    const operation = Object.hasOwn(operations, operator) ? operations[operator] : undefined
    if (!operation) throw new TemplateError(`the operator "${operator}" is not read`)
    return bounded(operation(need(left), need(right)))
  }

  return { text }
}

/** Python's range, as far as anything is counted in a prompt. */
function range(bounds: readonly unknown[]): number[] {
  const numbers = bounds.map(Number)
  const [start = 0, stop = 0, stride = 1] = numbers.length === 1 ? [0, numbers[0]] : numbers
  const count = Math.ceil((stop - start) / stride)
  if (!numbers.every(Number.isInteger) || stride === 0 || !(count <= mostCounted))
    throw new TemplateError(`"range" takes one to three whole numbers, and counts to ${mostCounted} at most`)
  return Array.from({ length: Math.max(0, count) }, (_, i) => start + i * stride)
}

/** The path in `map(attribute='a.b')`, the only form of this filter that is read. */
export function attributeOf(filter: Expression): readonly string[] {
  const [only, second] = filter.type === 'CallExpression' ? filter.args : []
  if (only?.type === 'KeywordArgumentExpression' && !second && only.key.value === 'attribute' && only.value.type === 'StringLiteral')
    return only.value.value.split('.')
  throw new TemplateError(`the filter "map" is read with an attribute in quotes only, as in map(attribute='text')`)
}

function attributes(item: unknown, path: readonly string[]): unknown {
  let value = item
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) throw new TemplateError(`"${name}" is missing`)
    value = new Map<string, unknown>(Object.entries(value)).get(name)
  }
  return value
}

function bounded(value: unknown): unknown {
  if ((typeof value === 'string' || Array.isArray(value)) && value.length > mostCharacters)
    throw new TemplateError('its text becomes too long')
  return value
}

const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  defined: value => value !== undefined,
  undefined: value => value === undefined,
  none: value => value === null,
  string: value => typeof value === 'string',
  number: value => typeof value === 'number',
  boolean: value => typeof value === 'boolean',
  true: value => value === true,
  false: value => value === false,
  sequence: value => Array.isArray(value) || typeof value === 'string',
  mapping: value => typeof value === 'object' && value !== null && !Array.isArray(value),
}

const operations: Readonly<Record<string, Binary>> = {
  '<': (a, b) => ordered(a, b) < 0,
  '<=': (a, b) => ordered(a, b) <= 0,
  '>': (a, b) => ordered(a, b) > 0,
  '>=': (a, b) => ordered(a, b) >= 0,
  in: (a, b) => (typeof b === 'string' ? b.includes(String(a)) : items(b).some(item => isSame(item, a))),
  'not in': (a, b) => (typeof b === 'string' ? !b.includes(String(a)) : !items(b).some(item => isSame(item, a))),
  '+': (a, b) =>
    Array.isArray(a) && Array.isArray(b)
      ? [...a, ...b]
      : typeof a === 'string' && typeof b === 'string'
        ? a + b
        : calculated(a, b, (x, y) => x + y),
  '-': (a, b) => calculated(a, b, (x, y) => x - y),
  '*': (a, b) => calculated(a, b, (x, y) => x * y),
  '/': (a, b) => pythonFloat(numbers(a, b, (x, y) => x / y)),
  '//': (a, b) => calculated(a, b, (x, y) => Math.floor(x / y)),
  '%': (a, b) => calculated(a, b, (x, y) => ((x % y) + y) % y),
}

function ordered(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  return numbers(a, b, (x, y) => x - y)
}

/** A float where one of both is. */
function calculated(a: unknown, b: unknown, of: (a: number, b: number) => number): unknown {
  const isFloat = [a, b].some(value => value instanceof WholeFloat || (typeof value === 'number' && !Number.isInteger(value)))
  const result = numbers(a, b, of)
  return isFloat ? pythonFloat(result) : result
}

function numbers(a: unknown, b: unknown, of: (a: number, b: number) => number): number {
  const [left, right] = [a, b].map(value => (typeof value === 'boolean' ? Number(value) : plainNumber(value)))
  if (typeof left !== 'number' || typeof right !== 'number')
    throw new TemplateError(`${pythonText(a).slice(0, 40)} and ${pythonText(b).slice(0, 40)} are not both numbers`)
  return of(left, right)
}

function nameOf(expression: Expression): string {
  if (expression.type === 'Identifier') return `"${expression.value}"`
  if (expression.type === 'MemberExpression' && expression.property.type === 'Identifier') return `"${expression.property.value}"`
  return 'a value'
}
