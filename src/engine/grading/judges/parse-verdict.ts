import type { JudgeDefinition } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import { endingOf } from '../../../contract/runs/endings.ts'
import { splitReasoning } from '../../../lib/split-reasoning.ts'
import { normalizeText } from '../extraction/readable.ts'
import { withoutFenced } from './fence.ts'
import { type MenuReader, menuReader, type ReadValue, takenBack } from './read-menu-value.ts'
import { jsonVerdict } from './verdict-json.ts'
import { isAttribution, type Plainness, type VerdictMark, verdictMarks } from './verdict-marks.ts'

/** What a judge's reply says. */
export interface ParsedVerdict {
  /** As the menu writes it; null where the reply gives none, or more than one. */
  readonly verdict: string | null
  /** The judge's reasons; empty where it gave none. */
  readonly reason: string
  /** Why there is no verdict, for people: "The judge …". Absent where there is one. */
  readonly problem?: string
  /** It holds what the judge thought and nothing else. */
  readonly onlyThought?: true
}

/** A reply by tool call or as text. */
export interface JudgeReply {
  /** Without what the judge thought, where the provider tells them apart. */
  readonly text: string
  /** Arguments of the verdict tool as JSON text, where the judge called it; of several calls, an array of them. */
  readonly structured: string | null
  /** Whether it thought before it answered. */
  readonly reasoned?: boolean
  /** As the provider names it; null or absent where it does not say. */
  readonly finishReason?: string | null
}

/** Raised whenever a reply could be read otherwise. 1 took the last line in the asked form alone, 2 refused replies, cut lines and open JSON. */
export const verdictParserVersion = 3

