import { lastBoxed } from '../scorers/patterns/boxed.ts'

/** How plainly a reply says that what follows is the verdict; a plainer place counts before the others. */
export type Plainness = 'verdict' | 'boxed' | 'named' | 'sentence' | 'bare'

/** A place at which a reply gives a verdict. */
export interface VerdictMark {
  readonly plainness: Plainness
  /** From the verdict on. */
  readonly text: string
  /** Number of its line, from 0, among those that aren't empty. */
  readonly line: number
  /** Somebody else's words, as in a quotation of the graded text. */
  readonly isQuoted: boolean
}

const asked = String.raw`verdicts?|judge?ments?|ruling|decision|判定|判断|裁定|裁决|裁決|判決|评判|評決|판정|판결|urteil|verdikt|veredicto|verdetto|вердикт|решение`
const other = String.raw`answer|result|conclusion|assessment|evaluation|label|class|classification|category|choice|preference|winner|grade|结论|結論|评价|評価|结果|結果|결론|평가|bewertung|ergebnis|conclusi[oó]n|resultado|résultat|risultato|результат|вывод`
const scores = String.raw`score|rating|grade|points?|stars|marks?|评分|評分|得分|分数|分數|スコア|点数|점수|note|puntuación|calificación|punteggio|voto|nota|pontuação|punkte|punktzahl|оценка|балл`
const mark = String.raw`["'*_\x60~>\s]`
const lead = String.raw`(?:(?:so|thus|therefore|hence|in conclusion|to conclude|in summary|finally|accordingly|overall|based on (?:this|that|the above)|given (?:this|that|the above)),?\s+)?(?:(?:my|the|our|this|final|overall|total|and|here is|here's|is)\s+){0,4}`
const note = String.raw`(?:\s*\([^()\n]{0,40}\)|\s+(?:out of|from|on a scale of)\s[^:=\n]{1,20})?`
const separator = String.raw`${mark}{0,6}(?:[:=|：→–—]|=>|->|-(?=\s)|\bis\b(?:\s*:)?)`
const listed = String.raw`(?:[\s>#*_"'\x60~|{[(<+•-]|\d{1,2}[.)]\s|\p{Extended_Pictographic}|\\n)*`
const introduced = String.raw`(?:(?:final\s+)?(?:answer|conclusion|result|output|assessment|evaluation|response)${mark}{0,6}[:：]${mark}*)?`
const wordsOf = (nouns: string) =>
  String.raw`^${listed}${introduced}${lead}${mark}{0,4}(?:final[\s_])?(?:${nouns})${mark}{0,4}${note}(?:${separator}|${mark}*$|>)(?<said>[^]*)$`

const verdictLine = new RegExp(wordsOf(asked), 'iu')
const verdictWord = /^[\s>#*_`"']*VERDICT\s(?<said>\S{1,40}[^\S\n]*)$/u
const otherLine = new RegExp(wordsOf(other), 'iu')
const scoreLine = new RegExp(wordsOf(scores), 'iu')
const verdictSentence = new RegExp(
  String.raw`(?:^|[.!?]\s+|[,;]\s+(?:so|thus|therefore|hence|and so)\s+)${lead}${mark}{0,4}(?:${asked})${mark}{0,4}(?:[:：]|\bis\b(?:\s*:)?)(?<said>[^]*)$`,
  'iu',
)
const scoreSentence =
  /(?:^|[.!?]\s+|[,;]\s+(?:so|thus|therefore|hence|and so)\s+)(?:(?:so|thus|therefore|hence|overall|finally),?\s+)?(?:(?:i|we)(?:'d| would)? (?:give|rate|score|assign)(?: (?:it|this|that|the (?:output|answer|response)))?(?: an?)?(?: (?:score|rating) of)?(?: at| as)?|(?:the |my )?(?:final |overall )?(?:score|rating) (?:is|would be|should be))\s(?<said>[^]*)$/iu
const bracketed = /^[\s"'*_`]*\[\[([^[\]\n]{1,100})\]\][\s"'*_`.]*$/
/** Before a line of the graded text, or about one. */
const attribution =
  /\b(?:says?|said|claims?|claimed|writes?|wrote|contains?|states?|stated|includes?|(?:end|begin|start)s? with|instructs?|inject\w*|manipulat\w*|quot\w+|examples?|such as|tries|attempts?|format)\b[^.!?\n]{0,80}:\s*$/i

/** Whether a text introduces somebody else's words. */
export function isAttribution(before: string): boolean {
  return attribution.test(before.trimEnd().slice(-300))
}

const longestLine = 2000

/** Every place at which a reply gives a verdict, in order. @param lines those that aren't empty @param scale whether it is a number */
export function verdictMarks(lines: readonly string[], scale: boolean): VerdictMark[] {
  const marks: VerdictMark[] = []
  let fenceAt: number | null = null
  for (const [line, whole] of lines.entries()) {
    const text = whole.slice(0, longestLine)
    if (/^\s*(?:```|~~~)[^`]*$/.test(text)) {
      fenceAt = fenceAt === null ? line : null
      continue
    }
    const next = lines[line + 1] ?? ''
    const before = lines[line - 1] ?? ''
    const isNearEnd = line >= lines.length - 3 || line === 0
    const found = markIn(text, scale, isNearEnd)
    if (!found) continue
    const isBlank = /^[\s"'*_`~>#:|-]*$/.test(found.said)
    // Of a fenced block, what introduces it counts.
    const introduction = (fenceAt === null ? before : lines[fenceAt - 1]) ?? ''
    const isQuoted = /^\s*>/.test(text) || (isAttribution(introduction) && !isHeading(introduction))
    marks.push({ plainness: found.plainness, text: isBlank ? next.slice(0, longestLine) : found.said, line, isQuoted })
  }
  return marks
}

function markIn(text: string, scale: boolean, isNearEnd: boolean): { plainness: Plainness; said: string } | null {
  const said = (pattern: RegExp) => pattern.exec(text)?.groups?.said
  const verdict = said(verdictLine) ?? said(verdictWord)
  if (verdict !== undefined) return { plainness: 'verdict', said: verdict }
  const score = scale ? said(scoreLine) : undefined
  if (score !== undefined)
    return { plainness: /\b(?:final|overall|total)\b/i.test(text.slice(0, text.length - score.length)) ? 'boxed' : 'named', said: score }
  if (!isNearEnd) return null
  const bracket = bracketed.exec(text)?.[1]
  if (bracket !== undefined) return { plainness: 'boxed', said: bracket }
  const boxed = lastBoxed(text)
  const around = boxed && `${text.slice(0, boxed.start).replace(/\\f?box(?:ed)?/, '')}${text.slice(boxed.end)}`
  if (boxed && around !== null && /^[\s$*_.\\()[\]{}]*$/.test(around))
    return { plainness: 'boxed', said: text.slice(boxed.start, boxed.end) }
  const named = scale ? undefined : said(otherLine)
  if (named !== undefined) return { plainness: 'named', said: named }
  const sentence = said(verdictSentence) ?? (scale ? said(scoreSentence) : undefined)
  return sentence === undefined ? null : { plainness: 'sentence', said: sentence }
}

function isHeading(line: string): boolean {
  return /^\s*(?:#|\*\*[^*]+\*\*:?\s*$)/.test(line)
}
