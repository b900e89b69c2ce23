import { type Field, fieldsOf } from './expression-format.ts'
import { NotEvaluated } from './expression-limits.ts'
import { readString } from './string-literal.ts'
import type { PyValue } from './values.ts'

/** A token of an expression; numbers and strings have their value. */
export interface Token {
  readonly kind: 'number' | 'string' | 'name' | 'mark' | 'end'
  readonly text: string
  readonly value?: PyValue
  /** Of a formatted string, whose value is what is before the first field. */
  readonly fields?: readonly Field[]
}

/** Python refuses to read longer whole numbers, too. */
const longestInteger = 4300

const number = /0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y
const word = /[\p{L}_][\p{L}\p{N}\p{M}_]*/uy
const mark = /\*\*|\/\/|<<|>>|[=!<>]=|\.\.\.|[-+*/%@&|^~<>=()[\]{},:.]/y

/** @throws NotEvaluated for what is not a token, and for a second line outside of brackets */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  let isOver = false
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at)
    if (char === '#') at = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at)
    else if (/\s/.test(char)) {
      isOver ||= char === '\n' && depth === 0 && tokens.length > 0
      at++
    } else {
      if (isOver) throw new NotEvaluated()
      const token = tokenAt(text, at)
      if ('([{'.includes(token.text)) depth++
      else if (')]}'.includes(token.text)) depth--
      tokens.push(token)
      at += token.length
    }
  }
  return tokens
}

function tokenAt(text: string, at: number): Token & { readonly length: number } {
  const [, before = '', after = ''] = /^(?:([rR]?)[fF]([rR]?))(?=['"])/.exec(text.slice(at, at + 3)) ?? []
  const isFormatted = /^[rR]?[fF][rR]?['"]/.test(text.slice(at, at + 3))
  // Read with its other prefix alone.
  const skipped = isFormatted ? 1 + before.length + after.length : 0
  const isRaw = before + after !== ''
  const string = readString(
    isRaw ? `${text.slice(0, at + skipped - 1)}r${text.slice(at + skipped)}` : text,
    at + skipped - (isRaw ? 1 : 0),
    false,
  )
  if (string) {
    const { value } = string
    const split = isFormatted && value.type === 'str' ? fieldsOf(value.value) : null
    return {
      kind: 'string',
      text: '',
      value: split ? { type: 'str', value: split.start } : value,
      ...(split && split.fields.length > 0 && { fields: split.fields }),
      length: string.end - at,
    }
  }
  for (const [kind, pattern] of [
    ['number', number],
    ['name', word],
    ['mark', mark],
  ] as const) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) continue
    return { kind, text: found, length: found.length, ...(kind === 'number' && { value: numberFrom(found) }) }
  }
  throw new NotEvaluated()
}

function numberFrom(text: string): PyValue {
  const digits = text.replaceAll('_', '').toLowerCase()
  if (!/^(?:0[xob].+|\d+)$/.test(digits)) return { type: 'float', value: Number(digits) }
  if (digits.length > longestInteger || /^0+[1-9]/.test(digits)) throw new NotEvaluated()
  return { type: 'int', value: BigInt(digits) }
}
