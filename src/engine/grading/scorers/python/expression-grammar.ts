import { addWork, NotEvaluated } from './expression-limits.ts'
import { binary, compare, isTrue, type Operator, unary } from './expression-operators.ts'
import type { Token } from './expression-tokens.ts'
import type { PyValue } from './values.ts'

export type Scope = ReadonlyMap<string, PyValue>
/** An expression, to be evaluated with the variables of comprehensions and functions around it. */
export type Node = (scope: Scope) => PyValue

const deepest = 100
const levels: readonly (readonly Operator[])[] = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%']]

/** The part of Python's grammar of expressions that operators make, from `if` down to powers. */
export abstract class Grammar {
  readonly #tokens: readonly Token[]
  protected at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** A value with what follows it: calls, subscripts, attributes. */
  protected abstract postfix(): Node

  protected token(ahead = 0): Token {
    return this.#tokens[this.at + ahead] ?? { kind: 'end', text: '' }
  }

  protected take(text: string): boolean {
    const { kind, text: found } = this.token()
    if (found !== text || (kind !== 'mark' && kind !== 'name')) return false
    this.at++
    return true
  }

  protected expect(text: string): void {
    if (!this.take(text)) throw new NotEvaluated()
  }

  protected counted(node: Node): Node {
    return scope => {
      addWork(scope.size + 20)
      return node(scope)
    }
  }

  /** One expression, or a tuple of several up to the closing mark. */
  protected list(closing: string): Node {
    const first = this.expression()
    if (this.token().text !== ',') return first
    const nodes = [first]
    while (this.take(',') && this.token().text !== closing && this.token().kind !== 'end') nodes.push(this.expression())
    return scope => ({ type: 'tuple', items: nodes.map(node => node(scope)) })
  }

  protected expression(): Node {
    if (++this.#depth > deepest) throw new NotEvaluated()
    const value = this.either()
    let node = value
    if (this.take('if')) {
      const condition = this.either()
      this.expect('else')
      const other = this.expression()
      node = scope => (isTrue(condition(scope)) ? value(scope) : other(scope))
    }
    this.#depth--
    return this.counted(node)
  }

  protected either(): Node {
    let node = this.both()
    while (this.take('or')) {
      const [left, right] = [node, this.both()]
      node = scope => {
        const value = left(scope)
        return isTrue(value) ? value : right(scope)
      }
    }
    return node
  }

  private both(): Node {
    let node = this.negation()
    while (this.take('and')) {
      const [left, right] = [node, this.negation()]
      node = scope => {
        const value = left(scope)
        return isTrue(value) ? right(scope) : value
      }
    }
    return node
  }

  private negation(): Node {
    let negations = 0
    while (this.take('not')) negations++
    const node = this.comparison()
    return negations === 0 ? node : scope => ({ type: 'bool', value: isTrue(node(scope)) === (negations % 2 === 0) })
  }

  private comparison(): Node {
    const first = this.binary(0)
    const rest: { readonly operator: string; readonly node: Node }[] = []
    for (let operator = this.comparator(); operator !== null; operator = this.comparator()) rest.push({ operator, node: this.binary(0) })
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

  private comparator(): string | null {
    const { kind, text } = this.token()
    if (kind === 'name' && text === 'not' && this.token(1).text === 'in') {
      this.at += 2
      return 'not in'
    }
    if (!['==', '!=', '<', '>', '<=', '>=', 'in', 'is'].includes(text) || kind === 'string') return null
    this.at++
    return text === 'is' && this.take('not') ? 'is not' : text
  }

  protected binary(level: number): Node {
    const operators = levels[level]
    if (!operators) return this.signed()
    let node = this.binary(level + 1)
    for (;;) {
      const operator = operators.find(each => this.take(each))
      if (operator === undefined) return node
      const [left, right] = [node, this.binary(level + 1)]
      node = this.counted(scope => binary(operator, left(scope), right(scope)))
    }
  }

  private signed(): Node {
    const sign = (['-', '+', '~'] as const).find(each => this.take(each))
    if (sign === undefined) return this.power()
    if (++this.#depth > deepest) throw new NotEvaluated()
    const node = this.signed()
    this.#depth--
    return scope => unary(sign, node(scope))
  }

  private power(): Node {
    const base = this.postfix()
    if (!this.take('**')) return base
    const exponent = this.signed()
    return scope => binary('**', base(scope), exponent(scope))
  }
}
