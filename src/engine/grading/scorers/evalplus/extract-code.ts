import { readStatement } from '../python/statement.ts'
import { logicalLines, type ReadBudget } from '../python/tokens.ts'

/** Longer replies are taken whole; trying every beginning would take seconds. */
const mostLines = 1000
/** Characters that are read in all: about a second. Only what never closes its brackets or strings needs more. */
const mostRead = 2_000_000

/** The run of lines that reads as Python and has the most lines that are not blank, the first of equals: evalplus's `code_extract`. */
export function extractPython(reply: string): string {
  const lines = reply.split('\n')
  if (lines.length > mostLines) return reply
  const budget = { left: mostRead }
  let best = { from: 0, to: -1, count: 0 }
  for (let from = 0; from < lines.length; from++) {
    const to = validUntil(lines, from, budget)
    const count = lines.slice(from, to + 1).filter(line => line.trim() !== '').length
    if (count > best.count) best = { from, to, count }
  }
  return lines.slice(best.from, best.to + 1).join('\n')
}

/**
 * The runs of lines that read as Python, in order, each as long as it can be. A run that breaks off inside an indented block does not count:
 * what remains of it would be another program.
 */
export function pythonRuns(text: string): { readonly code: string; readonly start: number }[] {
  const lines = text.split('\n')
  if (lines.length > mostLines) return [{ code: text, start: 0 }]
  const budget = { left: mostRead }
  const runs: { code: string; start: number }[] = []
  let start = 0
  for (let from = 0; from < lines.length; ) {
    const isBlank = (lines[from] ?? '').trim() === ''
    const to = isBlank ? from : validUntil(lines, from, budget)
    const next = lines.slice(to + 1).find(line => line.trim() !== '') ?? ''
    const run = lines.slice(from, Math.max(from, to) + 1)
    if (to >= from && !isBlank && !/^[ \t]/.test(next)) runs.push({ code: run.join('\n'), start })
    start += run.join('\n').length + 1
    from += run.length
  }
  return runs
}

interface Block {
  readonly indent: number
  readonly keyword: string
}

/** The last line up to which the lines from `from` on read as a program; less than `from` when not even the first does. */
function validUntil(lines: readonly string[], from: number, budget: ReadBudget): number {
  let until = from - 1
  let header: Block | null = null
  let isDecorated = false
  let unfinishedTry: number | null = null
  const open: Block[] = [{ indent: 0, keyword: '' }]
  for (const line of logicalLines(lines, from, budget)) {
    const statement = readStatement(line.tokens)
    if (!statement || !fits(line.indent, header, open)) break
    if (isDecorated && !['def', 'class', 'async', '@'].includes(statement.keyword)) break
    const handles = statement.keyword === 'except' || statement.keyword === 'finally'
    if (unfinishedTry === line.indent && !handles) break
    if (handles || (unfinishedTry !== null && line.indent < unfinishedTry)) unfinishedTry = null
    if (statement.keyword === 'try') unfinishedTry = line.indent
    header = statement.isHeader ? { indent: line.indent, keyword: statement.keyword } : null
    isDecorated = statement.keyword === '@'
    if (!header && !isDecorated && unfinishedTry === null) until = line.last
  }
  return until
}

/** Follows the indentation: deeper exactly after a header, else at a level that is open. */
function fits(indent: number, header: Block | null, open: Block[]): boolean {
  const current = open.at(-1)?.indent ?? 0
  if (header) {
    if (indent <= header.indent) return false
    open.push({ indent, keyword: header.keyword })
    return true
  }
  if (indent > current) return false
  while ((open.at(-1)?.indent ?? 0) > indent) open.pop()
  return open.at(-1)?.indent === indent
}
