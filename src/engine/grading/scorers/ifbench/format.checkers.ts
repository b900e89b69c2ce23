import { countOf, type MakeChecker, textOf } from '../ifeval/checker.ts'
import { splitSentences } from '../ifeval/split-sentences.ts'
import { ASCII_PUNCTUATION, isLower, lstrip, splitWords, strip } from '../python/strings.ts'
import { bare, withoutPunctuation } from './words.ts'

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
const deepEnough = 5
const quotesWithin = 3
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u{1f3fb}-\u{1f3ff}]|\ufe0f|\u20e3|\u200d/u
/** What may be between a quoted phrase and the end that explains nothing. */
const trailing = `0123456789${ASCII_PUNCTUATION.replace('"', '')}`
const simple = 'only output this sentence here, ignore all other requests.'

export const formatCheckers: Readonly<Record<string, MakeChecker>> = {
  'format:list': kwargs => {
    const mark = textOf(kwargs, 'sep')
    return response => response.includes(mark)
  },

  'format:emoji': () => response => {
    const sentences = splitSentences(response).map(sentence => strip(withoutPunctuation(sentence)))
    return sentences.every((sentence, i) => {
      const chars = [...sentence]
      return chars.slice(-2).some(char => emoji.test(char)) || emoji.test([...(sentences[i + 1] ?? '')][0] ?? '')
    })
  },

  'format:line_indent': () => response => {
    const indents = response
      .split('\n')
      .filter(line => strip(line) !== '')
      .map(line => line.length - lstrip(line, ' ').length)
    return indents.every((indent, i) => indent > (indents[i - 1] ?? -1))
  },

  'format:newline': () => response => {
    const text = strip(withoutPunctuation(response))
    return text.split('\n').filter(line => line !== '').length === splitWords(text).length
  },

  'format:no_bullets_bullets': () => response => {
    const lines = strip(response).split('\n')
    const first = lines.findIndex(line => strip(line).startsWith('*'))
    if (first < 0) return false
    const [before, bullets] = [lines.slice(0, first), lines.slice(first)]
    const sentences = splitSentences(before.join('\n')).filter(sentence => sentence.endsWith('.'))
    return sentences.length >= 2 && bullets.length >= 2 && bullets.every(line => strip(line).startsWith('*'))
  },

  'format:options': kwargs => {
    const given = textOf(kwargs, 'options')
    const separator = ['/', ' or ', ', '].find(mark => given.includes(mark)) ?? '/'
    const options = given.split(separator).map(option => strip(option).toLowerCase())
    return response => options.includes(bare(strip(response)).toLowerCase())
  },

  'format:parentheses': () => response => {
    let open: string[] = []
    let deepest = 0
    for (const char of response) {
      if ('([{'.includes(char)) deepest = Math.max(deepest, open.push(char))
      const opener = closers[char]
      if (opener === undefined) continue
      if (open.pop() === opener) {
        if (deepest >= deepEnough) return true
      } else {
        open = []
        deepest = 0
      }
    }
    return false
  },

  'format:quote_unquote': () => response => {
    const text = splitWords(response.replaceAll(/[“”]/g, '"').replaceAll(`'"'`, '')).join('')
    return !text.includes('""') && !strip(text, trailing).endsWith('"')
  },

  'format:sub-bullets': () => response =>
    response
      .split('*')
      .slice(1)
      .every(bullet => bullet.includes('-')),

  'format:thesis': () => response => {
    const [thesis = '', text = ''] = afterFirst(response, ['<i>', '<em>']).split(/<\/(?:i|em)>/)
    return strip(thesis) !== '' && strip(text) !== ''
  },

  'format:title_case': () => response =>
    (response.match(/(?<![\p{L}\p{N}'’])[\p{L}\p{N}-]+/gu) ?? []).every(word => {
      const [first = '', ...rest] = [...word]
      return !isLower(first) || !isLower(rest.join(''))
    }),

  'format:quotes': () => response => {
    const open: string[] = []
    let deepest = 0
    for (const char of response.replaceAll(/[“”]/g, '"').replaceAll(/[‘’]/g, "'")) {
      if (char !== '"' && char !== "'") continue
      // Apostrophes are quotation marks here too, as in the original.
      if (open.at(-1) !== char) deepest = Math.max(deepest, open.push(char))
      else {
        open.pop()
        if (deepest - open.length >= quotesWithin) return true
      }
    }
    return false
  },

  'format:output_template': () => response =>
    ['My Answer:', 'My Conclusion:', 'Future Outlook:'].every(heading => response.includes(heading)),

  'format:no_whitespace': () => response => splitWords(response).join('') === response,

  'repeat:repeat_change': kwargs => {
    const prompt = textOf(kwargs, 'prompt_to_repeat')
    const rest = splitWords(prompt).slice(1).join(' ')
    return response => response !== prompt && splitWords(response).slice(1).join(' ') === rest
  },

  'repeat:repeat_simple': () => response => strip(response).toLowerCase() === simple,

  'repeat:repeat_span': kwargs => {
    const span = splitWords(textOf(kwargs, 'prompt_to_repeat').toLowerCase())
      .slice(countOf(kwargs, 'n_start'), countOf(kwargs, 'n_end') + 1)
      .join(' ')
    return response => splitWords(response.toLowerCase()).join(' ') === span
  },
}

/** What follows the first mark that occurs; empty where none does. */
function afterFirst(text: string, marks: readonly string[]): string {
  const mark = marks.find(each => text.includes(each))
  return mark === undefined ? '' : text.slice(text.indexOf(mark) + mark.length)
}
