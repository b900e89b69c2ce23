/** Brackets without a partner that are remembered, and characters parsed per character of the text: more is malformed on purpose. */
const mostUnmatched = 65_536
const mostWork = 4

/** Thrown where looking for JSON would take too long; promptfoo then says that the assertion fails, whichever way it is put. */
export class TooMalformedError extends Error {
  override readonly name = 'TooMalformedError'
}

interface Bracket {
  readonly at: number
  readonly mark: string
  /** Whether nothing but blanks is before it, or after it, on its line. */
  readonly opensLine: boolean
  readonly closesLine: boolean
}

interface Block {
  readonly text: string
  readonly opensLine: boolean
}

/**
 * The JSON values that begin a line and end one, outside of code fences: what a provider writes between its text, not an example in it.
 * What is bracketed but no JSON is searched for values within. By the rules of promptfoo's `tool-call-f1`.
 * @throws TooMalformedError
 */
export function* jsonBlocks(text: string): Generator<unknown> {
  const open = [blocksIn(text, 0)]
  let left = mostWork * text.length
  for (let blocks = open.at(-1); blocks; blocks = open.at(-1)) {
    const next = blocks.next()
    if (next.done) {
      open.pop()
      continue
    }
    left -= next.value.text.length
    if (left < 0) throw new TooMalformedError('The output has too many brackets that are no JSON.')
    let value: unknown
    try {
      value = JSON.parse(next.value.text)
    } catch {
      open.push(blocksIn(next.value.text, 1))
      continue
    }
    if (next.value.opensLine) yield value
  }
}

/** Bracketed texts at a depth whose last bracket ends a line; brackets without a partner do not count. */
function* blocksIn(text: string, within: number): Generator<Block> {
  const unmatched = unmatchedIn(text)
  let depth = 0
  let start: Bracket | null = null
  for (const bracket of bracketsOf(text)) {
    if (!bracket || unmatched.has(bracket.at)) continue
    if ('[{'.includes(bracket.mark)) {
      if (depth === within) start = bracket
      depth++
      continue
    }
    depth--
    if (depth !== within || !start) continue
    if (bracket.closesLine) yield { text: text.slice(start.at, bracket.at + 1), opensLine: start.opensLine }
    start = null
  }
}

/** Places of brackets without a partner. What is open where a wrong one or a fence comes stays open. */
function unmatchedIn(text: string): ReadonlySet<number> {
  const open: { readonly at: number; readonly mark: string }[] = []
  let sealed = 0
  for (const bracket of bracketsOf(text)) {
    if (!bracket) {
      sealed = open.length
      continue
    }
    const last = open.at(-1)
    if ('[{'.includes(bracket.mark)) open.push(bracket)
    else if (open.length > sealed && last?.mark === (bracket.mark === '}' ? '{' : '[')) open.pop()
    else sealed = open.push(bracket)
    if (open.length > mostUnmatched) throw new TooMalformedError(`The output has more than ${mostUnmatched} brackets without a partner.`)
  }
  return new Set(open.map(({ at }) => at))
}

/** Brackets outside of strings and code fences, in order; null where nothing before belongs to anything after. */
function* bracketsOf(text: string): Generator<Bracket | null> {
  const fences = /`{3}|~{3}/.test(text) ? createFences() : (): Fencing => 'outside'
  let at = 0
  for (const line of text.split('\n')) {
    const shown = line.trimEnd()
    const state = fences(shown)
    if (state === 'edge') yield null
    if (state === 'outside') yield* bracketsOfLine(shown, at)
    at += line.length + 1
  }
}

function* bracketsOfLine(line: string, from: number): Generator<Bracket | null> {
  const first = line.search(/\S/)
  const parts = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}]/g
  for (let part = parts.exec(line); part; part = parts.exec(line)) {
    const [mark] = part
    if (mark.length === 1 && mark !== '"')
      yield { at: from + part.index, mark, opensLine: part.index === first, closesLine: part.index === line.length - 1 }
    // A string of JSON ends on its line.
    else if (!/^"(?:[^"\\]|\\.)*"$/.test(mark)) yield null
  }
}

type Fencing = 'outside' | 'inside' | 'edge'

/** Says of each line in turn whether it is in a fence of Markdown, which may be within items of lists. */
function createFences(): (line: string) => Fencing {
  const items: number[] = []
  let fence: { readonly marks: string; readonly indent: number } | null = null
  return line => {
    const indent = widthOf(/^\s*/.exec(line)?.[0] ?? '')
    if (fence && line !== '' && indent < fence.indent) {
      // The item of the list is over, and the fence with it. The line is not looked at again, as it may hold the text that follows.
      fence = null
      return opened(line, indent) ? 'edge' : 'outside'
    }
    if (fence) {
      const [, marks = ''] = /^[ \t]*(`{3,}|~{3,})\s*$/.exec(line) ?? []
      if (marks.startsWith(fence.marks) && indent <= fence.indent + 3) fence = null
      return 'inside'
    }
    return opened(line, indent) ? 'edge' : 'outside'
  }

  function opened(line: string, indent: number): boolean {
    while (line !== '' && indent < (items.at(-1) ?? 0)) items.pop()
    const [item = ''] = /^[ \t]*(?:[-+*]|\d+[.)])[ \t]+/.exec(line) ?? []
    if (item !== '') items.push(widthOf(item))
    const own = items.at(-1) ?? 0
    const [, marks, info = ''] = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line.slice(item.length)) ?? []
    if (marks === undefined || (item === '' && indent > own + 3) || (marks.startsWith('`') && info.includes('`'))) return false
    fence = { marks, indent: own }
    return true
  }
}

/** Columns that white space takes, with tab stops at every fourth. */
function widthOf(blanks: string): number {
  let width = 0
  for (const blank of blanks) width += blank === '\t' ? 4 - (width % 4) : 1
  return width
}
