import { itemAt, itemsOf } from './expression-items.ts'
import { binary, isTrue, order } from './expression-operators.ts'
import { mostItems, NotEvaluated, refuse } from './expression-limits.ts'
import { strip } from './strings.ts'
import { hashKey, NONE, numberOf, pyEquals, type PyValue } from './values.ts'

type Options = ReadonlyMap<string, PyValue>
type Called = (args: readonly PyValue[], options: Options) => PyValue
type Method = (self: PyValue, ...args: readonly PyValue[]) => PyValue

const int = (value: bigint | number): PyValue => ({ type: 'int', value: BigInt(value) })
const bool = (value: boolean): PyValue => ({ type: 'bool', value })
const str = (value: string): PyValue => ({ type: 'str', value })
const list = (items: readonly PyValue[]): PyValue => ({ type: 'list', items })
/** Ranges, views and iterators: they equal no list, and this is all that is asked of them. */
const view = (items: readonly PyValue[]): PyValue => ({ type: 'tuple', items })

/** With exactly so many arguments, and no option. */
function plain(least: number, most: number, run: (...args: readonly PyValue[]) => PyValue): Called {
  return (args, options) => (args.length < least || args.length > most || options.size > 0 ? refuse() : run(...args))
}

function sized(items: readonly PyValue[]): readonly PyValue[] {
  return items.length > mostItems ? refuse() : items
}

function wholeOf(value: PyValue): number {
  const number = numberOf(value)
  return typeof number === 'bigint' ? Number(number) : refuse()
}

function textOf(value: PyValue | undefined): string {
  return value?.type === 'str' ? value.value : refuse()
}

function unique(items: readonly PyValue[]): PyValue {
  return { type: 'set', items: [...new Map(items.map(item => [hashKey(item), item])).values()] }
}

function sorted(args: readonly PyValue[], options: Options): PyValue {
  const [value] = args
  const reverse = options.get('reverse')
  if (!value || args.length > 1 || options.size > (reverse ? 1 : 0)) throw new NotEvaluated()
  const items = itemsOf(value).toSorted(order)
  return list(reverse && isTrue(reverse) ? items.toReversed() : items)
}

function extreme(sign: 1 | -1): Called {
  return plain(1, mostItems, (...args) => {
    const [first] = args
    const items = args.length === 1 && first ? itemsOf(first) : args
    return items.reduce((best, item) => (order(item, best) * sign > 0 ? item : best), items[0] ?? refuse())
  })
}

function range(...args: readonly PyValue[]): PyValue {
  const numbers = args.map(wholeOf)
  const [from, to, step] = numbers.length === 1 ? [0, numbers[0] ?? 0, 1] : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1]
  if (step === 0 || (to - from) / step > mostItems) throw new NotEvaluated()
  const items: PyValue[] = []
  for (let at = from; step > 0 ? at < to : at > to; at += step) items.push(int(at))
  return view(items)
}

function toInt(value: PyValue, base: PyValue = NONE): PyValue {
  if (base.type !== 'none') {
    const [text, radix] = [strip(textOf(value)).toLowerCase(), wholeOf(base)]
    const digits = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix)
    const [, sign = '', size = ''] = /^([+-]?)(?:0[box])?([0-9a-z]{1,300})$/.exec(text) ?? []
    if (radix < 2 || radix > 36 || size === '' || [...size].some(digit => !digits.includes(digit))) throw new NotEvaluated()
    const total = [...size].reduce((sum, digit) => sum * BigInt(radix) + BigInt(digits.indexOf(digit)), 0n)
    return int(sign === '-' ? -total : total)
  }
  if (value.type === 'str') return /^[+-]?\d+$/.test(strip(value.value)) ? int(BigInt(strip(value.value).replace(/^\+/, ''))) : refuse()
  const number = numberOf(value)
  if (typeof number === 'bigint') return int(number)
  return number !== null && Number.isFinite(number) ? int(Math.trunc(number)) : refuse()
}

function toFloat(value: PyValue): PyValue {
  if (value.type !== 'str') return { type: 'float', value: Number(numberOf(value) ?? refuse()) }
  const text = strip(value.value).toLowerCase()
  if (/^[+-]?(?:inf|infinity)$/.test(text)) return { type: 'float', value: text.startsWith('-') ? -Infinity : Infinity }
  if (/^[+-]?nan$/.test(text)) return { type: 'float', value: Number.NaN }
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/.test(text) ? { type: 'float', value: Number(text) } : refuse()
}

