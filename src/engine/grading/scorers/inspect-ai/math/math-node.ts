import type { MathJsonExpression } from '@cortex-js/compute-engine/math-json'
import { MathLimitError, MathParseError } from './errors.ts'

/** An expression as the scorer sees it. */
export type MathNode =
  /** A literal as written, digits kept: `0.50` and `1.5e3` are inexact, `15` is exact. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'call'; readonly head: string; readonly args: readonly MathNode[] }

const mostNodes = 512
const deepest = 64

/**
 * The parser's MathJSON in one form per meaning: parentheses disappear, lists in them become tuples, `>` becomes `<` turned round,
 * symbols are lower case as Inspect has them.
 * @throws MathParseError where the parser marked an error
 * @throws MathLimitError above 512 nodes or 64 levels
 */
export function toMathNode(expression: MathJsonExpression): MathNode {
  let nodes = 0
  const convert = (part: MathJsonExpression | undefined, depth: number): MathNode => {
    if (++nodes > mostNodes || depth > deepest) throw new MathLimitError('the expression is too large')
    if (typeof part === 'number') return { kind: 'number', text: String(part) }
    if (typeof part === 'string') return symbolOrWords(part)
    if (Array.isArray(part))
      return call(
        String(part[0]),
        part.slice(1).map(arg => convert(arg, depth + 1)),
      )
    if (part && 'num' in part) return { kind: 'number', text: part.num }
    if (part && 'sym' in part) return symbolOrWords(part.sym)
    if (part && 'str' in part) return { kind: 'words', text: part.str }
    throw new MathParseError('the expression cannot be read')
  }
  return convert(expression, 1)
}

function symbolOrWords(text: string): MathNode {
  if (text.startsWith("'") && text.endsWith("'") && text.length > 1) return { kind: 'words', text: text.slice(1, -1) }
  const isConstant = /^[A-Z][a-z]/.test(text)
  return { kind: 'symbol', name: isConstant ? text : text.toLowerCase() }
}

function call(head: string, args: readonly MathNode[]): MathNode {
  const [first, second] = args
  if (head === 'Error') throw new MathParseError('the expression cannot be read')
  if (head === 'Delimiter' && first) return isCall(first, 'Sequence') ? tuple(first.args) : first
  if (head === 'Sequence') return tuple(args)
  if (head === 'Greater' || head === 'GreaterEqual')
    return { kind: 'call', head: head === 'Greater' ? 'Less' : 'LessEqual', args: args.toReversed() }
  if (head === 'Subtract' && first && second)
    return { kind: 'call', head: 'Add', args: [first, { kind: 'call', head: 'Negate', args: [second] }] }
  if (head === 'Rational') return { kind: 'call', head: 'Divide', args }
  return { kind: 'call', head, args }
}

function tuple(args: readonly MathNode[]): MathNode {
  const only = args.length === 1 ? args[0] : undefined
  return only ?? { kind: 'call', head: 'Tuple', args }
}

export function isCall(node: MathNode, head: string): node is Extract<MathNode, { kind: 'call' }> {
  return node.kind === 'call' && node.head === head
}
