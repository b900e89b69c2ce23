import { attributes, functions } from './expression-functions.ts'
import { addWork, NotEvaluated, refuse, startWork } from './expression-limits.ts'
import { binary, compare, isTrue, type Operator, unary } from './expression-operators.ts'
import { itemAt, itemsOf, sliceOf } from './expression-items.ts'
import { type Token, tokensOf } from './expression-tokens.ts'
import { NONE, type PyValue } from './values.ts'

type Scope = ReadonlyMap<string, PyValue>
/** An expression, to be evaluated with the variables of comprehensions around it. */
type Node = (scope: Scope) => PyValue

const deepest = 100
const constants: Readonly<Record<string, PyValue>> = {
  None: NONE,
  True: { type: 'bool', value: true },
  False: { type: 'bool', value: false },
}
const levels: readonly (readonly Operator[])[] = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%']]

/**
 * The value of an expression of Python, as `eval` gives it without any name of a program: literals, operators, subscripts, comprehensions
 * and the functions and methods of `expression-functions.ts`. Null for anything else, and for what raises.
 */
export function evaluateExpression(text: string): PyValue | null {
  startWork()
  try {
    return new Evaluator(tokensOf(text)).evaluate()
  } catch (error) {
    if (error instanceof NotEvaluated) return null
    throw error
  }
}

class Evaluator {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  evaluate(): PyValue {
    const node = this.#list('')
    if (this.#token().kind !== 'end') throw new NotEvaluated()
    return node(new Map())
  }

  #token(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: 'end', text: '' }
  }

