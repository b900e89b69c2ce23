import { classOf, literal, readClass, readEscape } from './regex-classes.ts'

interface Flags {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
}

const wordClass = String.raw`[\p{L}\p{N}_]`
const boundary = `(?:(?<=${wordClass})(?!${wordClass})|(?<!${wordClass})(?=${wordClass}))`
const noBoundary = `(?:(?<=${wordClass})(?=${wordClass})|(?<!${wordClass})(?!${wordClass}))`

/**
 * A pattern in Python's notation as a JavaScript expression that means the same.
 * @throws Error for what has no counterpart
 */
export function pythonToJavaScript(source: string, given: Flags): RegExp {
  const leading = /^\(\?([aiLmsux]+)\)/.exec(source)
  const letters = leading?.[1] ?? ''
  if (letters.includes('x')) throw new Error('the flag "x" is not available')
  const flags = {
    ignoreCase: given.ignoreCase || letters.includes('i'),
    multiline: given.multiline || letters.includes('m'),
    dotAll: given.dotAll || letters.includes('s'),
  }
  return new RegExp(translated(source.slice(leading?.[0].length ?? 0), flags), `gv${flags.ignoreCase ? 'i' : ''}`)
}

function translated(source: string, flags: Flags): string {
  let out = ''
  for (let i = 0; i < source.length; ) {
    const char = String.fromCodePoint(source.codePointAt(i) ?? 0)
    const rest = source.slice(i)
    const repetition = /^\{(\d*)(?:(,)(\d*))?\}/.exec(rest)
    const group = /^\(\?(?:P<(\w+)>|P=(\w+)\)|#[^)]*\))/.exec(rest)
    if (char === '\\') {
      const escape = readEscape(source, i)
      const reference = /^\\([1-9]\d?)/.exec(rest)
      out += reference ? `(?:\\${reference[1]})` : outsideClass(escape.letter, escape.char)
      i += reference ? reference[0].length : escape.length
    } else if (char === '[') {
      const { text, end } = readClass(source, i)
      out += text
      i = end + 1
    } else if (group) {
      out += group[1] ? `(?<${group[1]}>` : group[2] ? `\\k<${group[2]}>` : ''
      i += group[0].length
    } else if (repetition && (repetition[1] || repetition[3])) {
      const [whole, from = '', comma = '', to = ''] = repetition
      out += comma === '' ? whole : `{${from === '' ? '0' : from},${to}}`
      i += whole.length
    } else {
      out += outside(char, flags)
      i += char.length
    }
  }
  return out
}

function outside(char: string, { multiline, dotAll }: Flags): string {
  if (char === '.') return dotAll ? '[^]' : String.raw`[^\n]`
  if (char === '^') return multiline ? String.raw`(?<![^\n])` : '(?<![^])'
  if (char === '$') return multiline ? String.raw`(?![^\n])` : String.raw`(?=\n?(?![^]))`
  return /[()*+?|:=!<]/.test(char) ? char : /[\w-]/.test(char) ? char : literal(char)
}

function outsideClass(letter: string, char: string | null): string {
  if (letter === 'A') return '(?<![^])'
  if (letter === 'Z') return '(?![^])'
  if (letter === 'b') return boundary
  if (letter === 'B') return noBoundary
  const set = classOf(letter)
  if (set !== null) return set
  if (char === null) throw new Error(`"\\${letter}" is not known`)
  return literal(char)
}
