import type { MathNode } from './math-node.ts'

/** An exact fraction in lowest terms with a positive denominator. */
export interface Rational {
  readonly top: bigint
  readonly bottom: bigint
}

const largestExponent = 10_000n
const mostBits = 16_384n

/** The exact value of an expression of whole numbers and fractions; null for anything else, decimals included, and for huge values. */
export function exactValue(node: MathNode): Rational | null {
  if (node.kind === 'number') return /^-?\d+$/.test(node.text) ? { top: BigInt(node.text), bottom: 1n } : null
  if (node.kind !== 'call') return null
  const values: Rational[] = []
  for (const arg of node.args) {
    const value = exactValue(arg)
    if (value === null) return null
    values.push(value)
  }
  const [first, second] = values
  if (!first) return null
  switch (node.head) {
    case 'Add':
      return values.reduce<Rational | null>((sum, value) => sum && add(sum, value), { top: 0n, bottom: 1n })
    case 'Multiply':
      return values.reduce<Rational | null>((product, value) => product && multiply(product, value), { top: 1n, bottom: 1n })
    case 'InvisibleOperator':
      return second && isMixedNumber(node.args)
        ? add(first, second)
        : values.reduce<Rational | null>((product, value) => product && multiply(product, value), { top: 1n, bottom: 1n })
    case 'Negate':
      return { top: -first.top, bottom: first.bottom }
    case 'Divide':
      return second && second.top !== 0n ? multiply(first, { top: second.bottom, bottom: second.top }) : null
    case 'Power':
      return second ? power(first, second) : null
    default:
      return null
  }
}

/** `1\frac{1}{2}`: a whole number directly before a fraction of whole numbers is a mixed number, not a product. */
export function isMixedNumber(args: readonly MathNode[]): boolean {
  const [whole, fraction] = args
  const isWhole = (node: MathNode | undefined) => node?.kind === 'number' && /^\d+$/.test(node.text)
  return args.length === 2 && isWhole(whole) && fraction?.kind === 'call' && fraction.head === 'Divide' && fraction.args.every(isWhole)
}

function add(a: Rational, b: Rational): Rational | null {
  return reduced(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
}

function multiply(a: Rational, b: Rational): Rational | null {
  return reduced(a.top * b.top, a.bottom * b.bottom)
}

function power(base: Rational, exponent: Rational): Rational | null {
  if (exponent.bottom !== 1n) return null
  const size = exponent.top < 0n ? -exponent.top : exponent.top
  const bits = BigInt(Math.max(base.top.toString(2).length, base.bottom.toString(2).length))
  if (size > largestExponent || bits * size > mostBits) return null
  if (exponent.top < 0n) return base.top === 0n ? null : reduced(base.bottom ** size, base.top ** size)
  return reduced(base.top ** size, base.bottom ** size)
}

function reduced(top: bigint, bottom: bigint): Rational | null {
  if (BigInt(top.toString(16).length + bottom.toString(16).length) * 4n > mostBits * 2n) return null
  let a = top < 0n ? -top : top
  let b = bottom < 0n ? -bottom : bottom
  while (b !== 0n) [a, b] = [b, a % b]
  const divisor = a === 0n ? 1n : a
  const sign = bottom < 0n ? -1n : 1n
  return { top: (sign * top) / divisor, bottom: (sign * bottom) / divisor }
}
