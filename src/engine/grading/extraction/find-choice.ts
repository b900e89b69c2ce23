import { answerMarks, type Certainty, lineEnd } from './answer-marks.ts'
import { isCorrection } from './correction.ts'
import { denies, mentioned, wholeWords, wordAt } from './mentioned-choice.ts'
import { counted, judgedOneByOne } from './counted-options.ts'
import { foldOption, type NamedOptions, type OptionTexts, optionTexts, readOption } from './read-option.ts'
import { readable } from './readable.ts'
import { unmarked } from './unmarked.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

/** What an output chooses. `start` and `end` are in the output itself. */
export type FoundChoice =
  | { readonly kind: 'chosen'; readonly positions: readonly number[]; readonly start: number; readonly end: number }
  /** It names several, or takes back what it said without saying which holds. */
  | { readonly kind: 'ambiguous'; readonly positions: readonly number[]; readonly start: number; readonly end: number }
  | { readonly kind: 'none' }

interface Evidence extends NamedOptions {
  readonly certainty: Certainty | 'placed'
}

/** Longer outputs are read at their beginning and their end only. */
const mostRead = 40_000

/**
 * The choice that an output makes among labeled choices, as a person would read it. In this order: what it says its answer is (a box, a
 * tag, "the answer is B", "option B is correct"), the last such statement before the earlier ones; a label or a choice alone on the last
 * line; a label at the beginning ("B) two"); the text of the only choice that a short answer names.
 * @param multiple several choices may be right together, so that naming several is an answer
 */
export function findChoice(output: string, choices: readonly string[], { multiple = false, normalize = true } = {}): FoundChoice {
  const shortened =
    output.length > mostRead
      ? `${output.slice(0, mostRead / 4)}${'\n'.repeat(output.length - mostRead)}${output.slice(-(mostRead * 3) / 4)}`
      : output
  const view = normalize ? readable(shortened) : { text: shortened, origin: (at: number) => at }
  const texts = choices.map((choice, position) => {
    // The text of one that is alike is read as the first.
    if (firstAlike(choices, position) !== position) return '\0'
    return unmarked(normalize ? readable(choice).text : choice)
  })
  const hide = compoundsHidden(texts)
  const words = hide(unmarked(view.text))
  const found = decide(view.text, words, optionTexts(texts.map(hide)), multiple)
  if (!found) return { kind: 'none' }
  const positions = [...new Set(found.positions.map(position => firstAlike(choices, position)))].toSorted((a, b) => a - b)
  return {
    kind: positions.length === 1 || multiple ? 'chosen' : 'ambiguous',
    positions,
    start: view.origin(found.start),
    end: view.origin(found.end),
  }
}

/** Choices such as "both A and B" as signs of their own, so that the letters in them name nothing. Every character keeps its position. */
function compoundsHidden(texts: readonly string[]): (text: string) => string {
  const compounds = texts
    .flatMap((text, position) =>
      /\b[A-J]\b.{0,20}\b[A-J]\b/.test(text) && /[A-Za-z]{3}/.test(text) ? [{ text: text.trim(), position }] : [],
    )
    .toSorted((a, b) => b.text.length - a.text.length)
  if (compounds.length === 0) return text => text
  return text =>
    compounds.reduce((left, compound) => {
      return left.replaceAll(wholeWords(compound.text), found => String.fromCharCode(0xe000 + compound.position).repeat(found.length))
    }, text)
}

/** Choices with the same text are one choice: the first place of a choice's text. */
export function firstAlike(choices: readonly string[], position: number): number {
  const text = choices[position]?.trim()
  return Math.max(
    0,
    choices.findIndex(choice => choice.trim() === text),
  )
}

