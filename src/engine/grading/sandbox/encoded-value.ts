import { parsePythonLiteral } from '../scorers/python/literal.ts'
import type { PyValue } from '../scorers/python/values.ts'

/** A value as the harness writes it: JSON, with `{t, v}` for what JSON has not. */
export type Encoded = unknown

/** The Python value of an encoded one; null for what has no plain form (an object that stays in its process) or is malformed. */
export function toPython(value: Encoded): PyValue | null {
  if (value === null) return { type: 'none' }
  if (typeof value === 'boolean') return { type: 'bool', value }
  if (typeof value === 'number') return Number.isInteger(value) ? { type: 'int', value: BigInt(value) } : null
  if (typeof value === 'string') return { type: 'str', value }
  if (!isTagged(value)) return null
  const { t, v } = value
  switch (t) {
    case 'int':
      return typeof v === 'string' ? wholeOf(v) : null
    case 'float':
      return typeof v === 'string' ? { type: 'float', value: floatOf(v) } : null
    case 'bytes':
      return typeof v === 'string' ? { type: 'bytes', value: Buffer.from(v, 'hex').toString('latin1') } : null
    case 'list':
    case 'tuple':
      return itemsOf(v, t)
    case 'set':
    case 'frozenset':
      return itemsOf(v, 'set')
    case 'dict':
      return dictOf(v)
    case 'date':
    case 'datetime':
    case 'time':
      return typeof v === 'string' ? momentOf(t, v) : null
    default:
      return null
  }
}

/** What a call is given, from JSON: numbers that are not whole are floats, lists are lists, and what is encoded already stays so. */
export function fromJson(value: unknown): Encoded {
  if (typeof value === 'number' && !Number.isInteger(value)) return { t: 'float', v: String(value) }
  if (Array.isArray(value)) return { t: 'list', v: value.map(fromJson) }
  if (isTagged(value) && Object.keys(value).length === 2) return value
  if (typeof value === 'object' && value !== null)
    return { t: 'dict', v: Object.entries(value).map(([key, item]) => [key, fromJson(item)]) }
  return value
}

/** What a call is given, from a Python value. */
export function fromPython(value: PyValue): Encoded {
  switch (value.type) {
    case 'none':
      return null
    case 'bool':
    case 'str':
      return value.value
    case 'int':
      return { t: 'int', v: String(value.value) }
    case 'float':
      return {
        t: 'float',
        v: Number.isFinite(value.value) ? String(value.value) : Number.isNaN(value.value) ? 'nan' : value.value > 0 ? 'inf' : '-inf',
      }
    case 'bytes':
      return { t: 'bytes', v: Buffer.from(value.value, 'latin1').toString('hex') }
    case 'list':
    case 'tuple':
    case 'set':
      return { t: value.type, v: value.items.map(fromPython) }
    case 'dict':
      return { t: 'dict', v: value.entries.map(([key, item]) => [fromPython(key), fromPython(item)]) }
    case 'date':
      return { t: 'date', v: day(value) }
    case 'datetime':
      return { t: 'datetime', v: `${day(value)}T${clock(value.seconds)}` }
    case 'time':
      return { t: 'time', v: clock(value.seconds) }
  }
}

function isTagged(value: unknown): value is { readonly t: string; readonly v: unknown } {
  return typeof value === 'object' && value !== null && 't' in value && typeof value.t === 'string' && 'v' in value
}

/** Reading decimals takes a time that grows with the square of their length, hexadecimal digits do not. */
const mostDecimals = 20_000
const mostHexDigits = 1_000_000

function wholeOf(text: string): PyValue | null {
  const [, sign, digits = ''] = /^(-?)(0x[\da-f]+|\d+)$/.exec(text) ?? []
  if (digits === '' || digits.length > (digits.startsWith('0x') ? mostHexDigits : mostDecimals)) return null
  const value = BigInt(digits)
  return { type: 'int', value: sign === '-' ? -value : value }
}

function floatOf(text: string): number {
  if (text === 'inf') return Number.POSITIVE_INFINITY
  if (text === '-inf') return Number.NEGATIVE_INFINITY
  return text === 'nan' ? Number.NaN : Number(text)
}

function itemsOf(value: unknown, type: 'list' | 'tuple' | 'set'): PyValue | null {
  if (!Array.isArray(value)) return null
  const items: PyValue[] = []
  for (const item of value) {
    const read = toPython(item)
    if (!read) return null
    items.push(read)
  }
  return { type, items }
}

function dictOf(value: unknown): PyValue | null {
  if (!Array.isArray(value)) return null
  const entries: (readonly [PyValue, PyValue])[] = []
  for (const entry of value) {
    if (!Array.isArray(entry)) return null
    const key = toPython(entry[0])
    const item = toPython(entry[1])
    if (!key || !item) return null
    entries.push([key, item])
  }
  return { type: 'dict', entries }
}

function momentOf(kind: 'date' | 'datetime' | 'time', text: string): PyValue | null {
  const [, year, month, date, hour = '0', minute = '0', second = '0'] =
    /^(?:(\d{1,4})-(\d\d)-(\d\d))?T?(?:(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?/.exec(text) ?? []
  const numbers = (
    kind === 'date' ? [year, month, date] : kind === 'time' ? [hour, minute, second] : [year, month, date, hour, minute, second]
  )
    .map(Number)
    .join(', ')
  return parsePythonLiteral(`datetime.${kind}(${numbers})`)
}

function day({ year, month, day: date }: { readonly year: number; readonly month: number; readonly day: number }): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}

function clock(seconds: number): string {
  const part = (value: number) => String(value).padStart(2, '0')
  const whole = Math.floor(seconds)
  const micros = Math.round((seconds - whole) * 1e6)
  const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`
  return `${part(Math.floor(whole / 3600))}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}${fraction}`
}
