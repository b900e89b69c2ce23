import { lastBoxed } from '../scorers/patterns/boxed.ts'

/** How surely a text says that what follows is the answer. */
export type Certainty = 'final' | 'stated' | 'hedged'

/** A place at which an output says what its answer is: the answer is from `start` on, at most up to `end`. */
export interface AnswerMark {
  readonly start: number
  readonly end: number
  readonly certainty: Certainty
  /** A box or a tag, which holds the answer and nothing else. */
  readonly isEnclosed?: boolean
  /** "We get", "the value is", "the result is": as often a step of a calculation as its end. */
  readonly isStep?: boolean
}

const noun = String.raw`(?:answers?|ans|choice|option|response|solution|letter|result|conclusion|value|guess|pick)`
const link = String.raw`(?:is|was|are|would be|should be|must be|will be|has to be|ought to be|equals|seems to be|appears to be|remains|comes out (?:to|as)|turns out to be|could be|might be|may be|can be)`
const adverb = String.raw`(?:therefore|thus|clearly|definitely|hence|then|now|simply|indeed|obviously|most likely|likely|probably|just|given by|that|either|approximately|about|exactly|still|actually|both)`
const article = String.raw`(?:(?:the|option|choice|letter|answer|number|value|of|correct|right|one) ){0,4}`
const space = String.raw`[\s"'([]{0,12}`