const longestReason = 4000
/** Of a reply, from its beginning and its end: the verdict and its reasons are there. */
const longestReply = 100_000
const plainnesses: readonly Plainness[] = ['verdict', 'boxed', 'named', 'sentence']
const placeholder = /^[\s"'*_`:<[{(]*(?:one of\b|verdict>|your verdict\b|\.\.\.|…)/i
const laterCorrection = new RegExp(String.raw`(?:^|[.!?\n])[\s*_"']{0,8}${takenBack.source}`, 'iu')

/**
 * The verdict that a person would read in a reply: by tool call, as JSON, after a word for it anywhere, in a box, or as the whole reply. Of
 * several places the plainest counts. Two verdicts, or a number outside the scale, are not a verdict: a missing one does less harm than a wrong one.
 * Nor is what a filter stopped, or the last line or open JSON before a token limit: `SCORE: 1` of `SCORE: 10`.
 */
export function parseVerdict(judge: JudgeDefinition, given: JudgeReply, boundary: string): ParsedVerdict {
  const { text, structured, reasoned = false, finishReason = null } = boundedReply(given)
  const ending = endingOf(finishReason)
  if (ending === 'refused') return none('declined to answer, or was stopped by a content filter')
  const reader = menuReader(judge)
  const isCut = ending === 'cut_off'
  const fromTool = structured === null ? null : fromJson(judge, reader, structured, isCut)
  if (fromTool?.verdict) return fromTool
  const { output, reasoning } = splitReasoning(text)
  const said = normalizeText(withoutFenced(output, boundary))
  if (said.trim() === '') {
    if (fromTool) return fromTool
    if (isCut && structured !== null) return cutOff
    const isThought = reasoned || reasoning !== null
    return { ...none(isThought ? 'wrote reasoning and no verdict' : 'wrote nothing'), ...(isThought && { onlyThought: true }) }
  }
  const json = jsonVerdict(judge, said, isCut)
  if (json?.isWhole) return withReason(decideAll(json.said.map(one => reader.read(one))), json.reason)
  const lines = (isCut ? said.slice(0, Math.max(0, said.lastIndexOf('\n'))) : said).split('\n').filter(line => line.trim() !== '')
  // Behind its reasons a verdict is the last line.
  if (isCut && (judge.explanation === 'before' || lines.length === 0)) return cutOff
  const isQuotedJson = isAttribution(said.slice(0, Math.max(0, said.indexOf('{'))).replace(/[`\s]*(?:json)?\s{0,9}$/, ''))
  const marks: VerdictMark[] = [
    ...(json?.said.map(one => ({ plainness: 'verdict', text: one, line: -1, isQuoted: isQuotedJson }) as const) ?? []),
    ...verdictMarks(lines, judge.mode === 'score'),
  ]
  const { line, ...decided } = decide(reader, lines, marks)
  const rest = lines.filter((each, i) => i !== line && !/^\s*(?:```|~~~)\w*\s*$/.test(each)).join('\n')
  return withReason(decided, json?.reason || (reader.readWhole(rest).kind === 'value' ? '' : rest))
}

/** A reply cut to what is read of it. */
export function boundedReply({ text, structured, ...rest }: JudgeReply): JudgeReply {
  const isLong = text.length > longestReply
  return {
    ...rest,
    text: isLong ? `${text.slice(0, longestReply / 2)}\n${text.slice(1 - longestReply / 2)}` : text,
    structured: structured?.slice(0, longestReply) ?? null,
  }
}

interface Decision {
  readonly verdict: string | null
  readonly problem?: string
  /** Where it is said; -1 where that is not a line of its own. */
  readonly line: number
}

function decide(reader: MenuReader, lines: readonly string[], marks: readonly VerdictMark[]): Decision {
  for (const plainness of plainnesses) {
    const places = marks.filter(mark => mark.plainness === plainness && !mark.isQuoted && !placeholder.test(mark.text))
    const read = places.map(place => ({ ...place, found: reader.read(place.text) }))
    const last = read.findLast(({ found }) => found.kind === 'value') ?? read.at(-1)
    if (!last) continue
    const { line } = last
    const decided = decideAll(read.map(({ found }) => found))
    if (decided.verdict !== null) {
      // What is said of the verdict behind it may take it back.
      const isFinal = read.at(-1)?.found.kind === 'value' || plainness !== 'verdict'
      const after = lines
        .slice(line + 1)
        .join('\n')
        .slice(0, longestReason)
      return isFinal && !laterCorrection.test(after) ? { ...decided, line } : { ...ambiguous(last.text), line: -1 }
    }
    const values = read.filter(({ found }) => found.kind === 'value')
    const [one, two] = values.slice(-2)
    if (one && two && read.every(({ found }) => found.kind !== 'ambiguous') && two.line > one.line) {
      const between = lines
        .slice(one.line + 1, two.line + 1)
        .join('\n')
        .slice(0, longestReason)
      if (laterCorrection.test(between)) return { verdict: two.found.kind === 'value' ? two.found.value : null, line }
    }
    const isHeading = read.every(({ found }) => found.kind === 'none') && plainness !== 'verdict'
    if (!isHeading) return { ...decided, line: -1 }
  }
  return bare(reader, lines)
}

/** A reply whose first or last line, or all of it, is a verdict. */
function bare(reader: MenuReader, lines: readonly string[]): Decision {
  const whole = lines.map(reader.readWhole)
  const values = new Set(whole.flatMap(found => (found.kind === 'value' ? [found.value] : [])))
  if (values.size > 1) return { ...ambiguous([...values].join(', ')), line: -1 }
  for (const line of [lines.length - 1, 0]) {
    const found = whole[line]
    if (found?.kind === 'value') return { ...decideAll([found]), line }
  }
  const [only = ''] = lines
  if (lines.length > 1) return { verdict: null, problem: 'gave a reply that is not on the menu', line: -1 }
  return { ...decideAll([reader.read(only)]), line: -1 }
}

function fromJson(judge: JudgeDefinition, reader: MenuReader, text: string, isCut: boolean): ParsedVerdict | null {
  const json = jsonVerdict(judge, text, isCut)
  return json && withReason(decideAll(json.said.map(one => reader.read(normalizeText(one)))), json.reason)
}

/** Places that all mean the same verdict. */
function decideAll(found: readonly ReadValue[]): Omit<Decision, 'line'> {
  const doubt = found.find(({ kind }) => kind === 'ambiguous')
  if (doubt?.kind === 'ambiguous') return ambiguous(doubt.said)
  const values = [...new Set(found.flatMap(each => (each.kind === 'value' ? [each.value] : [])))]
  const [value] = values
  if (values.length > 1) return ambiguous(values.join(', '))
  const off = found.find(({ kind }) => kind === 'off_scale')
  if (off?.kind === 'off_scale') return { verdict: null, problem: `gave a score outside the scale: ${JSON.stringify(off.said)}` }
  return value === undefined ? { verdict: null, problem: 'gave a reply that is not on the menu' } : { verdict: value }
}

function ambiguous(said: string) {
  return { verdict: null, problem: `gave more than one verdict, or took it back: ${JSON.stringify(said.trim().slice(0, 200))}` }
}

function none(problem: string): ParsedVerdict {
  return { verdict: null, reason: '', problem }
}

const cutOff = none('was cut off at its token limit')

function withReason({ verdict, problem }: Omit<Decision, 'line'>, reason: string): ParsedVerdict {
  return { verdict, reason: reason.slice(0, longestReason).trim(), ...(problem !== undefined && { problem }) }
}
