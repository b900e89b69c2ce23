import { formatted } from './expression-format.ts'
import { functions } from './expression-functions.ts'
import { Grammar, type Node, type Scope } from './expression-grammar.ts'
import {
  type Argument,
  type Call,
  dictOf,
  type Entries,
  entriesOf,
  itemAt,
  itemsOf,
  pairsOf,
  sliceOf,
  uniqueItems,
  valueOf,
} from './expression-items.ts'
import { addWork, deeper, NotEvaluated, refuse, startWork } from './expression-limits.ts'
import { calledMethod, unbound } from './expression-methods.ts'
import { binary, isTrue } from './expression-operators.ts'
import { type Token, tokensOf } from './expression-tokens.ts'
import { NONE, type PyValue } from './values.ts'

interface Item {
  readonly node: Node
  readonly isSpread: boolean
}
/** An argument: an expression, or what names or is a function. */
type ArgumentNode = (scope: Scope) => Argument
interface Arguments {
  readonly args: readonly Argument[]
  readonly options: ReadonlyMap<string, Argument>
}

const constants: Readonly<Record<string, PyValue>> = {
  None: NONE,
  True: { type: 'bool', value: true },
  False: { type: 'bool', value: false },
}

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

/** Whether the text reads as one expression, whatever its names mean. */
export function isExpression(text: string): boolean {
  try {
    new Evaluator(tokensOf(text)).parse()
    return true
  } catch (error) {
    if (error instanceof NotEvaluated) return false
    throw error
  }
}

function evaluated({ args, options }: Arguments): PyValue {
  const [text] = args
  if (args.length !== 1 || options.size > 0 || typeof text !== 'object' || text.type !== 'str') throw new NotEvaluated()
  return deeper(() => new Evaluator(tokensOf(text.value.trimStart())).evaluate())
}

function namedItems(value: PyValue): readonly (readonly [string, PyValue])[] {
  return entriesOf(value).map(([key, item]) => (key.type === 'str' ? ([key.value, item] as const) : refuse()))
}

class Evaluator extends Grammar {
  evaluate(): PyValue {
    return this.parse()(new Map())
  }

  parse(): Node {
    const node = this.list('')
    if (this.token().kind !== 'end') throw new NotEvaluated()
    return node
  }

  protected override postfix(): Node {
    let node = this.#atom()
    for (;;) {
      const target = node
      if (this.take('[')) {
        const access = this.#subscript()
        node = scope => access(target(scope), scope)
      } else if (this.take('.')) {
        const name = this.token().text
        this.at++
        if (!this.take('(')) node = () => refuse()
        else {
          const args = this.#args()
          node = this.counted(scope => calledMethod(name, target(scope), args(scope)))
        }
      } else if (this.take('(')) {
        // Only names, methods and lambdas are called here.
        this.#args()
        node = () => refuse()
      } else return node
    }
  }

