import { add, type Complex, divide, exp, log, multiply, pow, real, size } from './complex.ts'
import type { MathNode } from './math-node.ts'
import { isMixedNumber } from './rational.ts'

/** Values for the symbols that an expression leaves open. */
export type SymbolValues = (name: string) => Complex

const constants: Readonly<Record<string, Complex>> = {
  Pi: real(Math.PI),
  e: real(Math.E),
  ExponentialE: real(Math.E),
  i: { re: 0, im: 1 },
  ImaginaryUnit: { re: 0, im: 1 },
  PositiveInfinity: real(Infinity),
  NegativeInfinity: real(-Infinity),
}

const realFunctions: Readonly<Record<string, (x: number) => number>> = {
  Sin: Math.sin,
  Cos: Math.cos,
  Tan: Math.tan,
  Cot: x => 1 / Math.tan(x),
  Sec: x => 1 / Math.cos(x),
  Csc: x => 1 / Math.sin(x),
  Arcsin: Math.asin,
  Arccos: Math.acos,
  Arctan: Math.atan,
  Sinh: Math.sinh,
  Cosh: Math.cosh,
  Tanh: Math.tanh,
  Floor: Math.floor,
  Ceil: Math.ceil,
  Factorial: factorial,
}

/** Whether the name is a constant rather than an unknown. */
export function isConstant(name: string): boolean {
  return Object.hasOwn(constants, name)
}

/** The value of an expression in double precision; null for what has none here (sets, relations, integrals, words). */
export function evaluate(node: MathNode, symbols: SymbolValues): Complex | null {
  if (node.kind === 'number') return real(numberOf(node.text))
  if (node.kind === 'symbol') return constants[node.name] ?? (/^[A-Z]/.test(node.name) ? null : symbols(node.name))
  if (node.kind === 'words') return null
  const values: Complex[] = []
  for (const arg of node.args) {
    const value = evaluate(arg, symbols)
    if (value === null) return null
    values.push(value)
  }
  return apply(node.head, values, node.args)
}

function apply(head: string, values: readonly Complex[], args: readonly MathNode[]): Complex | null {
  const [first, second] = values
  if (!first) return null
  const onReals = realFunctions[head]
  if (onReals) return values.length === 1 && first.im === 0 ? real(onReals(first.re)) : null
  switch (head) {
    case 'Add':
      return values.reduce(add)
    case 'Multiply':
      return values.reduce(multiply)
    case 'InvisibleOperator':
      return values.reduce(isMixedNumber(args) ? add : multiply)
    case 'Negate':
      return { re: -first.re, im: -first.im }
    case 'Divide':
      return second ? divide(first, second) : null
    case 'Power':
      return second ? pow(first, second) : null
    case 'Sqrt':
      return pow(first, real(0.5))
    case 'Root':
      return second ? root(first, second) : null
    case 'Exp':
      return exp(first)
    case 'Ln':
      return log(first)
    case 'Log':
      return divide(log(first), log(second ?? real(10)))
    case 'Lb':
      return divide(log(first), real(Math.LN2))
    case 'Abs':
      return real(size(first))
    case 'Max':
      return real(Math.max(...values.map(value => value.re)))
    case 'Min':
      return real(Math.min(...values.map(value => value.re)))
    case 'Binomial':
    case 'Choose':
      return second ? real(factorial(first.re) / (factorial(second.re) * factorial(first.re - second.re))) : null
    default:
      return null
  }
}

/** An odd root of a negative number is the real one, as people write it. */
function root(radicand: Complex, degree: Complex): Complex {
  if (radicand.im === 0 && radicand.re < 0 && degree.im === 0 && degree.re % 2 !== 0 && Number.isInteger(degree.re))
    return real(-((-radicand.re) ** (1 / degree.re)))
  return pow(radicand, divide(real(1), degree))
}

/** NaN outside of 0 to 170, where a double cannot hold it. */
function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0 || n > 170) return Number.NaN
  let product = 1
  for (let i = 2; i <= n; i++) product *= i
  return product
}

/** A literal of the parser; `0.1(3)` repeats the digits in parentheses. */
function numberOf(text: string): number {
  const repeating = /^(-?\d*\.\d*)\((\d+)\)/.exec(text)
  if (!repeating) return Number(text)
  const [, fixed = '', repeated = ''] = repeating
  return Number(fixed + repeated.repeat(Math.ceil(20 / repeated.length)))
}