/** As `repr` writes it. */
function shown(value: PyValue): string {
  if (value.type === 'str') return quoted(value.value)
  if (value.type === 'list') return `[${value.items.map(shown).join(', ')}]`
  if (value.type === 'tuple') return `(${value.items.map(shown).join(', ')}${value.items.length === 1 ? ',' : ''})`
  if (value.type === 'dict') return `{${value.entries.map(([key, item]) => `${shown(key)}: ${shown(item)}`).join(', ')}}`
  return toText(value)
}

function quoted(text: string): string {
  if (/[^ -~\n\t\r]/.test(text)) throw new NotEvaluated()
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\r', String.raw`\r`)
  return `${quote}${quote === "'" ? escaped.replaceAll("'", String.raw`\'`) : escaped}${quote}`
}

function toText(value: PyValue): string {
  if (value.type === 'list' || value.type === 'tuple' || value.type === 'dict') return shown(value)
  if (value.type === 'str') return value.value
  if (value.type === 'int') return String(value.value)
  if (value.type === 'bool') return value.value ? 'True' : 'False'
  if (value.type === 'none') return 'None'
  if (value.type !== 'float' || !Number.isFinite(value.value) || Math.abs(value.value) >= 1e16) throw new NotEvaluated()
  return Number.isInteger(value.value) ? `${value.value}.0` : Math.abs(value.value) >= 1e-4 ? String(value.value) : refuse()
}

/** Half to even, on the digits that the number has. */
function round(value: PyValue, digits: PyValue = NONE): PyValue {
  const number = numberOf(value)
  if (number === null) throw new NotEvaluated()
  if (typeof number === 'bigint') return digits.type === 'none' || wholeOf(digits) >= 0 ? int(number) : refuse()
  if (digits.type !== 'none') return { type: 'float', value: Number(number.toFixed(Math.min(15, Math.max(0, wholeOf(digits))))) }
  if (!Number.isFinite(number)) throw new NotEvaluated()
  const below = Math.floor(number)
  const isUp = number - below > 0.5 || (number - below === 0.5 && below % 2 !== 0)
  return int(isUp ? below + 1 : below)
}

function toDict(args: readonly PyValue[], options: Options): PyValue {
  const [from] = args
  const pairs =
    from === undefined
      ? []
      : from.type === 'dict'
        ? from.entries
        : itemsOf(from).map(pair => {
            const [key, value] = itemsOf(pair)
            return key && value ? ([key, value] as const) : refuse()
          })
  const entries = [...pairs, ...[...options].map(([name, value]) => [str(name), value] as const)]
  return { type: 'dict', entries: [...new Map(entries.map(entry => [hashKey(entry[0]), entry])).values()] }
}

function based(prefix: string, radix: number): Called {
  return plain(1, 1, (value = NONE) => {
    const number = numberOf(value)
    return typeof number === 'bigint'
      ? str(`${number < 0n ? '-' : ''}${prefix}${(number < 0n ? -number : number).toString(radix)}`)
      : refuse()
  })
}

/** Python's built-in functions that answers write into an expected value. */
export const functions: Readonly<Record<string, Called>> = {
  len: plain(1, 1, (value = NONE) => int(itemsOf(value).length)),
  sum: plain(1, 2, (value = NONE, start = int(0)) => itemsOf(value).reduce((total, item) => binary('+', total, item), start)),
  min: extreme(-1),
  max: extreme(1),
  sorted,
  abs: plain(1, 1, (value = NONE) => (order(value, int(0)) < 0 ? binary('*', value, int(-1)) : value)),
  round: plain(1, 2, (value = NONE, digits) => round(value, digits)),
  pow: plain(2, 2, (base = NONE, exponent = NONE) => binary('**', base, exponent)),
  divmod: plain(2, 2, (a = NONE, b = NONE) => view([binary('//', a, b), binary('%', a, b)])),
  range: plain(1, 3, range),
  list: plain(0, 1, value => list(value ? sized(itemsOf(value)) : [])),
  tuple: plain(0, 1, value => view(value ? itemsOf(value) : [])),
  set: plain(0, 1, value => unique(value ? itemsOf(value) : [])),
  frozenset: plain(0, 1, value => unique(value ? itemsOf(value) : [])),
  dict: toDict,
  int: plain(0, 2, (value = int(0), base) => toInt(value, base)),
  repr: plain(1, 1, (value = NONE) => str(shown(value))),
  float: plain(0, 1, (value = int(0)) => toFloat(value)),
  str: plain(0, 1, (value = str('')) => str(toText(value))),
  bool: plain(0, 1, (value = NONE) => bool(isTrue(value))),
  any: plain(1, 1, (value = NONE) => bool(itemsOf(value).some(isTrue))),
  all: plain(1, 1, (value = NONE) => bool(itemsOf(value).every(isTrue))),
  ord: plain(1, 1, value => ([...textOf(value)].length === 1 ? int(textOf(value).codePointAt(0) ?? 0) : refuse())),
  chr: plain(1, 1, (value = NONE) => {
    const code = wholeOf(value)
    return code >= 0 && code <= 0x10ffff ? str(String.fromCodePoint(code)) : refuse()
  }),
  bin: based('0b', 2),
  oct: based('0o', 8),
  hex: based('0x', 16),
  reversed: plain(1, 1, (value = NONE) => view(itemsOf(value).toReversed())),
  enumerate: plain(1, 2, (value = NONE, start = int(0)) => view(itemsOf(value).map((item, i) => view([int(wholeOf(start) + i), item])))),
  zip: plain(0, 10, (...values) => {
    const columns = values.map(itemsOf)
    const rows = columns.length === 0 ? 0 : Math.min(...columns.map(column => column.length))
    return view(Array.from({ length: rows }, (_, i) => view(columns.map(column => column[i] ?? NONE))))
  }),
}