function decide(text: string, words: string, options: OptionTexts, multiple: boolean): NamedOptions | null {
  const judged = judgedOneByOne(words, options)
  const statements = [
    ...stated(text, words, options),
    ...affirmed(words, options),
    ...ticked(words, options),
    ...(judged ? [{ ...judged, certainty: 'stated' as const }] : []),
  ].sort((a, b) => a.start - b.start)
  const sure = statements.filter(({ certainty }) => certainty !== 'hedged')
  const last = sure.at(-1)
  const placed = [lastLine(words, options), leading(words, options)].filter(evidence => evidence !== null)
  if (last) {
    if (last.positions.length === 0) return null
    const final = sure.findLast(({ certainty }) => certainty === 'final')
    const rivals = [final, placed.find(({ start }) => start > last.end)].filter(evidence => evidence !== undefined)
    const rival = rivals.find(evidence => !isSame(evidence, last) && !isCorrected(words, evidence, last))
    return rival ? { ...last, positions: union(last, rival, multiple) } : last
  }
  const [first, second] = placed
  if (first)
    return second && !isSame(first, second) && !isCorrected(words, second, first)
      ? { ...first, positions: union(first, second, multiple) }
      : first
  return (
    concluded(words, options) ??
    closed(words, options) ??
    undecided(words, options) ??
    mentioned(words, options) ??
    (denies(words, options) ? null : counted(words, options)) ??
    statements.at(-1) ??
    null
  )
}

function isSame(a: NamedOptions, b: NamedOptions): boolean {
  return a.positions.length === b.positions.length && a.positions.every(position => b.positions.includes(position))
}

function union(a: NamedOptions, b: NamedOptions, multiple: boolean): readonly number[] {
  return multiple ? a.positions : [...new Set([...a.positions, ...b.positions])]
}

/** Whether the text between two statements says that the later one replaces the earlier. */
function isCorrected(words: string, a: NamedOptions, b: NamedOptions): boolean {
  const [first, second] = a.start < b.start ? [a, b] : [b, a]
  return isCorrection(words, first.end, second.start)
}

function stated(text: string, words: string, options: OptionTexts): Evidence[] {
  return answerMarks(text, words).flatMap(({ start, end, certainty }) => {
    const named = readOption(words, start, end, options)
    if (!named && noOption.test(words.slice(start, end))) return [{ positions: [], start, end, certainty }]
    return named && !isDenied(words, named) ? [{ ...named, certainty }] : []
  })
}

