import { type Complex, isFinite, real, size } from './complex.ts'
import { evaluate, isConstant, type SymbolValues } from './evaluate.ts'
import { isCall, type MathNode } from './math-node.ts'
import { exactValue } from './rational.ts'

/** Largest difference of two numbers that count as equal, absolute or relative. */
const tolerance = 1e-10

/** At how many places two expressions with unknowns must agree. */
const places = 5

const relations = new Set(['Equal', 'NotEqual', 'Less', 'LessEqual', 'Element'])

/** Whether an answer means what a target means; `x = 2` means 2 unless the other side is a relation, too. */
export function isEquivalent(answer: MathNode, target: MathNode): boolean {
  if (isRelation(answer) && isRelation(target)) return isSame(answer, target)
  return isSame(assignedValue(answer), assignedValue(target))
}

function isRelation(node: MathNode): boolean {
  return node.kind === 'call' && relations.has(node.head)
}

/** The value side of `x = 2` or `2 = x`; the right side where neither is a lone symbol. */
function assignedValue(node: MathNode): MathNode {
  if (!isCall(node, 'Equal')) return node
  const [left, right] = node.args
  if (!left || !right || node.args.length !== 2) return node
  return right.kind === 'symbol' && !isConstant(right.name) && left.kind !== 'symbol' ? left : right
}

function isSame(a: MathNode, b: MathNode): boolean {
  if (JSON.stringify(a) === JSON.stringify(b)) return true
  const exactA = exactValue(a)
  const exactB = exactValue(b)
  if (exactA && exactB) return exactA.top === exactB.top && exactA.bottom === exactB.bottom
  if (a.kind === 'call' && b.kind === 'call' && a.head === b.head && hasSameParts(a.head, a.args, b.args)) return true
  return agreesEverywhere(a, b)
}

/** Sets and equations in any order, everything else place by place. */
function hasSameParts(head: string, a: readonly MathNode[], b: readonly MathNode[]): boolean {
  if (a.length !== b.length) return false
  if (head !== 'Set' && head !== 'Equal' && head !== 'NotEqual') return a.every((part, i) => isSame(part, b[i] ?? part))
  const rest = [...b]
  return a.every(part => {
    const at = rest.findIndex(other => isSame(part, other))
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  })
}

/** Compares two expressions by their values, at several places where they have unknowns. */
function agreesEverywhere(a: MathNode, b: MathNode): boolean {
  let compared = 0
  for (let place = 0; place < places; place++) {
    const values: SymbolValues = name => sample(name, place)
    const left = evaluate(a, values)
    const right = evaluate(b, values)
    if (left === null || right === null) return false
    if (!isFinite(left) || !isFinite(right)) continue
    if (!isClose(left, right)) return false
    compared++
  }
  return compared >= 2
}

function isClose(a: Complex, b: Complex): boolean {
  const error = size({ re: a.re - b.re, im: a.im - b.im })
  return error < tolerance || error / Math.max(size(a), size(b)) < tolerance
}

/** A fixed positive value for a symbol at a place: no two names share one, and none is round. */
function sample(name: string, place: number): Complex {
  let hash = place * 7919 + 17
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003
  return real(0.5 + ((hash * Math.SQRT2) % 1) + (place + 1) / Math.PI)
}
