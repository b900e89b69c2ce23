import { isJson } from '../python/json.ts'
import { isSpaceCode, lstrip, removePrefix, removeSuffix, rstrip, strip } from '../python/strings.ts'
import { userPattern } from '../patterns/user-pattern.ts'
import { countOccurrences, countOf, type MakeChecker, occursIn, sectionPattern, textOf } from './checker.ts'

const highlighted = /\*[^\n*]*\*/g
const doublyHighlighted = /\*\*[^\n*]*\*\*/g
const constrainedResponses = ['My answer is yes.', 'My answer is no.', 'My answer is maybe.']
const changes = /\*[^\n]*\*/g

export const formatCheckers: Readonly<Record<string, MakeChecker>> = {
  'detectable_format:number_bullet_lists': kwargs => {
    const wanted = countOf(kwargs, 'num_bullets')
    return response => countBullets(response, '*') + countBullets(response, '-') === wanted
  },

  'detectable_format:constrained_response': () => response => constrainedResponses.some(option => response.includes(option)),

  'detectable_format:number_highlighted_sections': kwargs => {
    const wanted = countOf(kwargs, 'num_highlights')
    return response => {
      const single = (response.match(highlighted) ?? []).filter(text => strip(strip(text, '*')) !== '')
      const double = (response.match(doublyHighlighted) ?? []).filter(text => strip(text.slice(2, -2)) !== '')
      return single.length + double.length >= wanted
    }
  },

  'detectable_format:multiple_sections': kwargs => {
    const mark = sectionPattern(strip(textOf(kwargs, 'section_spliter')))
    const wanted = countOf(kwargs, 'num_sections')
    return response => countOccurrences(mark, response) >= wanted
  },

  'detectable_format:json_format': () => response => {
    const fences = ['```json', '```Json', '```JSON', '```']
    return isJson(strip(removeSuffix(fences.reduce(removePrefix, strip(response)), '```')))
  },

  'detectable_format:title': () => response => response.split('\n').some(hasTitle),

  'detectable_format:rephrasing': kwargs => {
    const original = textOf(kwargs, 'original_message').replace(changes, '')
    return response => response.replace(changes, '') === original
  },

  'multi-turn:constrained_start': kwargs => {
    const start = userPattern(String.raw`^\s*${strip(textOf(kwargs, 'starter'))}`, { multiline: true })
    return response => occursIn(start, response)
  },
}

/**
 * Matches of `^\s*\*[^\*].*$` or of `^\s*-.*$`, line by line. White space before the mark may hold line ends, and the character
 * after a `*` may itself be a line end, which draws the next line into the bullet.
 */
function countBullets(text: string, mark: '*' | '-'): number {
  let count = 0
  for (let lineStart = 0; lineStart < text.length; ) {
    let i = lineStart
    while (i < text.length && isSpaceCode(text.charCodeAt(i))) i++
    const isBullet = mark === '-' ? text[i] === '-' : text[i] === '*' && i + 1 < text.length && text[i + 1] !== '*'
    if (isBullet) count++
    const lineEnd = text.indexOf('\n', isBullet && mark === '*' ? i + 2 : i)
    if (lineEnd < 0) break
    lineStart = lineEnd + 1
  }
  return count
}

/** A match of `<<[^\n]+>>` in the line with more in it than brackets and white space. */
function hasTitle(line: string): boolean {
  const start = line.indexOf('<<')
  const end = line.lastIndexOf('>>')
  if (start < 0 || end < start + 3) return false
  return strip(rstrip(lstrip(line.slice(start, end + 2), '<'), '>')) !== ''
}