  #subscript(): (value: PyValue, scope: Scope) => PyValue {
    const parts: (Node | null)[] = []
    let hasColon = false
    for (;;) {
      parts.push([':', ']'].includes(this.token().text) ? null : this.list(']'))
      if (!this.take(':')) break
      hasColon = true
    }
    this.expect(']')
    const [from = null, to = null, step = null] = parts
    if (hasColon) return (value, scope) => sliceOf(value, from?.(scope) ?? NONE, to?.(scope) ?? NONE, step?.(scope) ?? NONE)
    return (value, scope) => itemAt(value, from?.(scope) ?? NONE)
  }

  #args(): (scope: Scope) => Arguments {
    const nodes: { readonly name: string | null; readonly stars: number; readonly node: ArgumentNode }[] = []
    while (!this.take(')')) {
      const stars = this.take('**') ? 2 : this.take('*') ? 1 : 0
      const name = this.token().kind === 'name' && this.token(1).text === '=' ? this.token().text : null
      if (name !== null) this.at += 2
      nodes.push({ name, stars, node: this.#argument() })
      if (this.take(',')) continue
      this.expect(')')
      break
    }
    return scope => {
      const args: Argument[] = []
      const options = new Map<string, Argument>()
      for (const { name, stars, node } of nodes) {
        const value = node(scope)
        if (stars === 1) args.push(...itemsOf(valueOf(value)))
        else if (stars === 2) for (const [key, item] of namedItems(valueOf(value))) options.set(key, item)
        else if (name === null) args.push(value)
        else options.set(name, value)
      }
      return { args, options }
    }
  }

  #argument(): ArgumentNode {
    if (this.token().text === 'lambda' && this.token().kind === 'name') return this.#lambda()
    const [name, dot, method] = [this.token(), this.token(1), this.token(2)]
    const ends = (ahead: number) => [',', ')'].includes(this.token(ahead).text)
    const called = name.kind === 'name' && Object.hasOwn(functions, name.text) ? functions[name.text] : undefined
    if (called && ends(1)) {
      this.at++
      return scope => scope.get(name.text) ?? (args => called(args, new Map()))
    }
    if (called && dot.text === '.' && method.kind === 'name' && ends(3)) {
      this.at += 3
      return () => args => unbound(name.text, method.text, args)
    }
    const { value, fields } = name
    if (name.kind === 'string' && value && !fields && dot.text === '.' && method.kind === 'name' && ends(3)) {
      this.at += 3
      return () => args => calledMethod(method.text, value, { args, options: new Map() })
    }
    const node = this.expression()
    return this.token().text === 'for' ? this.#comprehension('tuple', node) : node
  }

  #lambda(): (scope: Scope) => Call {
    this.expect('lambda')
    const names: string[] = []
    const defaults = new Map<string, Node>()
    let rest: string | null = null
    while (!this.take(':')) {
      const isRest = this.take('*')
      const { kind, text } = this.token()
      if (kind !== 'name' || rest !== null) throw new NotEvaluated()
      this.at++
      if (isRest) rest = text
      else names.push(text)
      if (!isRest && this.take('=')) defaults.set(text, this.expression())
      if (!this.take(',') && this.token().text !== ':') throw new NotEvaluated()
    }
    const body = this.expression()
    return scope => args =>
      deeper(() => {
        const given = names.map((name, i) => [name, args[i] ?? defaults.get(name)?.(scope) ?? refuse()] as const)
        if (rest === null && args.length > names.length) throw new NotEvaluated()
        const others = args.slice(names.length)
        return body(new Map([...scope, ...given, ...(rest === null ? [] : [[rest, { type: 'tuple', items: others }] as const])]))
      })
  }

  #atom(): Node {
    const token = this.token()
    const { kind, text, value } = token
    this.at++
    if (kind === 'number') return () => value ?? NONE
    if (kind === 'string') return this.#strings(token)
    if (kind === 'name') return this.#name(text)
    if (text === '(') return this.#parentheses()
    if (text === '[') return this.#brackets('list', ']')
    if (text === '{') return this.#braces()
    // An object of its own, which equals no value of JSON.
    if (text === '...') return () => ({ type: 'bytes', value: '...' })
    throw new NotEvaluated()
  }

  /** Neighboring strings are one. */
  #strings(first: Token): Node {
    const nodes = [this.#string(first)]
    for (; this.token().kind === 'string'; this.at++) nodes.push(this.#string(this.token()))
    return scope => nodes.map(node => node(scope)).reduce((joined, value) => binary('+', joined, value))
  }

  #string({ value, fields }: Token): Node {
    if (!fields) return () => value ?? NONE
    const nodes = fields.map(field => {
      const node = new Evaluator(tokensOf(field.expression)).parse()
      return (scope: Scope) => `${formatted(node(scope), field.conversion, field.format)}${field.text}`
    })
    const start = value?.type === 'str' ? value.value : ''
    return scope => ({ type: 'str', value: start + nodes.map(node => node(scope)).join('') })
  }

  #name(name: string): Node {
    if (Object.hasOwn(constants, name)) return () => constants[name] ?? NONE
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (called && this.token().text === '.') {
      this.at++
      const method = this.token().text
      this.at++
      this.expect('(')
      const args = this.#args()
      return this.counted(scope => unbound(name, method, args(scope).args.map(valueOf)))
    }
    if (!this.take('(')) return scope => scope.get(name) ?? refuse()
    const args = this.#args()
    if (name === 'eval') return this.counted(scope => evaluated(args(scope)))
    if (!called) return () => refuse()
    return this.counted(scope => {
      const { args: values, options } = args(scope)
      return called(values, options)
    })
  }

  #parentheses(): Node {
    if (this.take(')')) return () => ({ type: 'tuple', items: [] })
    if (this.token().text === 'lambda') {
      const lambda = this.#lambda()
      this.expect(')')
      this.expect('(')
      const args = this.#args()
      return this.counted(scope => {
        const { args: values, options } = args(scope)
        return options.size > 0 ? refuse() : lambda(scope)(values.map(valueOf))
      })
    }
    const first = this.list(')')
    const node = this.token().text === 'for' ? this.#comprehension('tuple', first) : first
    this.expect(')')
    return node
  }

  #brackets(type: 'list' | 'set', closing: string, first?: Item): Node {
    if (!first && this.take(closing)) return () => ({ type, items: [] })
    const only = first ?? this.#item()
    const made = (items: readonly PyValue[]): PyValue => ({ type, items: type === 'set' ? uniqueItems(items) : items })
    if (this.token().text === 'for') {
      const items = this.#comprehension('list', only.node)
      this.expect(closing)
      return scope => made(itemsOf(items(scope)))
    }
    const nodes = [only]
    while (this.take(',') && this.token().text !== closing) nodes.push(this.#item())
    this.expect(closing)
    return scope => made(nodes.flatMap(({ node, isSpread }) => (isSpread ? itemsOf(node(scope)) : [node(scope)])))
  }

  #item(): Item {
    const isSpread = this.take('*')
    return { node: this.expression(), isSpread }
  }

  #braces(): Node {
    if (this.take('}')) return () => ({ type: 'dict', entries: [] })
    const entries: ((scope: Scope) => Entries)[] = []
    do {
      if (this.token().text === '}') break
      if (this.take('**')) {
        const spread = this.binary(0)
        entries.push(scope => entriesOf(spread(scope)))
        continue
      }
      const first = this.#item()
      if (entries.length === 0 && (first.isSpread || this.token().text !== ':')) return this.#brackets('set', '}', first)
      this.expect(':')
      const value = this.expression()
      const pair = (scope: Scope) => [first.node(scope), value(scope)] as const
      if (entries.length === 0 && this.token().text === 'for') {
        const pairs = this.#comprehension('list', scope => ({ type: 'tuple', items: pair(scope) }))
        entries.push(scope => pairsOf(itemsOf(pairs(scope))))
        break
      }
      entries.push(scope => [pair(scope)])
    } while (this.take(','))
    this.expect('}')
    return scope => dictOf(entries.flatMap(each => each(scope)))
  }

  #targets(): readonly string[] {
    const names: string[] = []
    const isWrapped = this.take('(')
    do {
      const { kind, text } = this.token()
      names.push(kind === 'name' ? text : refuse())
      this.at++
    } while (this.take(','))
    if (isWrapped) this.expect(')')
    return names
  }

  #comprehension(type: 'list' | 'set' | 'tuple', item: Node): Node {
    const clauses: ((scopes: readonly Scope[]) => readonly Scope[])[] = []
    while (this.token().text === 'for' || this.token().text === 'if') {
      if (this.take('if')) {
        const condition = this.either()
        clauses.push(scopes => scopes.filter(scope => isTrue(condition(scope))))
        continue
      }
      this.expect('for')
      const names = this.#targets()
      this.expect('in')
      const from = this.either()
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
