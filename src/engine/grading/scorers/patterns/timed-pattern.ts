import { createContext, Script } from 'node:vm'
import { z } from 'zod'
import type { Extraction } from '../verdict.ts'
import { type Pattern, type PatternMatch, removeMatches } from './pattern.ts'
import { PatternLimitError } from './pattern-limit.ts'

/** Of this thread's processor, so that no verdict depends on what else the machine does. */
const mostCpuMicroseconds = 1_000_000
/** By the clock: tried one after the other, since a busy machine gives a thread less than its time. */
const clockMilliseconds = [1_500, 6_000, 24_000]
/** Matches of one text that are looked at. */
const mostMatches = 100_000

const find = new Script(`
  found = []
  for (const match of text.matchAll(pattern)) {
    found.push(match.indices.map(span => span ?? null))
    if (found.length >= most) break
  }
`)

/** Not always an `Error` of this realm. */
const TimedOut = z.object({ code: z.literal('ERR_SCRIPT_EXECUTION_TIMEOUT') })
const Found = z.array(z.array(z.tuple([z.int(), z.int()]).nullable()))

/**
 * A pattern that needs to look around or back, on the JavaScript engine, which can take any time: it is stopped after a second of the
 * processor's, and the one output goes without a verdict.
 * @param expression with the flags g and v
 * @param source as its author wrote it, for messages
 */
export function timedPattern(expression: RegExp, source: string): Pattern {
  const pattern = new RegExp(expression.source, `${expression.flags}d`)
  const sandbox: Record<string, unknown> = { pattern, text: '', found: [], most: mostMatches }
  const context = createContext(sandbox)
  const groupCount = (new RegExp(`${expression.source}|`, expression.flags.replace('g', '')).exec('')?.length ?? 1) - 1
  const search = (text: string): PatternMatch[] => {
    sandbox['text'] = text
    try {
      run(source, text, timeout => find.runInContext(context, { timeout }))
      return Found.parse(sandbox['found']).map(spans => ({ groups: spans.map(span => span && extraction(text, span)) }))
    } finally {
      sandbox['text'] = ''
      sandbox['found'] = []
    }
  }
  return { source, groupCount, matches: search, remove: text => removeMatches(text, search(text)) }
}

/** @throws PatternLimitError */
function run(source: string, text: string, search: (timeout: number) => unknown): void {
  for (const timeout of clockMilliseconds) {
    const before = process.threadCpuUsage()
    try {
      search(timeout)
      return
    } catch (error) {
      if (!TimedOut.safeParse(error).success) throw error
      const { user, system } = process.threadCpuUsage(before)
      if (user + system >= mostCpuMicroseconds) break
    }
  }
  throw new PatternLimitError(source, text)
}

function extraction(text: string, [start, end]: readonly [number, number]): Extraction {
  return { text: text.slice(start, end), start, end }
}