/** What follows "the answer is" where it is none of the choices. */
const noOption =
  /^["'([\s]{0,6}(?:none\b|neither\b|no (?:option|choice|correct|valid|answer)|not (?:given|listed|available|present|provided|among|in the|any|one of))/i

/** "… A is wrong", "A? No": what is said right after a label takes it back. */
function isDenied(words: string, { positions, end }: NamedOptions): boolean {
  return (
    positions.length === 1 &&
    /^["')\].:]{0,3}\s{0,3}(?:\?|是?[错錯]|不|では|[가이] 아니|(?:ist (?:falsch|nicht|inkorrekt)|es (?:incorrect|fals)|est (?:faux|fausse|incorrect|pas))|(?:but )?(?:it|that|this)(?: is|'s| was) (?:not|wrong|incorrect|false)|would be (?:correct|right|true|the answer) (?:if|only)|(?:is|was|seems|would be|are)\s{1,3}(?:far from|nearly|almost|less|no longer|partly|partially|the (?:only )?(?:wrong|incorrect)|not|n't|wrong|incorrect|false|never|also wrong)|(?:can|could|should|must|may|is|was|has)\s{1,3}(?:also |then |safely |easily |immediately |thus ){0,2}(?:be |been |being )?(?:excluded|eliminated|ruled out|rejected|discarded|dismissed|crossed out|removed|out\b)|isn't|wasn't|can't|cannot)/i.test(
      words.slice(end, end + 60),
    )
  )
}

const affirmation =
  /(?:\b(?:options?|choices?|answers?|letter|statement)\s{1,3})?(?<![A-Za-z0-9'’])["'([]{0,3}([A-Z])(?![A-Za-z0-9'’])["')\].:]{0,3}([^\n.?!]{0,80}?["')\]]{0,2})?\s{1,3}(?:is|are|seems|appears|must be|would be|looks|remains)(?:\s{1,3}(?:the|clearly|indeed|definitely|therefore|thus|likely|most|probably|only|also|to be|my|our|a|one|that|single|actually)\b){0,4}\s{1,3}(?:correct|right|true|best|answer|appropriate|accurate|valid|final answer|choice|plausible|option that|logical)\b/g

/** After "A is right": "about France", "if it were". */
const notMeant = /^\s(?:about|if|only|when|for|in|that|to)\b/i

/** "Option B is correct", "(B) two is the best answer". */
function affirmed(words: string, options: OptionTexts): Evidence[] {
  const found: Evidence[] = []
  const scan = new RegExp(affirmation)
  for (let match = scan.exec(words); match; match = scan.exec(words)) {
    const letter = match[1] ?? ''
    const { lastIndex } = scan
    // What is not a statement about this letter may be one about the next: "instead of B, D is correct".
    scan.lastIndex = match.index + 1
    const at = match.index + match[0].search(new RegExp(`(?<![A-Za-z0-9])${letter}(?![A-Za-z0-9])`))
    const before = words.slice(Math.max(0, match.index - 40), match.index)
    if (
      /\b(?:not|neither|nor|if|whether|why|that|unless|think|thought|although|though|while|whereas)\s{1,3}(?:the\s)?$|(?<![A-Za-z0-9])[A-Z]["')\].]{0,2},?\s(?:and|or|nor|&|und|et|y)\s$/i.test(
        before,
      ) ||
      /\b(?:not|n't|only if|neither|never|if|wrong)\b/i.test(match[0])
    )
      continue
    if (/^[^\n.]{0,3}\?/.test(words.slice(match.index + match[0].length))) continue
    if (notMeant.test(words.slice(match.index + match[0].length, match.index + match[0].length + 20))) continue
    if (
      /\b(?:far from|nearly|almost|less|no longer|partly|partially|would be|only incorrect|also)\b/i.test(match[0]) ||
      /(?:\b(?:nobody|no one|never|doubt|(?:most |many |some )?people|others)|n't)\b[^.!?\n,;]{0,40}$/i.test(before)
    )
      continue
    const named = readOption(words, at, at + 1 + 80, options)
    if (!named || named.start > at + 1 || !isApposition(match[2] ?? '', letter, options)) continue
    found.push({ ...named, certainty: 'stated' })
    scan.lastIndex = lastIndex
  }
  return found
}

/** Whether the text between a label and its verb belongs to the label: the choice's text, brackets, a clause with its own ends. */
function isApposition(between: string, letter: string, { texts }: OptionTexts): boolean {
  const own = bare(texts[letter.charCodeAt(0) - 65] ?? '')
  const said = bare(between)
  return (
    said === '' ||
    (own !== '' && (said.startsWith(own) || own.startsWith(said))) ||
    /^\s*(?:\([^()]*\)|"[^"]*"|,[^,]*,|[–—-][^–—]*[–—-])\s*$/.test(between)
  )
}

/** Letters, digits and signs alone, for comparing what was typed with different blanks. */
function bare(text: string): string {
  return foldOption(text).replaceAll(/[\s"'()[\].,:;]/g, '')
}

const tick = /^(?=[^\n]{0,300}(?:[✓✔✅☑]|\[[xX]\]|<-|←|⬅|\((?:correct|right|answer)[^)\n]{0,20}\)))[\s✓✔✅☑>-]{0,8}(?:\[[xX]\])?[ ]{0,4}/gmu

/** Lines of a list of choices that are ticked. */
function ticked(words: string, options: OptionTexts): Evidence[] {
  const found = [...words.matchAll(tick)].flatMap(match => {
    const start = match.index + match[0].length
    const named = /\(in?correct|\bnot\b/i.test(words.slice(start, lineEnd(words, start)))
      ? null
      : readOption(words, start, lineEnd(words, start), options)
    return named ? [named] : []
  })
  const [first] = found
  return first ? [{ ...first, positions: [...new Set(found.flatMap(({ positions }) => positions))], certainty: 'stated' }] : []
}

/** What the last line that is not empty names, where it is nothing but a choice. */
function lastLine(words: string, options: OptionTexts): Evidence | null {
  const end = words.trimEnd().length
  const start = words.lastIndexOf('\n', end - 1) + 1
  return isListing(words.slice(0, start), options) && isListing(words, options, start) ? null : wholeLine(words, start, end, options)
}

/** A label with nothing, or with text of its own choice, or the text of a choice. */
function wholeLine(words: string, start: number, end: number, options: OptionTexts): Evidence | null {
  const named = readOption(words, start, end, options)
  if (!named || /^["')\]*]{0,3}\s?\?/.test(words.slice(named.end, end))) return null
  const [position = 0] = named.positions
  const tail = words.slice(named.end, end).replace(isDenied(words, named) ? /$^/ : othersDenied, '')
  const rest = foldOption(tail.replace(/^["')\].,:;\s–—-]+/, ''))
  const own = named.positions.length === 1 ? (options.texts[position] ?? '') : ''
  const isWhole =
    rest === '' ||
    remains.test(rest) ||
    (named.positions.length === 1 && own !== '' && (bare(rest) === bare(own) || bare(rest) === String.fromCharCode(97 + position))) ||
    (named.positions.length > 1 && /^[a-z\s,&/]{0,20}$/.test(rest) && rest.length <= 4 * options.count)
  return isWhole ? { ...named, certainty: 'placed' } : null
}

/** "C, not D": what is said of the others. */
const othersDenied =
  /[,;]?\s{1,3}(?:and |but )?(?:not|rather than|instead of|as opposed to)\s(?!sure\b|certain\b|correct\b|right\b|the (?:answer|right|correct)\b|an? )[^.!?\n]{1,80}$/i
const remains = /^(?:it is|is it|remains|is left|is what remains|is all that remains|is the one)$/
const lineLabel = /^[ \t"'([>-]{0,6}([A-Z])(?:[).:\]]|\s[–—-]\s)/gm

/** Whether the lines list the choices again from the first on, which chooses none of them. @param last where the list must have a line */
function isListing(words: string, options: OptionTexts, last?: number): boolean {
  const lines = [...words.matchAll(lineLabel)]
    .map(match => ({ position: (match[1] ?? '').charCodeAt(0) - 65, at: match.index }))
    .filter(({ position }) => position < options.count)
  const [first, second] = lines
  const [before, end] = lines.slice(-2)
  if (first?.position !== 0 || second?.position !== 1) return false
  return last === undefined || (end !== undefined && end.at >= last && end.position === (before?.position ?? 0) + 1)
}

/** A label at the beginning, as in "B) two", "b." and "B, because …". */
function leading(words: string, options: OptionTexts): Evidence | null {
  const start = /^\s*/.exec(words)?.[0].length ?? 0
  if (isListing(words, options)) return null
  const end = lineEnd(words, start)
  const named = readOption(words, start, end, options)
  if (!named || isDenied(words, named)) return null
  // "12 cm is too short …, so 18 cm" begins with a choice and speaks of others.
  const isSubject =
    named.end - named.start > 1 &&
    /^\s{1,3}(?:is|are|was|were|has|have|does|do|would|can|could|may|might|seems?|looks?)\b/i.test(words.slice(named.end, named.end + 20))
  const rest = words.slice(named.end).toLowerCase()
  if (isSubject && options.texts.some((text, position) => text !== '' && !named.positions.includes(position) && wordAt(rest, text) >= 0))
    return null
  const first = words.slice(named.start, named.start + 1)
  // A small letter begins a list of one's own as often as an answer.
  if (
    named.end - named.start === 1 &&
    first !== first.toUpperCase() &&
    words.slice(start, end).trim().length > 3 &&
    wholeLine(words, start, end, options) === null
  )
    return null
  return { ...named, certainty: 'placed' }
}

const conclusion =
  /\b(?:therefore|thus|hence|so|consequently|in conclusion|conclusion|overall|that leaves|leaves|leaving|left with|it's|it is|it must be|must be|makes it|points to|matches|corresponds to|matches option|is option|is choice|i'm going with|i\.e\.|namely|that is|verdict|final|i think|i believe|i'd say|i would say|i guess|probably|presumably|most likely|not (?:option )?[A-Z],? but(?: rather)?|(?<=(?:^|[.!?:;,\n])\s{0,2}(?:so |then |please |i )?)(?:choose|pick|select))(?!\w)[,:]?\s{1,4}(?:(?:the|option|choice|answer|it's|it is|only|us with|with) ?){0,4}/gi

/** "Therefore, B." where the sentence says nothing else. */
function concluded(words: string, options: OptionTexts): NamedOptions | null {
  const found = [...words.matchAll(conclusion)].flatMap(match => {
    const start = match.index + match[0].length
    const end = start + (/^[^\n]*?(?=[.!](?:\s|$)|\n|$)/.exec(words.slice(start))?.[0].length ?? 0)
    const named = wholeLine(words, start, end, options)
    return named ? [named] : []
  })
  const end = words.trimEnd().length
  const last = Math.max(words.lastIndexOf('. ', end - 2), words.lastIndexOf('! ', end - 2))
  return found.at(-1) ?? (last < 0 ? null : wholeLine(words, last + 2, end, options)) ?? computed(words, end, options)
}

/** What a calculation at the very end comes to: "2 + 2 = 4". */
function computed(words: string, end: number, options: OptionTexts): NamedOptions | null {
  const line = words.slice(words.lastIndexOf('\n', end - 1) + 1, end)
  const sign = /[\w)]\s?[+*/×÷^-]\s?[\w(][^=?]{0,60}=\s?(?=[^=?]{1,40}$)/.exec(line)
  return sign && wholeLine(words, end - line.length + sign.index + sign[0].length, end, options)
}

/** Among the last words before a label: it is not chosen. */
const discarded =
  /\b(?:not|cannot|hardly|unlikely|wrong|incorrect|false|distractor|tempting|no|never|nor|neither|except|than|instead|unlike|from|eliminat\w*|rul(?:e|ed|es|ing) out|exclud\w*|reject\w*|discard\w*|cross\w* out|avoid\w*|consider\w*|try\w*|check\w*|says?|think\w*|if|whether)\b|n't\b/i

/** "Torn between A and B", "either A or B". */
function undecided(words: string, options: OptionTexts): NamedOptions | null {
  const match = /\b(?:between|either)\s{1,3}/i.exec(words.length > 400 ? '' : words)
  const named = match && readOption(words, match.index + match[0].length, words.length, options)
  return named && named.positions.length > 1 ? named : null
}

/** The label at the very end of the last sentence, with its own text or after "option": "… is closest to option E) $78.20." */
function closed(words: string, options: OptionTexts): NamedOptions | null {
  const end = trimEndOf(words, /[\s.!*"')\]]/).length
  const line = words.lastIndexOf('\n', end - 1) + 1
  const before = words.slice(Math.max(line, end - 300), end)
  const label =
    /(?:\b(?:option|choice|answer|is|be|was)\s["'([]{0,2}([A-Z])|(?<![A-Za-z0-9])\(?([A-Z])[).:])(?![A-Za-z0-9'’])(?!.*(?<![A-Za-z0-9])[A-Z][).:])/.exec(
      before,
    )
  if (!label || before.includes('?')) return null
  const letter = label[1] ?? label[2] ?? ''
  const at = label.index + label[0].indexOf(letter, label[1] === undefined ? 0 : label[0].search(/\s/))
  const position = letter.charCodeAt(0) - 65
  const rest = bare(before.slice(at + 1))
  if (
    position >= options.count ||
    discarded.test(before.slice(0, label.index).split(/\s/).filter(Boolean).slice(-3).join(' ')) ||
    (label.index === 0 && isListing(words, options))
  )
    return null
  if (rest !== bare(options.texts[position] ?? '') && !(rest === '' && label[1] !== undefined)) return null
  const start = end - before.length + at
  return { positions: [position], start, end: start + 1 }
}