const patterns: readonly RegExp[] = [
  // "The correct answer is", "Final answer:", "the answer to the question is", "Answer →"
  new RegExp(
    String.raw`(?<head>(?:\b[a-z']{1,20}[ \n]{1,2}){0,3})\b${noun}(?:[ ]+(?:choice|option|letter|here|(?:to|of|for|in)(?: [a-z0-9']{1,20}){1,6}))?${space}(?:->|=>|→|⇒|[:=]|\s[-–—](?=\s)|\bis:|(?<link>\b${link}\b))(?<not>\s{1,3}(?:not|never|n't|incorrect|wrong|unclear|unknown)\b)?(?:\s{0,3}[:=])?(?:\s{1,3}${adverb}\b[,:]?){0,3}\s{0,6}${article}`,
    'gi',
  ),
  // "I choose", "I'd go with", "we conclude:", "my pick is" above
  new RegExp(
    String.raw`\b(?:i|we)(?:'d|'ll|'m| would| will| have to| must| can| am| therefore)?(?: rather| then| thus)? (?:choose|chose|pick|picked|select|selected|go with|going with|went with|opt for|vote for|settle on|answer|conclude|say|believe it is|think it is|think it's|believe it's|get)\b(?: that)?\s{0,3}:?\s{0,6}(?:(?:the answer|it) (?:is|must be|should be) )?${article}`,
    'gi',
  ),
  /\b(?:select|choose|pick|mark|circle)(?:ing)? (?:the )?(?:option|choice|answer|letter)\s{1,3}(?=["'([\s]{0,4}[A-Za-z]\b)/gi,
  /\b(?:correct|selected|chosen|verdict)(?: (?:is|one))?\s{0,3}:\s{0,6}/gi,
  // A heading.
  /^#{1,6} {1,3}(?<head>(?:my |the |final |correct ){0,2})answer\b[ :]{0,3}\n\s{0,6}/gim,
  // A sum that is named: "the total cost is $42 for 6 tickets", "he needs 42 days to finish 3 books".
  /\b(?:total|sum|cost|price|average|difference|amount|distance|profit)\b[^.\n\d]{0,40}?\b(?:is|are|was|would be|will be) (?:about |approximately |exactly |only |just )?(?=[$€£]?\d)/gi,
  /\b(?:he|she|it|they|we|you|i|[A-Z][a-z]+) (?:will |would )?(?:needs?|takes?|requires?) (?:about |approximately |exactly |only |just )?(?=[$€£]?\d)/g,
  // "Wait, no, it is": what was said before is taken back.
  /\b(?:wait|actually|correction|sorry|oops|hmm|no|on second thought)[,.!:–—-]{1,3}\s{1,3}(?:(?:wait|no|actually|sorry|i was wrong|i made a mistake|(?:it|that|this)(?:'s| is| was) (?:wrong|incorrect|not right|a mistake)|let me correct (?:that|this|myself))[,.:!–—-]{0,2}\s{1,3}){0,3}(?:it|that|this)(?:'s| is| should be| must be| has to be)\s{1,3}(?:actually\s{1,3})?(?!not\b|wrong\b|incorrect\b|correct\b|right\b|true\b|false\b|also\b|still\b|clear\b|possible\b|because\b|that\b)/gi,
  // The same with the answer alone, at the very end.
  /\b(?:correction|no wait|wait no|scratch that|actually|sorry)[,:]\s{1,3}(?!(?:it|that|this|there|i|we|you|he|she|they|no|not|never)\b)(?=[^\n.!?]{1,30}[.!]?\s{0,5}$)/gi,
  // Other languages.
  /(?<!不[应應]?[该該]?)(?:正确答案|正確答案|最终答案|最終答案|答案|正解|答え|解答|应选|應選|(?:故|所以|因此)?[选選](?:择|擇)?|정답|답변|답)(?:应该|應該)?(?:是|为|為|选|選|は|은|는)?\s{0,3}[::]?\s{0,6}/g,
  /\b(?:(?:die |richtige |korrekte )*antwort(?: lautet| ist)?|(?:la )?(?:bonne )?réponse(?: correcte| finale)?(?: est)?|(?:la )?respuesta(?: correcta| final)?(?: es)?|(?:a )?resposta(?: correta| final)?(?: é)?|(?:la )?risposta(?: corretta| finale)?(?: è)?|het antwoord(?: is)?|svaret(?: är| er)?)(?:\s{0,3}:\s{0,6}|\s{1,3})(?:(?:die|la|le|el|a|o|il|de|het|opción|option|opção|opzione|letra|lettre|lettera|buchstabe) ){0,2}/gi,
  /(?<![\p{L}])(?:(?:poprawna |prawidłowa )?odpowiedź(?: to)?|(?:doğru )?cevap|(?:đáp án|câu trả lời)(?: đúng)?(?: là)?|jawaban(?:nya)?(?: yang benar)?(?: adalah)?|(?:الإجابة|الجواب)(?: الصحيحة| الصحيح| النهائية)?(?: هي| هو)?|(?:सही )?उत्तर(?: है)?|คำตอบ(?:ที่ถูกต้อง)?(?:คือ)?)\s{0,3}:?\s{0,6}(?=["'([]?[A-Z0-9])/giu,
  /(?:правильный |верный |окончательный )?ответ(?:\s{0,3}[::—-]|\s{1,3}(?=["'([]?[A-Z0-9]))\s{0,6}/giu,
]

const wrongHead =
  /\b(?:wrong|incorrect|false|bad|worst|tempting|obvious|common|distractor|initial|first|original|previous|user's|student's|alternative|possible|other|another|no|not|what|which|any|if|whether|unless|suppose|assume|assuming)\b|\b(?:you|one|many|some|most|people|students|they|might|may|could) (?:think|believe|say|assume|guess|expect|argue|choose)\b/i
const hedge = /^(?:could|might|may|can) be$/i
const step =
  /\b(?:get|result|value|solution|number|total|sum|cost|price|average|difference|amount|distance|profit|needs?|takes?|requires?)\b(?!.*\b(?:answer|final)\b)/i
const tag = /<(answer|final_answer|final|result)>([^]{0,4000}?)<\/\1>/gi

/**
 * Every place at which the text says what its answer is, in order. @param text with its markup, for boxes, tags and `####`
 * @param words the same without markup (`unmarked`), position for position
 */
export function answerMarks(text: string, words: string): AnswerMark[] {
  const marks = allMarks(text, words)
  const firstWord = (from: number) => /[\p{L}\p{N}][^\s,;]{0,60}/u.exec(words.slice(from, from + 100))?.[0].replace(/[.!]$/, '')
  const from = [...words.matchAll(retraction)].findLast(({ 0: said, 1: not, index }) => {
    const stated = marks.findLast(({ start }) => start < index)
    return not === undefined || (stated && firstWord(stated.start) === firstWord(index + said.length))
  })?.index
  return from === undefined ? marks : marks.filter(({ start }) => start >= from)
}

/** Before a statement that is denied or doubted: "I don't think the answer is". */
const deniedBefore =
  /\b(?:(?:do|does|did|is|was|could|would|ca)n't|(?:do|does|did) not|cannot|not true|not sure|not certain|not the case|unlikely|doubt|doubtful|nobody|no one|never|hardly)\b(?![^.!?\n;:]{0,60}\b(?:but|so|and|therefore|thus|hence|however|because)\b)[^.!?\n;:,]{0,60}$/i

/** "Wait, it is not B", "Hmm, that is wrong": what was stated before holds no longer. */
const retraction =
  /\b(?:wait|actually|correction|sorry|oops|hmm|no|on second thought)[,.!:–—-]{1,3}\s{1,3}(?:(?:wait|no|actually|sorry),?\s{1,3}){0,3}(?:it|that|this)(?:'s| is| was)\s{1,3}(?:(not)\b(?!\s(?:wrong|incorrect|false|a mistake))|wrong\b|incorrect\b|a mistake\b)/gi

function allMarks(text: string, words: string): AnswerMark[] {
  const marks: AnswerMark[] = []
  for (const match of text.matchAll(tag)) {
    const start = match.index + match[0].indexOf('>') + 1
    marks.push({ start, end: start + (match[2]?.length ?? 0), certainty: 'final', isEnclosed: true })
  }
  const boxed = lastBoxed(text)
  if (boxed) marks.push({ start: boxed.start, end: boxed.end, certainty: 'final', isEnclosed: true })
  for (const match of text.matchAll(/^#{4} {0,3}(?=\S)/gm))
    marks.push({ start: match.index + match[0].length, end: lineEnd(text, match.index), certainty: 'final' })
  for (const pattern of patterns) {
    for (const match of words.matchAll(pattern)) {
      const { head = '', link: verb = '', not } = match.groups ?? {}
      if (not !== undefined || wrongHead.test(head)) continue
      const before = words.slice(Math.max(0, match.index - 100), match.index + head.length)
      if (deniedBefore.test(before) || (/^would be$/i.test(verb) && /\bif\b[^.!?\n]{0,100}$/i.test(before))) continue
      const start = match.index + match[0].length
      const certainty = hedge.test(verb) ? 'hedged' : /final/i.test(head) ? 'final' : 'stated'
      marks.push({ start, end: statementEnd(words, start), certainty, isStep: certainty !== 'final' && step.test(match[0]) })
    }
  }
  return marks.sort((a, b) => a.start - b.start)
}

/** The end of the line, or of the next one where this one holds nothing more. */
function statementEnd(text: string, from: number): number {
  const first = from + (/^\s*/.exec(text.slice(from, from + 200))?.[0].length ?? 0)
  return lineEnd(text, first)
}

export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
