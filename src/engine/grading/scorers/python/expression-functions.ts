import { formatted, shown, toText } from './expression-format.ts'
import { type Argument, dictOf, type Entries, entriesOf, itemsOf, membersOf, pairsOf, uniqueItems, valueOf } from './expression-items.ts'
import { binary, isTrue, order } from './expression-operators.ts'
import { mostItems, NotEvaluated, refuse } from './expression-limits.ts'
import { strip } from './strings.ts'
import { bool, int, list, NONE, numberOf, type PyValue, str, view } from './values.ts'

type Options = ReadonlyMap<string, Argument>
type Called = (args: readonly Argument[], options: Options) => PyValue

/** With exactly so many arguments, and no option. */
function plain(least: number, most: number, run: (...args: readonly PyValue[]) => PyValue): Called {
  return (args, options) => (args.length < least || args.length > most || options.size > 0 ? refuse() : run(...args.map(valueOf)))
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
  return { type: 'set', items: uniqueItems(items) }
}

/** What `key=` makes of an item: a function, or `None` for the item itself. */
function keyOf(option: Argument | undefined): (item: PyValue) => PyValue {
  if (typeof option === 'function') return item => option([item])
  return option === undefined || option.type === 'none' ? item => item : refuse()
}

function requireOptions(options: Options, known: readonly string[]): void {
  if ([...options.keys()].some(name => !known.includes(name))) throw new NotEvaluated()
}

function sorted(args: readonly Argument[], options: Options): PyValue {
  requireOptions(options, ['key', 'reverse'])
  if (args.length !== 1) throw new NotEvaluated()
  const key = keyOf(options.get('key'))
  const sign = options.has('reverse') && isTrue(valueOf(options.get('reverse'))) ? -1 : 1
  const items = membersOf(valueOf(args[0])).map(item => ({ item, key: key(item) }))
  // Equal ones keep their order, in reverse too.
  return list(items.toSorted((a, b) => sign * order(a.key, b.key)).map(({ item }) => item))
}

function extreme(sign: 1 | -1): Called {
  return (args, options) => {
    requireOptions(options, ['key', 'default'])
    const key = keyOf(options.get('key'))
    const items = args.length === 1 ? membersOf(valueOf(args[0])) : args.map(valueOf)
    const [first, ...others] = items.map(item => ({ item, key: key(item) }))
    if (!first) return valueOf(options.get('default'))
    return others.reduce((best, each) => (order(each.key, best.key) * sign > 0 ? each : best), first).item
  }
}

/** One function over the items of others, up to the shortest. */
function mapped([call, ...values]: readonly Argument[], options: Options): PyValue {
  if (typeof call !== 'function' || values.length === 0 || options.size > 0) throw new NotEvaluated()
  return view(rowsOf(values.map(value => itemsOf(valueOf(value)))).map(call))
}

function filtered(args: readonly Argument[], options: Options): PyValue {
  const [call] = args
  if (args.length !== 2 || options.size > 0 || (typeof call !== 'function' && call?.type !== 'none')) throw new NotEvaluated()
  return view(itemsOf(valueOf(args[1])).filter(item => isTrue(typeof call === 'function' ? call([item]) : item)))
}

function rowsOf(columns: readonly (readonly PyValue[])[]): readonly (readonly PyValue[])[] {
  const rows = columns.length === 0 ? 0 : Math.min(...columns.map(column => column.length))
  return Array.from({ length: rows }, (_, i) => columns.map(column => column[i] ?? NONE))
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
  if (value.type === 'str') {
    const text = strip(value.value)
    return /^[+-]?\d+(?:_\d+)*$/.test(text) ? int(BigInt(text.replaceAll(/[+_]/g, ''))) : refuse()
  }
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

function toDict(args: readonly Argument[], options: Options): PyValue {
  if (args.length > 1) throw new NotEvaluated()
  const from = args.length === 0 ? null : valueOf(args[0])
  const pairs: Entries = from === null ? [] : from.type === 'dict' ? entriesOf(from) : pairsOf(itemsOf(from))
  return dictOf([...pairs, ...[...options].map(([name, value]) => [str(name), valueOf(value)] as const)])
}

function powerModulo(base: PyValue, exponent: PyValue, modulus: PyValue): PyValue {
  const [value, times, by] = [base, exponent, modulus].map(numberOf)
  if (typeof value !== 'bigint' || typeof times !== 'bigint' || typeof by !== 'bigint') throw new NotEvaluated()
  if (times < 0n || by <= 0n || times.toString(2).length > 1000) throw new NotEvaluated()
  let [result, square] = [1n % by, ((value % by) + by) % by]
  for (const bit of [...times.toString(2)].toReversed()) {
    if (bit === '1') result = (result * square) % by
    square = (square * square) % by
  }
  return int(result)
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
  len: plain(1, 1, (value = NONE) => int(membersOf(value).length)),
  sum: plain(1, 2, (value = NONE, start = int(0)) => membersOf(value).reduce((total, item) => binary('+', total, item), start)),
  min: extreme(-1),
  max: extreme(1),
  sorted,
  abs: plain(1, 1, (value = NONE) => (order(value, int(0)) < 0 ? binary('*', value, int(-1)) : value)),
  round: plain(1, 2, (value = NONE, digits) => round(value, digits)),
  pow: plain(2, 3, (base = NONE, exponent = NONE, modulus) =>
    modulus ? powerModulo(base, exponent, modulus) : binary('**', base, exponent),
  ),
  divmod: plain(2, 2, (a = NONE, b = NONE) => view([binary('//', a, b), binary('%', a, b)])),
  range: plain(1, 3, range),
  list: plain(0, 1, value => list(value ? sized(itemsOf(value)) : [])),
  tuple: plain(0, 1, value => view(value ? itemsOf(value) : [])),
  set: plain(0, 1, value => unique(value ? membersOf(value) : [])),
  frozenset: plain(0, 1, value => unique(value ? membersOf(value) : [])),
  dict: toDict,
  int: plain(0, 2, (value = int(0), base) => toInt(value, base)),
  repr: plain(1, 1, (value = NONE) => str(shown(value))),
  float: plain(0, 1, (value = int(0)) => toFloat(value)),
  str: plain(0, 1, (value = str('')) => str(toText(value))),
  bool: plain(0, 1, (value = NONE) => bool(isTrue(value))),
  any: plain(1, 1, (value = NONE) => bool(membersOf(value).some(isTrue))),
  all: plain(1, 1, (value = NONE) => bool(membersOf(value).every(isTrue))),
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
  zip: plain(0, mostItems, (...values) => view(rowsOf(values.map(itemsOf)).map(view))),
  map: mapped,
  filter: filtered,
  iter: plain(1, 1, (value = NONE) => view(itemsOf(value))),
  next: plain(1, 2, (value = NONE, otherwise) => itemsOf(value)[0] ?? otherwise ?? refuse()),
  format: plain(1, 2, (value = NONE, spec = str('')) => str(formatted(value, '', textOf(spec)))),
  print: () => NONE,
}
