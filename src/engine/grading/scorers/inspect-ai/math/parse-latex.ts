import { createRequire } from 'node:module'
import type { parse } from '@cortex-js/compute-engine/latex-syntax'
import { lazily } from '../../../../../lib/lazily.ts'
import { MathParseError } from './errors.ts'
import { type MathNode, toMathNode } from './math-node.ts'

const spaces = /\\[,;:! ]|\\q?quad\b/g
const sizes = /\\(?:left|right|[bB]igg?[lr]?|[dt]?displaystyle|[lL]arge)(?![A-Za-z])/g
const degrees = /\^\{?\\circ\}?|\\degree\b/g
const trailingUnit = /(?<=[0-9})])\s*\\(?:text|mathrm|mbox)\s*\{[^{}]*\}(?:\^\{?[23]\}?)?$/
const groupedNumber = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const plainNumber = /^(?:0|[1-9]\d*)(?:\.\d+)?$/
const functionNames = /\b(sin|cos|tan|sinh|cosh|tanh|exp|ln|max|min)\b/g

/** Loaded with `require` for the first expression: a service that starts has none, and `import()` is asynchronous. */
const latexParser = lazily(() => {
  const require = createRequire(import.meta.url)
  // The package's own declarations give it this type; `require` cannot carry it over.
  const library = require('@cortex-js/compute-engine/latex-syntax') as { parse: typeof parse }
  return library.parse
})

/**
 * The expression of a candidate, neither simplified nor evaluated.
 * @throws MathParseError where any part of it could not be read
 */
export function parseExpression(candidate: string): MathNode {
  const latex = normalize(candidate)
  // Most answers are a number, which the parser would only hand back.
  if (plainNumber.test(latex)) return { kind: 'number', text: latex }
  const parsed = latex === '' ? null : latexParser()(latex)
  if (parsed === null) throw new MathParseError('the expression is empty')
  return toMathNode(parsed)
}

/** LaTeX without layout, units and thousands separators; plain notation such as `3*sqrt(5)` as LaTeX. */
function normalize(candidate: string): string {
  const bare = candidate
    .replace(/\\[lr]vert(?![A-Za-z])/g, '|')
    .replace(/\\[lr]Vert(?![A-Za-z])/g, '\\|')
    .replace(sizes, '')
    .replaceAll('\\$', '')
    .replace(spaces, '')
    .replace(degrees, '')
    .trim()
  const unitless = bare.replace(trailingUnit, '')
  if (groupedNumber.test(unitless)) return unitless.replaceAll(',', '')
  return unitless.includes('\\') || unitless.includes('^{') ? unitless : plainToLatex(unitless)
}

function plainToLatex(plain: string): string {
  const set = /^\{(.*)\}$/s.exec(plain)
  const text = (set ? `\\{${set[1] ?? ''}\\}` : plain)
    .replaceAll('**', '^')
    .replace(/\^(-?\d+(?:\.\d+)?)/g, '^{$1}')
    .replace(/\bsqrt\s{0,8}\(([^()]*)\)/g, '\\sqrt{$1}')
    .replace(/\^\(([^()]*)\)/g, '^{$1}')
    .replace(/\babs\s{0,8}\(([^()]*)\)/g, '|$1|')
    .replace(functionNames, '\\$1 ')
    // As in Inspect, a plain log is the natural one.
    .replace(/\blog\b/g, '\\ln ')
    .replace(/\bpi\b/g, '\\pi ')
    .replace(/\b(?:inf|infinity)\b/g, '\\infty ')
  return text.replace(/(?<!\\)%/g, '\\%')
}
