import { evaluateExpression, isExpression } from '../python/expression.ts'
import { strip } from '../python/strings.ts'
import type { PyValue } from '../python/values.ts'

/** A place outside all strings and brackets. */
interface Mark {
  readonly text: string
  readonly at: number
}

const piece =
  /(?<string>[rRbBuUfF]{0,2}(?:"""(?:\\[^]|(?!""")[^\\])*"""|'''(?:\\[^]|(?!''')[^\\])*'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'))|(?<comment>#[^\n]*)|(?<word>[\p{L}\p{N}_]+)|(?<mark>[=!<>]=|<<|>>|[^])/guy
const openers = '([{'
const closers = ')]}'
const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<=', '>=', '<', '>', 'in', 'is'])
/** Above a comparison in the grammar: an expression with one of them is not a comparison. */
const looser: ReadonlySet<string> = new Set(['and', 'or', 'not', 'if', 'lambda', ','])

/** Words and marks outside strings and brackets; null where brackets do not close. */
function marksOf(text: string): Mark[] | null {
  const marks: Mark[] = []
  const open: string[] = []
  for (const { groups = {}, index } of text.matchAll(piece)) {
    const found = groups['mark'] ?? groups['word'] ?? ''
    if (closers.includes(found) && found !== '' && openers[closers.indexOf(found)] !== open.pop()) return null
    if (open.length === 0 && found.trim() !== '') marks.push({ text: found, at: index })
    if (groups['comment'] !== undefined && open.length === 0) marks.push({ text: '#', at: index })
    if (openers.includes(found) && found !== '') open.push(found)
  }
  return open.length === 0 ? marks : null
}

/** The expression without parentheses around all of it. */
function unwrapped(text: string): string {
  let inner = text.trim()
  while (inner.startsWith('(') && marksOf(inner)?.at(1)?.at === inner.length - 1) inner = inner.slice(1, -1).trim()
  return inner
}

/**
 * The right side of the equality that an assertion states, as Python's grammar has it: without a message, a comment, or what follows
 * a second comparison. Null for every other statement.
 */
function rightSide(statement: string): string | null {
  if (!/^assert(?![\p{L}\p{N}_])/u.test(statement)) return null
  const body = statement.slice('assert'.length)
  const marks = marksOf(body) ?? []
  const ends = marks.find(({ text }) => text === ',' || text === ';' || text === '#')
  const over = marks.find(({ text }) => text === ';' || text === '#')
  // A comma must be followed by a message, and a semicolon by nothing or another statement.
  if (ends?.text === ',' && !isExpression(body.slice(ends.at + 1, over?.at))) return null
  if (over?.text === ';' && /^\s*[,;)\]}=]/.test(body.slice(over.at + 1))) return null
  const test = unwrapped(body.slice(0, ends?.at))
  const inside = marksOf(test)
  if (!inside || inside.some(({ text }) => looser.has(text))) return null
  const [first, second] = inside.filter(({ text }) => comparisons.has(text))
  if (first?.text !== '==' || first.at === 0) return null
  return test.slice(first.at + 2, second?.at).trim()
}

/**
 * The value that a reply predicts for a test, as LiveCodeBench evaluates what it extracted: the right side of the first assertion in it,
 * or all of it where it has none. Null where that is not an expression that can be evaluated without a program.
 */
export function predictedValue(extracted: string): PyValue | null {
  const lines = extracted.split(/\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/)
  const assertion = lines.length > 1 ? lines.find(line => !line.startsWith('#') && line.includes('assert')) : undefined
  const text = strip(assertion ?? extracted)
  if (text.includes('assert')) {
    const side = rightSide(text)
    return side === null ? null : evaluateExpression(side)
  }
  return evaluateExpression(text)
}
