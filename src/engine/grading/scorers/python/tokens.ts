/** A token of Python source. A string's text is its whole literal. */
export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'operator'
  readonly text: string
}

/** A statement's line with the lines it continues on, or one of several statements with `;` between them. */
export interface LogicalLine {
  /** Positions of the first and the last line, from 0. */
  readonly first: number
  readonly last: number
  /** Width of the white space before it; a tab goes to the next multiple of 8. */
  readonly indent: number
  readonly tokens: readonly Token[]
}

const gap = /(?:[ \t\f]|\\\r?\n)+|#[^\n]*/y
const name = /[\p{L}_][\p{L}\p{N}\p{M}_]*/uy
const number = /0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?[jJ]?/y
const openString = /[rRbBuUfF]{0,2}('''|"""|'|")/y
const operator = /\*\*=|\/\/=|>>=|<<=|\.\.\.|!=|->|:=|[-+*/%@&|^<>=]=|\*\*|\/\/|<<|>>|[-+*/%@&|^~<>()[\]{},:.;=]/y
const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** How many characters may still be read. A bracket or string that never closes is read to the end from wherever it is begun. */
export interface ReadBudget {
  left: number
}

/**
 * The logical lines of the source from one of its lines on, up to the first that cannot be split into tokens: a foreign character,
 * a string or a bracket that does not close. Blank lines and comments are left out.
 * Nothing more comes once the budget is used up.
 */
export function* logicalLines(lines: readonly string[], from: number, budget: ReadBudget = { left: Infinity }): Generator<LogicalLine> {
  for (let first = from; first < lines.length; ) {
    if (/^\s*(?:#.*)?$/.test(lines[first] ?? '')) {
      first++
      continue
    }
    const line = readLine(lines, first, budget)
    if (!line) return
    yield line
    first = line.last + 1
  }
}

function readLine(lines: readonly string[], first: number, budget: ReadBudget): LogicalLine | null {
  const tokens: Token[] = []
  const open: string[] = []
  let last = first
  let text = lines[first] ?? ''
  let at = text.length - text.trimStart().length
  const indent = widthOf(text.slice(0, at))
  budget.left -= text.length
  for (;;) {
    if (budget.left < 0) return null
    at = skip(gap, text, at)
    if (at >= text.length) {
      if (open.length === 0) return tokens.length === 0 ? null : { first, last, indent, tokens }
      if (++last >= lines.length) return null
      text = lines[last] ?? ''
      budget.left -= text.length
      at = 0
      continue
    }
    if (text.charAt(at) === '\\' && at === text.trimEnd().length - 1) {
      if (++last >= lines.length) return null
      text = lines[last] ?? ''
      budget.left -= text.length
      at = 0
      continue
    }
    const quote = match(openString, text, at)
    if (quote) {
      const end = stringEnd(lines, last, text, at + quote.length, /'''|"""|'|"/.exec(quote)?.[0] ?? '"', budget)
      if (!end) return null
      tokens.push({ kind: 'string', text: end.line === last ? text.slice(at, end.at) : quote })
      last = end.line
      text = lines[last] ?? ''
      at = end.at
      continue
    }
    const token = readToken(text, at)
    if (!token || !closes(token.text, open)) return null
    tokens.push(token)
    at += token.text.length
  }
}

function readToken(text: string, at: number): Token | null {
  for (const [kind, pattern] of [
    ['number', number],
    ['name', name],
    ['operator', operator],
  ] as const) {
    const found = match(pattern, text, at)
    if (found) return { kind, text: found }
  }
  return null
}

/** Follows the brackets; false for one that closes another kind. */
function closes(text: string, open: string[]): boolean {
  if (text.length !== 1) return true
  if ('([{'.includes(text)) open.push(text)
  return pairs[text] === undefined || open.pop() === pairs[text]
}

function stringEnd(
  lines: readonly string[],
  line: number,
  text: string,
  from: number,
  quote: string,
  budget: ReadBudget,
): { line: number; at: number } | null {
  for (let current = line, i = from, source = text; ; ) {
    if (source.startsWith(quote, i)) return { line: current, at: i + quote.length }
    if (i < source.length) i += source.charAt(i) === '\\' ? 2 : 1
    else if ((quote.length === 3 || source.endsWith('\\')) && current + 1 < lines.length) {
      source = lines[++current] ?? ''
      budget.left -= source.length
      if (budget.left < 0) return null
      i = 0
    } else return null
  }
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] || null
}

function skip(pattern: RegExp, text: string, at: number): number {
  let end = at
  for (let found = match(pattern, text, end); found; found = match(pattern, text, end)) end += found.length
  return end
}

function widthOf(space: string): number {
  let width = 0
  for (const char of space) width = char === '\t' ? width - (width % 8) + 8 : width + 1
  return width
}