const cased =
  (change: (text: string) => string): Method =>
  self =>
    str(change(textOf(self)))
const stripped =
  (sides: 'both' | 'left' | 'right'): Method =>
  (self, chars) => {
    const text = textOf(self)
    const drop = chars && chars.type !== 'none' ? [...textOf(chars)] : null
    const isDropped = (char: string) => (drop ? drop.includes(char) : strip(char) === '')
    const points = [...text]
    let [from, to] = [0, points.length]
    while (sides !== 'right' && from < to && isDropped(points[from] ?? '')) from++
    while (sides !== 'left' && to > from && isDropped(points[to - 1] ?? '')) to--
    return str(points.slice(from, to).join(''))
  }

/** Methods of texts, lists and dictionaries, by name. */
export const attributes: Readonly<Record<string, Method>> = {
  upper: cased(text => text.toUpperCase()),
  lower: cased(text => text.toLowerCase()),
  capitalize: cased(text => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()),
  title: cased(text => text.toLowerCase().replaceAll(/\p{L}+/gu, word => word.charAt(0).toUpperCase() + word.slice(1))),
  strip: stripped('both'),
  lstrip: stripped('left'),
  rstrip: stripped('right'),
  split: (self, separator) => {
    if (!separator || separator.type === 'none')
      return list(
        strip(textOf(self))
          .split(/\s+/)
          .filter(part => part !== '')
          .map(str),
      )
    return textOf(separator) === '' ? refuse() : list(textOf(self).split(textOf(separator)).map(str))
  },
  join: (self, parts) =>
    str(
      itemsOf(parts ?? refuse())
        .map(textOf)
        .join(textOf(self)),
    ),
  replace: (self, from, to) => {
    const text = textOf(self).replaceAll(textOf(from), () => textOf(to))
    return text.length > mostItems ? refuse() : str(text)
  },
  startswith: (self, start) => bool(textOf(self).startsWith(textOf(start))),
  endswith: (self, end) => bool(textOf(self).endsWith(textOf(end))),
  find: (self, part) => {
    const at = textOf(self).indexOf(textOf(part))
    return int(at < 0 ? -1 : itemsOf(str(textOf(self).slice(0, at))).length)
  },
  isdigit: self => bool(/^\p{Nd}+$/u.test(textOf(self))),
  isalpha: self => bool(/^\p{L}+$/u.test(textOf(self))),
  zfill: (self, width = NONE) => {
    const text = textOf(self)
    return str(
      /^[+-]/.test(text)
        ? text.charAt(0) + text.slice(1).padStart(Math.min(1000, wholeOf(width)) - 1, '0')
        : text.padStart(Math.min(1000, wholeOf(width)), '0'),
    )
  },
  count: (self, item = NONE) =>
    self.type === 'str'
      ? int(textOf(item) === '' ? refuse() : self.value.split(textOf(item)).length - 1)
      : int(itemsOf(self).filter(other => pyEquals(other, item)).length),
  index: (self, item = NONE) => {
    const at = self.type === 'str' ? self.value.indexOf(textOf(item)) : itemsOf(self).findIndex(other => pyEquals(other, item))
    return at < 0 ? refuse() : int(at)
  },
  copy: self => (self.type === 'list' || self.type === 'dict' || self.type === 'set' ? self : refuse()),
  keys: self => (self.type === 'dict' ? view(itemsOf(self)) : refuse()),
  values: self => (self.type === 'dict' ? view(self.entries.map(([, value]) => value)) : refuse()),
  items: self => (self.type === 'dict' ? view(self.entries.map(entry => view(entry))) : refuse()),
  get: (self, key = NONE, otherwise = NONE) =>
    self.type !== 'dict' ? refuse() : self.entries.some(([each]) => pyEquals(each, key)) ? itemAt(self, key) : otherwise,
}
