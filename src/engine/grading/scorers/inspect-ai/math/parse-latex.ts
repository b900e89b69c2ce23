import { parseLatex } from './latex-parser.ts'
import type { MathNode } from './math-node.ts'

const spaces = /(?<!\\)\\[,;:! ]|\\q?quad\b/g
const sizes = /\\(?:left|right|[bB]igg?[lr]?|[dt]?displaystyle|[lL]arge)(?![A-Za-z])/g
const degrees = /\^\{?\\circ\}?|\\degree\b/g
const trailingUnit = /(?<=[0-9})])\s*\\(?:text|mathrm|mbox)\s*\{[^{}]*\}(?:\^\{?[23]\}?)?$/
const groupedNumber = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const functionNames = /\b(sin|cos|tan|sinh|cosh|tanh|exp|ln|max|min)\b/g

/**
 * The expression of a candidate, neither simplified nor evaluated.
 * @throws MathParseError where any part of it could not be read
 */
export function parseExpression(candidate: string): MathNode {
  return parseLatex(normalize(candidate))
}

/** LaTeX without layout, units and thousands separators; plain notation such as `3*sqrt(5)` as LaTeX. */
function normalize(candidate: string): string {
  const bare = candidate
    .replace(/\\[lr]vert(?![A-Za-z])/g, '|')
    .replace(/\\[lr]Vert(?![A-Za-z])/g, '\\|')
    .replace(sizes, '')
    .replaceAll('\\$', '')
    .replaceAll('{,}', ',')
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
