import { dateFromCall } from './dates.ts'
import { readString } from './string-literal.ts'
import { hashKey, NONE, numberOf, type PyValue } from './values.ts'

type Notation = 'python' | 'json'

const deepest = 200

/** Python refuses to read longer whole numbers, too. */
const longestInteger = 4300

const constants: Readonly<Record<string, PyValue>> = {
  None: NONE,
  True: { type: 'bool', value: true },
  False: { type: 'bool', value: false },
}
const names: Readonly<Record<Notation, Readonly<Record<string, PyValue>>>> = {
  python: {
    ...constants,
    nan: float(Number.NaN),
    inf: float(Infinity),
  },
  json: {
    null: NONE,
    true: { type: 'bool', value: true },
    false: { type: 'bool', value: false },
    NaN: float(Number.NaN),
    Infinity: float(Infinity),
  },
}

const pythonNumber = /0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y
const numbers: Readonly<Record<Notation, RegExp>> = {
  python: pythonNumber,
  json: /(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
}

function float(value: number): PyValue {
  return { type: 'float', value }
}

/** A recursive descent over one text; every method returns null where the text is not what it should be. */
export class LiteralReader {
  readonly #text: string
  readonly #notation: Notation
  #at = 0
  #depth = 0

  constructor(text: string, notation: Notation) {
    this.#text = text
    this.#notation = notation
  }

  readAll(): PyValue | null {
    const value = this.#readSum()
    this.#skip()
    return this.#at === this.#text.length ? value : null
  }

  #skip(): void {
    while (' \t\n\r'.includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length) this.#at++
  }

  #take(token: string): boolean {
    this.#skip()
    if (!this.#text.startsWith(token, this.#at)) return false
    this.#at += token.length
    return true
  }

  #match(pattern: RegExp): string | null {
    this.#skip()
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) return null
    this.#at += found.length
    return found
  }

  /** One value, in Python followed by any number of terms. */
  #readSum(): PyValue | null {
    let value = this.#readSigned()
    while (value && this.#notation !== 'json') {
      const sign = this.#match(/[+-]/y)
      if (sign === null) return value
      const term = this.#readSigned()
      value = term && sum(value, sign === '-' ? negated(term) : term)
    }
    return value
  }

  #readSigned(): PyValue | null {
    const signs = this.#match(this.#notation !== 'json' ? /(?:[+-][ \t\n\r]{0,9}){1,50}/y : /-(?=[\dI])/y)
    if (signs === null) return this.#readValue()
    const minuses = signs.split('-').length - 1
    const value = negated(this.#readValue())
    return minuses % 2 === 1 ? value : negated(value)
  }

  #readValue(): PyValue | null {
    if (++this.#depth > deepest) return null
    try {
      if (this.#take('[')) return this.#items(']', items => ({ type: 'list', items }))
      if (this.#take('{')) return this.#readBraces()
      if (this.#notation !== 'json' && this.#take('(')) return this.#readParentheses()
      return this.#readNumber() ?? this.#readString() ?? this.#readName()
    } finally {
      this.#depth--
    }
  }

  #readNumber(): PyValue | null {
    const found = this.#match(numbers[this.#notation])
    if (found === null) return null
    const digits = found.replaceAll('_', '')
    if (!/^(?:0[xXoObB].+|\d+)$/.test(digits)) return float(Number(digits))
    return digits.length > longestInteger ? null : { type: 'int', value: BigInt(digits.toLowerCase()) }
  }

  #readString(): PyValue | null {
    this.#skip()
    const read = readString(this.#text, this.#at, this.#notation === 'json')
    if (!read) return null
    this.#at = read.end
    // Neighboring literals are one string in Python.
    const next = this.#notation !== 'json' && read.value.type === 'str' ? this.#readString() : null
    return next?.type === 'str' && read.value.type === 'str' ? { type: 'str', value: read.value.value + next.value } : read.value
  }

  #readName(): PyValue | null {
    const name = this.#match(/[A-Za-z_][\w.]*/y)
    if (name === null) return null
    const own = names[this.#notation]
    if (Object.hasOwn(own, name)) return own[name] ?? null
    if (this.#notation === 'json' || !this.#take('(')) return null
    const args = this.#items(')', items => ({ type: 'tuple', items }))
    if (args?.type !== 'tuple') return null
    return name === 'set' && args.items.length === 0 ? { type: 'set', items: [] } : dateFromCall(name, args.items)
  }

  #readParentheses(): PyValue | null {
    if (this.#take(')')) return { type: 'tuple', items: [] }
    const first = this.#readSum()
    if (!first || this.#take(')')) return first
    return this.#take(',') ? this.#items(')', items => ({ type: 'tuple', items: [first, ...items] })) : null
  }

  #readBraces(): PyValue | null {
    if (this.#take('}')) return { type: 'dict', entries: [] }
    const first = this.#readSum()
    if (!first) return null
    if (this.#take(':')) return this.#entries(first)
    if (this.#notation === 'json') return null
    const rest = this.#take(',')
      ? this.#items('}', items => ({ type: 'set', items }))
      : this.#take('}')
        ? { type: 'set' as const, items: [] }
        : null
    return rest?.type === 'set' ? { type: 'set', items: [first, ...rest.items] } : null
  }

  #entries(firstKey: PyValue): PyValue | null {
    const entries: [PyValue, PyValue][] = []
    for (let key: PyValue | null = firstKey; key; ) {
      if (this.#notation === 'json' && key.type !== 'str') return null
      const value = this.#readSum()
      if (!value) return null
      entries.push([key, value])
      if (this.#take('}')) return { type: 'dict', entries: lastOfEachKey(entries) }
      if (!this.#take(',')) return null
      if (this.#notation !== 'json' && this.#take('}')) return { type: 'dict', entries: lastOfEachKey(entries) }
      key = this.#readSum()
      if (!this.#take(':')) return null
    }
    return null
  }

  /** Values up to the closing mark; Python allows a comma before it. */
  #items(closing: string, make: (items: readonly PyValue[]) => PyValue): PyValue | null {
    const items: PyValue[] = []
    if (this.#take(closing)) return make(items)
    for (;;) {
      const item = this.#readSum()
      if (!item) return null
      items.push(item)
      if (this.#take(closing)) return make(items)
      if (!this.#take(',')) return null
      if (this.#notation !== 'json' && this.#take(closing)) return make(items)
    }
  }
}

function negated(value: PyValue | null): PyValue | null {
  if (value?.type === 'int') return { type: 'int', value: -value.value }
  return value?.type === 'float' ? float(-value.value) : null
}

function sum(a: PyValue, b: PyValue | null): PyValue | null {
  if (b === null || a.type === 'bool' || b.type === 'bool') return null
  const left = numberOf(a)
  const right = numberOf(b)
  if (left === null || right === null) return null
  if (typeof left === 'bigint' && typeof right === 'bigint') return { type: 'int', value: left + right }
  return float(Number(left) + Number(right))
}

/** As in Python a key written twice has its last value. */
function lastOfEachKey(entries: readonly [PyValue, PyValue][]): readonly [PyValue, PyValue][] {
  return [...new Map(entries.map(entry => [hashKey(entry[0]), entry])).values()]
}
