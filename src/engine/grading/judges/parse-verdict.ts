import type { JudgeDefinition } from '../../../contract/index.ts'
import { withoutFenced } from './fence.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

/** What a judge's reply says. */
export interface ParsedVerdict {
  /** As the menu writes it; null where the reply names none of the menu. */
  readonly verdict: string | null
  /** The judge's reasons; empty where it gave none. */
  readonly reason: string
}

/** A reply by tool call or as text. */
export interface JudgeReply {
  readonly text: string
  /** Arguments of the verdict tool as JSON text, where the judge called it. */
  readonly structured: string | null
}

const longestReason = 4000
/** Of a line; a verdict is at its beginning. */
const longestLine = 2000
/** Of a reply, from its beginning and its end: the verdict and its reasons are there. */
const longestReply = 100_000
const verdictLine = /^[\s>#*_`"'~-]*verdict[\s*_`"']*[:=]([^]*)$/i

/** Structured output wins; otherwise the last line, or the first where the reasons come after it. */
export function parseVerdict(judge: JudgeDefinition, { text, structured }: JudgeReply, boundary: string): ParsedVerdict {
  const fromTool = structured === null ? null : fromArguments(judge, structured)
  if (fromTool?.verdict) return fromTool
  const bounded = text.length <= longestReply ? text : `${text.slice(0, longestReply / 2)}\n${text.slice(-longestReply / 2)}`
  const lines = withoutFenced(bounded, boundary)
    .split('\n')
    .filter(line => line.trim() !== '')
  const at = judge.explanation === 'after' ? 0 : lines.length - 1
  const said = verdictLine.exec((lines[at] ?? '').slice(0, longestLine))?.[1]
  const reason = lines
    .filter((_, i) => i !== at || said === undefined)
    .join('\n')
    .slice(0, longestReason)
    .trim()
  return { verdict: said === undefined ? null : onMenu(judge, said), reason }
}

function fromArguments(judge: JudgeDefinition, text: string): ParsedVerdict | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const said = 'verdict' in value && (typeof value.verdict === 'string' || typeof value.verdict === 'number') ? String(value.verdict) : null
  const reason = 'reason' in value && typeof value.reason === 'string' ? value.reason.slice(0, longestReason) : ''
  return { verdict: said === null ? null : onMenu(judge, said), reason }
}

/** The menu's entry that a text names, case, quotes, emphasis and a full stop aside; null for anything else. */
function onMenu({ menu, mode }: JudgeDefinition, said: string): string | null {
  const bare = trimEndOf(said.slice(0, longestLine).replace(/^[<("'`*_[\s]+/, ''), /[>)"'`*_\].!\s]/).toLowerCase()
  const found = menu.find(({ value }) => value.toLowerCase() === bare)
  if (found) return found.value
  // "4.0" is the 4 of a scale of numbers.
  if (mode === 'score' && /^-?\d+(\.\d+)?$/.test(bare)) return menu.find(({ value }) => Number(value) === Number(bare))?.value ?? null
  return null
}
