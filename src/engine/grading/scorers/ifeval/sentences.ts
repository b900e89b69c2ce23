import { isUpper, isLower } from '../python/strings.ts'

/** No instruction asks for more, and hostile text could make every character a sentence. */
const mostSentences = 10_000

/**
 * Counts sentences, up to 10,000, by the rules of the Punkt tokenizer with NLTK's English model, which IFEval uses. Two tables of that model are
 * large and are approximated: a capitalized word starts a sentence after an abbreviation or an ellipsis if it is one of the common
 * words below, and a word in lower case never does.
 * Kiss and Strunk (2006), Unsupervised Multilingual Sentence Boundary Detection.
 */
export function countSentences(text: string): number {
  let count = 0
  for (const sentence of sentencesIn(text)) {
    count += isSentence(sentence) ? 1 : 0
    if (count >= mostSentences) return count
  }
  return count
}

/** The sentences themselves, up to 10,000 and the rest; closing quotes and brackets stay with what they close. */
export function splitSentencesOfText(text: string): string[] {
  const sentences: string[] = []
  for (const sentence of sentencesIn(text)) {
    const last = sentences.length - 1
    if (isSentence(sentence) && sentences.length < mostSentences) sentences.push(sentence.trim())
    else if (last >= 0) sentences[last] += sentence
    else if (sentence.trim() !== '') sentences.push(sentence.trim())
  }
  return sentences
}

function* sentencesIn(text: string): Generator<string> {
  const end = text.trimEnd().length
  let start = 0
  for (const match of text.matchAll(potentialEnd)) {
    const after = match.groups?.['mark'] ?? match.groups?.['next'] ?? ''
    if (!endsSentence(wordBefore(text, match.index), match[0], after)) continue
    yield text.slice(start, match.index + 1)
    start = match.index + 1
  }
  yield text.slice(start, end)
}

// A sentence mark before other punctuation, or before white space and a word.
const potentialEnd = /[.?!](?=(?<mark>[?!)";}\]*:@'({[])|\s+(?<next>\S{1,100}))/g

// Closing quotes and brackets after a sentence belong to it and are not a sentence of their own.
const onlyClosing = /^\s*(?:["')\]}]+(?!["')\]}])(?:\s+(?!\s)|(?=--)|$))*$/

const abbreviations = new Set(
  (
    'a.a a.c a.d a.g a.h a.m a.m.e a.s a.t adm ala ariz aug ave b.f b.v bros c c.i.t c.o.m.b c.v calif chg cie co col colo conn corp cos ct ' +
    'd d.c d.h d.w dec dr e e.f e.h e.l e.m f f.g f.j feb fla fri ft g g.d g.f g.k ga gen h h.c h.f h.m i.m.s ill inc j.b j.c j.j j.k j.p j.r ' +
    'jan jr k kan ky l l.a l.f l.p lt ltd m m.b.a m.d.c m.j maj messrs mg mich minn mr mrs ms n n.c n.d n.h n.j n.m n.v n.y nev nov oct ok okla ' +
    'ore p p.a.m p.m pa ph.d prof r r.a r.h r.i r.j r.k r.t rep reps s s.a s.a.y s.c s.g s.p.a s.s sen sep sept sr st sw t t.j tenn tues u.k u.n ' +
    'u.s u.s.a u.s.s.r v va vs vt w w.c w.r w.va w.w wash wed wis yr'
  ).split(' '),
)

const sentenceStarters = new Set(
  (
    'a according after all also although among an and another any are as at because before both but by can could despite did do does during each ' +
    'even every few finally first for from have her here his how however i if in indeed instead is it its just last later let many may maybe ' +
    'meanwhile more moreover most my nevertheless next no nonetheless nor not now of on once one only or other our over perhaps please sales ' +
    'separately several she should similarly since so some still such than that the their then there these they this those though through thus ' +
    'to today too under until up was we well were what when where whether which while who why will with without would yes yet you your'
  ).split(' '),
)

const token =
  /-{2,}|\.{2,}|(?:\.\s){2,}\.|(?=[^("`{[:;&#*@)}\]\-,])\S+?(?=\s|$|[?!)";}\]*:@'({[]|-{2,}|\.{2,}|,(?=$|\s|[?!)";}\]*:@'({[]|-{2,}|\.{2,}))|\S/g

/** Whether a token of the word with its mark ends a sentence, given what follows. */
function endsSentence(before: string, mark: string, after: string): boolean {
  // A question or exclamation mark is a separate token, and something follows it.
  if (mark !== '.') return true
  const tokens = `${before}${mark} ${after}`.match(token) ?? []
  return tokens.slice(0, -1).some((current, i) => isBreak(current, tokens[i + 1] ?? ''))
}

function isBreak(current: string, next: string): boolean {
  if (current === '?' || current === '!') return true
  if (!current.endsWith('.')) return false
  if (current === '.') return true
  const type = current.slice(0, -1).toLowerCase()
  const isInitial = /^\p{L}\.$/u.test(current)
  const isEllipsis = current.endsWith('..')
  const isAbbreviation = !isEllipsis && (abbreviations.has(type) || abbreviations.has(type.split('-').at(-1) ?? ''))
  if ((isEllipsis || isAbbreviation) && !isInitial) return startsSentence(next) === true
  // Initials and ordinals end a sentence unless the next word contradicts that.
  const isNumber = /^-?[.,]?\d[\d,.-]*\.$/.test(current)
  if (isNumber) return startsSentence(next) !== false
  if (isInitial) return startsSentence(next) === true || (!isAbbreviation && startsSentence(next) === null)
  return true
}

/** What Punkt's orthographic heuristic says about a word: a start, no start, or undecided (null). */
function startsSentence(word: string): boolean | null {
  if (/^[;:,.!?]$/.test(word)) return false
  const first = word.slice(0, 1)
  if (isUpper(first)) return sentenceStarters.has(word.toLowerCase().replace(/\.$/, '')) ? true : null
  return isLower(first) ? false : null
}

/** The run of characters without white space before `index`; no word is longer than 200 characters here. */
function wordBefore(text: string, index: number): string {
  const earliest = Math.max(0, index - 200)
  let start = index
  while (start > earliest && text.charAt(start - 1).trim() !== '') start--
  return text.slice(start, index)
}

function isSentence(text: string): boolean {
  return !onlyClosing.test(text)
}