  #take(text: string): boolean {
    const { kind, text: found } = this.#token()
    if (found !== text || (kind !== 'mark' && kind !== 'name')) return false
    this.#at++
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new NotEvaluated()
  }

  #counted(node: Node): Node {
    return scope => {
      addWork(scope.size + 20)
      return node(scope)
    }
  }

  /** One expression, or a tuple of several up to the closing mark. */
  #list(closing: string): Node {
    const first = this.#expression()
    if (this.#token().text !== ',') return first
    const nodes = [first]
    while (this.#take(',') && this.#token().text !== closing && this.#token().kind !== 'end') nodes.push(this.#expression())
    return scope => ({ type: 'tuple', items: nodes.map(node => node(scope)) })
  }

  #expression(): Node {
    if (++this.#depth > deepest) throw new NotEvaluated()
    const value = this.#either()
    let node = value
    if (this.#take('if')) {
      const condition = this.#either()
      this.#expect('else')
      const other = this.#expression()
      node = scope => (isTrue(condition(scope)) ? value(scope) : other(scope))
    }
    this.#depth--
    return this.#counted(node)
  }

  #either(): Node {
    let node = this.#both()
    while (this.#take('or')) {
      const [left, right] = [node, this.#both()]
      node = scope => {
        const value = left(scope)
        return isTrue(value) ? value : right(scope)
      }
    }
    return node
  }

  #both(): Node {
    let node = this.#negation()
    while (this.#take('and')) {
      const [left, right] = [node, this.#negation()]
      node = scope => {
        const value = left(scope)
        return isTrue(value) ? right(scope) : value
      }
    }
    return node
  }

  #negation(): Node {
    let negations = 0
    while (this.#take('not')) negations++
    const node = this.#comparison()
    return negations === 0 ? node : scope => ({ type: 'bool', value: isTrue(node(scope)) === (negations % 2 === 0) })
  }

  #comparison(): Node {
    const first = this.#binary(0)
    const rest: { readonly operator: string; readonly node: Node }[] = []
    for (let operator = this.#comparator(); operator !== null; operator = this.#comparator()) rest.push({ operator, node: this.#binary(0) })
    if (rest.length === 0) return first
    return scope => {
      let left = first(scope)
      for (const { operator, node } of rest) {
        const right = node(scope)
        if (!compare(operator, left, right)) return { type: 'bool', value: false }
        left = right
      }
      return { type: 'bool', value: true }
    }
  }

  #comparator(): string | null {
    const { kind, text } = this.#token()
    if (kind === 'name' && text === 'not' && this.#token(1).text === 'in') {
      this.#at += 2
      return 'not in'
    }
    if (!['==', '!=', '<', '>', '<=', '>=', 'in', 'is'].includes(text) || kind === 'string') return null
    this.#at++
    return text === 'is' && this.#take('not') ? 'is not' : text
  }

  #binary(level: number): Node {
    const operators = levels[level]
    if (!operators) return this.#signed()
    let node = this.#binary(level + 1)
    for (;;) {
      const operator = operators.find(each => this.#take(each))
      if (operator === undefined) return node
      const [left, right] = [node, this.#binary(level + 1)]
      node = this.#counted(scope => binary(operator, left(scope), right(scope)))
    }
  }

  #signed(): Node {
    const sign = (['-', '+', '~'] as const).find(each => this.#take(each))
    if (sign === undefined) return this.#power()
    if (++this.#depth > deepest) throw new NotEvaluated()
    const node = this.#signed()
    this.#depth--
    return scope => unary(sign, node(scope))
  }

  #power(): Node {
    const base = this.#postfix()
    if (!this.#take('**')) return base
    const exponent = this.#signed()
    return scope => binary('**', base(scope), exponent(scope))
  }

  #postfix(): Node {
    let node = this.#atom()
    for (;;) {
      const target = node
      if (this.#take('[')) {
        const access = this.#subscript()
        node = scope => access(target(scope), scope)
      } else if (this.#take('.')) {
        const name = this.#token().text
        const method = Object.hasOwn(attributes, name) ? attributes[name] : undefined
        this.#at++
        if (!method || !this.#take('(')) throw new NotEvaluated()
        const args = this.#args()
        node = this.#counted(scope => method(target(scope), ...args.positional(scope)))
      } else return node
    }
  }

  #subscript(): (value: PyValue, scope: Scope) => PyValue {
    const parts: (Node | null)[] = []
    let hasColon = false
    for (;;) {
      parts.push([':', ']'].includes(this.#token().text) ? null : this.#list(']'))
      if (!this.#take(':')) break
      hasColon = true
    }
    this.#expect(']')
    const [from = null, to = null, step = null] = parts
    if (hasColon) return (value, scope) => sliceOf(value, from?.(scope) ?? NONE, to?.(scope) ?? NONE, step?.(scope) ?? NONE)
    return (value, scope) => itemAt(value, from?.(scope) ?? NONE)
  }

  #args() {
    const nodes: { readonly name: string | null; readonly node: Node }[] = []
    while (!this.#take(')')) {
      const name = this.#token().kind === 'name' && this.#token(1).text === '=' ? this.#token().text : null
      if (name !== null) this.#at += 2
      const node = this.#expression()
      nodes.push({ name, node: this.#token().text === 'for' && name === null ? this.#comprehension('tuple', node) : node })
      if (this.#take(',')) continue
      this.#expect(')')
      break
    }
    return {
      positional: (scope: Scope) => nodes.map(({ name, node }) => (name === null ? node(scope) : refuse())),
      named: (scope: Scope) => ({
        args: nodes.filter(({ name }) => name === null).map(({ node }) => node(scope)),
        options: new Map(nodes.flatMap(({ name, node }) => (name === null ? [] : [[name, node(scope)] as const]))),
      }),
    }
  }

  #atom(): Node {
    const { kind, text, value } = this.#token()
    this.#at++
    if (kind === 'number') return () => value ?? NONE
    if (kind === 'string') return this.#strings(value ?? NONE)
    if (kind === 'name') return this.#name(text)
    if (text === '(') return this.#parentheses()
    if (text === '[') return this.#brackets('list', ']')
    if (text === '{') return this.#braces()
    throw new NotEvaluated()
  }

  /** Neighboring strings are one. */
  #strings(first: PyValue): Node {
    let joined = first
    for (; this.#token().kind === 'string'; this.#at++) joined = binary('+', joined, this.#token().value ?? NONE)
    return () => joined
  }

  #name(name: string): Node {
    if (Object.hasOwn(constants, name)) return () => constants[name] ?? NONE
    if (this.#token().text !== '(') return scope => scope.get(name) ?? refuse()
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (name === 'map') return this.#map()
    if (!called) throw new NotEvaluated()
    this.#at++
    const args = this.#args()
    return this.#counted(scope => {
      const { args: values, options } = args.named(scope)
      return called(values, options)
    })
  }

  /** `map(int, …)`: a built-in function by its name is the only one that is given. */
  #map(): Node {
    this.#at++
    const { kind, text } = this.#token()
    const called = kind === 'name' && Object.hasOwn(functions, text) ? functions[text] : undefined
    if (!called) throw new NotEvaluated()
    this.#at++
    this.#expect(',')
    const items = this.#expression()
    this.#expect(')')
    return this.#counted(scope => ({ type: 'tuple', items: itemsOf(items(scope)).map(item => called([item], new Map())) }))
  }

  #parentheses(): Node {
    if (this.#take(')')) return () => ({ type: 'tuple', items: [] })
    const first = this.#list(')')
    const node = this.#token().text === 'for' ? this.#comprehension('tuple', first) : first
    this.#expect(')')
    return node
  }

  #brackets(type: 'list' | 'set', closing: string, first?: Node): Node {
    if (!first && this.#take(closing)) return () => ({ type, items: [] })
    const nodes = [{ node: first ?? this.#starred(), isSpread: this.#wasStarred }]
    const [only] = nodes
    if (only && this.#token().text === 'for') {
      const node = this.#comprehension(type, only.node)
      this.#expect(closing)
      return node
    }
    while (this.#take(',') && this.#token().text !== closing) nodes.push({ node: this.#starred(), isSpread: this.#wasStarred })
    this.#expect(closing)
    return scope => ({ type, items: nodes.flatMap(({ node, isSpread }) => (isSpread ? itemsOf(node(scope)) : [node(scope)])) })
  }

  #wasStarred = false

  #starred(): Node {
    const isStarred = this.#take('*')
    const node = this.#expression()
    this.#wasStarred = isStarred
    return node
  }

  #braces(): Node {
    if (this.#take('}')) return () => ({ type: 'dict', entries: [] })
    const first = this.#starred()
    if (this.#wasStarred || !this.#take(':')) return this.#brackets('set', '}', first)
    const entries = [{ key: first, value: this.#expression() }]
    if (this.#token().text === 'for') {
      const [entry] = entries
      const pairs = this.#comprehension('list', scope => ({
        type: 'tuple',
        items: entry ? [entry.key(scope), entry.value(scope)] : [],
      }))
      this.#expect('}')
      return scope => (functions['dict'] ?? refuse())([pairs(scope)], new Map())
    }
    while (this.#take(',') && this.#token().text !== '}') {
      const key = this.#expression()
      this.#expect(':')
      entries.push({ key, value: this.#expression() })
    }
    this.#expect('}')
    const make = functions['dict']
    return scope =>
      (make ?? refuse())(
        [{ type: 'list', items: entries.map(({ key, value }) => ({ type: 'tuple', items: [key(scope), value(scope)] })) }],
        new Map(),
      )
  }

  #targets(): readonly string[] {
    const names: string[] = []
    const isWrapped = this.#take('(')
    do {
      const { kind, text } = this.#token()
      names.push(kind === 'name' ? text : refuse())
      this.#at++
    } while (this.#take(','))
    if (isWrapped) this.#expect(')')
    return names
  }

  #comprehension(type: 'list' | 'set' | 'tuple', item: Node): Node {
    const clauses: ((scopes: readonly Scope[]) => readonly Scope[])[] = []
    while (this.#token().text === 'for' || this.#token().text === 'if') {
      if (this.#take('if')) {
        const condition = this.#either()
        clauses.push(scopes => scopes.filter(scope => isTrue(condition(scope))))
        continue
      }
      this.#expect('for')
      const names = this.#targets()
      this.#expect('in')
      const from = this.#either()
      clauses.push(scopes =>
        scopes.flatMap(scope =>
          itemsOf(from(scope)).map(value => {
            addWork(scope.size + 20)
            const values = names.length === 1 ? [value] : itemsOf(value)
            if (values.length !== names.length) throw new NotEvaluated()
            return new Map([...scope, ...names.map((name, i) => [name, values[i] ?? NONE] as const)])
          }),
        ),
      )
    }
    return scope => ({
      type,
      items: clauses.reduce<readonly Scope[]>((scopes, clause) => clause(scopes), [scope]).map(each => item(each)),
    })
  }
}
