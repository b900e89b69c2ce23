/** A stretch of a text. */
interface Stretch {
  readonly start: number
  readonly end: number
}

const field = /"(?:final_?answer|answer|result)"\s{0,3}:\s{0,3}(?:"([^"\\\n]{1,400})"|(-?\d[\d.eE+-]{0,30}|true|false))\s{0,3}[,}]/gi
const explained =
  /^\s{0,8}([^\n]{1,100})\n\s{0,8}(?=(?:[*_#>( ]{0,6})(?:explanation|reason(?:ing)?|rationale|justification|because|since|note|here'?s why|why|details?|sources?)\b)/i
const yesOrNo =
  /^[\s"'(]{0,6}(?:(?:well|oh|hmm),?\s)?(yes|no|true|false)(?=\s?[,.;:!–—-](?:\s|$)|\s(?:it|he|she|they|this|that|there|you|we|i)\s(?:does|do|is|are|was|were|can|could|will|would|has|have|had|did|should)\b)/i
const others: Readonly<Record<string, RegExp>> = {
  yes: /\b(?:no|maybe|wrong|actually)\b/i,
  no: /\b(?:yes|maybe|actually)\b/i,
  true: /\b(?:false|maybe|actually)\b/i,
  false: /\b(?:true|maybe|actually)\b/i,
}
const statement = /^\s{0,8}(?:that|this|it|(?:that|this|the) (?:statement|claim|sentence)) is (true|false|correct|incorrect)[.!]?\s{0,8}$/i
const subject =
  /^\s{0,8}(?:(?:so|thus|therefore|hence|then|well|okay|ok|sure|clearly),?\s)?(.{1,100}?) (?:is|was|would be) (?:(?:the |my )(?:(?:correct|right|final|best|only) )?answer|correct|right)[.!]{0,3}\s{0,8}$/i
const cleft = /^[^.!?\n]{0,60}\b(?:it|that|this) (?:is|was) ([^,.!?\n]{1,100}?) (?:who|that|which|where|when) /i
const copula = /^(?:[^\n]{1,200})\b(?:is|was|are|were|equals)(?: (?:called|named|known as))? /i
/** What is said of the others: "Paris, not Lyon". */
const contrast = /,? (?:and |but )?(?:not|rather than|instead of|unlike) [^,;\n]{1,80}$/i
/** A sentence that denies, doubts, or speaks of what others hold states no answer of its own. */
const doubtful =
  /\?|\b(?:not|never|neither|nor|no|none|either|maybe|perhaps|might|may|could|would|unclear|unknown|unsure|sorry|cannot|wrong|incorrect|false|mistaken|myth|misconceptions?|mistakes?|errors?|guess|tempting|doubt|doubtful|unlikely|hardly|nobody|trick|used to|former(?:ly)?|previous(?:ly)?|people|some|many|often|if|unless|except|like|such as|similar)\b|n't\b/i
/** Ends of sentences, not of initials and abbreviations. */
const sentenceEnd = /(?<![A-Z]|\b(?:Dr|Mr|Mrs|Ms|St|Jr|Sr|vs|No|etc))[.!?](?=\s)/

/** The last field of JSON that is named for it. @param words with the braces that are not markup */
export function answerField(words: string): Stretch | null {
  const named = [...words.matchAll(field)].at(-1)
  return named ? inside(words, named.index + named[0].indexOf(':') + 1, named[1] ?? named[2] ?? '') : null
}

/**
 * The answer of an output that marks none, as a person would read it: "Yes, because …", a first line that is then explained, "Paris is the answer", one sentence that ends with it ("The capital of France is Paris"), or a line of its own after
 * sentences. Null where the output may say another thing. @param words without markup
 */
export function soleAnswer(words: string): Stretch | null {
  const first = yesOrNo.exec(words)?.[1] ?? statement.exec(words)?.[1]
  if (first !== undefined)
    return others[first.toLowerCase()]?.test(words.slice(words.indexOf(first) + first.length)) ? null : inside(words, 0, first)
  const line = explained.exec(words)?.[1]
  if (line !== undefined) return sentenceEnd.test(line) || /[:?]\s{0,3}$/.test(line) ? null : inside(words, 0, line)
  const text = words.trim()
  return text.includes('\n') ? lastLine(words) : oneSentence(words, text)
}

function oneSentence(words: string, text: string): Stretch | null {
  const sentence = text.replace(/[.!]{1,3}$/, '').replace(contrast, '')
  if (text.length > 300 || sentenceEnd.test(text) || doubtful.test(sentence)) return null
  const said = subject.exec(text)?.[1] ?? cleft.exec(text)?.[1]
  if (said !== undefined) return inside(words, 0, said)
  const head = copula.exec(sentence)
  if (head) return inside(words, words.indexOf(text) + head[0].length, sentence.slice(head[0].length))
  return contrast.test(text) && sentence.split(' ').length <= 6 ? inside(words, 0, sentence) : null
}

/** A short last line, apart from sentences before it. */
function lastLine(words: string): Stretch | null {
  const found = /[^\n]{12,}[.!][ \t]{0,8}\n[ \t]{0,8}\n\s{0,8}([^\n]{1,60})\s{0,20}$/.exec(words.slice(-600))?.[1]
  if (found === undefined || sentenceEnd.test(found) || /[:?]\s{0,3}$|^\s{0,3}(?:[-*•>]|\d{1,2}[.)])\s/.test(found) || doubtful.test(found))
    return null
  return found.trim().split(/\s+/).length > 6 ? null : inside(words, words.lastIndexOf(found), found)
}

function inside(words: string, from: number, part: string): Stretch {
  const bare = part.trim()
  const start = words.indexOf(bare, from)
  return { start, end: start + bare.length }
}
