import { fieldsOf, formatted } from './expression-format.ts'
import { type Argument, dictOf, itemAt, itemsOf, membersOf, uniqueItems, valueOf } from './expression-items.ts'
import { mostItems, refuse } from './expression-limits.ts'
import { binary } from './expression-operators.ts'
import { strip } from './strings.ts'
import { bool, int, list, NONE, numberOf, pyEquals, type PyValue, str, view } from './values.ts'

type Method = (self: PyValue, ...args: readonly PyValue[]) => PyValue

function textOf(value: PyValue | undefined): string {
  return value?.type === 'str' ? value.value : refuse()
}

function wholeOf(value: PyValue | undefined): number {
  const number = value ? numberOf(value) : null
  return typeof number === 'bigint' ? Number(number) : refuse()
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

function padding(side: 'left' | 'right' | 'both'): Method {
  return (self, width, fill = str(' ')) => {
    const missing = Math.max(0, wholeOf(width) - [...textOf(self)].length)
    if (missing > mostItems || [...textOf(fill)].length !== 1) return refuse()
    // Python puts the odd one on the left where the width is odd.
    const before = side === 'left' ? missing : side === 'right' ? 0 : Math.floor(missing / 2) + (missing & wholeOf(width) & 1)
    return str(textOf(fill).repeat(before) + textOf(self) + textOf(fill).repeat(missing - before))
  }
}

function split(self: PyValue, separator: PyValue = NONE): PyValue {
  const text = textOf(self)
  if (separator.type !== 'none') return textOf(separator) === '' ? refuse() : list(text.split(textOf(separator)).map(str))
  const words = strip(text).split(/\s+/)
  return list(words.filter(part => part !== '').map(str))
}

function replaced(self: PyValue, from: PyValue, to: PyValue): PyValue {
  const text = textOf(self).replaceAll(textOf(from), () => textOf(to))
  return text.length > mostItems ? refuse() : str(text)
}

function partition(isLast: boolean): Method {
  return (self, separator) => {
    const [text, mark] = [textOf(self), textOf(separator)]
    const at = mark === '' ? refuse() : isLast ? text.lastIndexOf(mark) : text.indexOf(mark)
    const parts = at >= 0 ? [text.slice(0, at), mark, text.slice(at + mark.length)] : isLast ? ['', '', text] : [text, '', '']
    return view(parts.map(str))
  }
}

function zeroFilled(self: PyValue, width: PyValue): PyValue {
  const text = textOf(self)
  const sign = /^[+-]/.test(text) ? text.charAt(0) : ''
  return str(sign + text.slice(sign.length).padStart(Math.min(1000, wholeOf(width)) - sign.length, '0'))
}

function counted(self: PyValue, item: PyValue): PyValue {
  if (self.type === 'str') return int(textOf(item) === '' ? refuse() : self.value.split(textOf(item)).length - 1)
  return int(self.type === 'list' || self.type === 'tuple' ? itemsOf(self).filter(other => pyEquals(other, item)).length : refuse())
}

const found =
  (isLast: boolean, isRequired: boolean): Method =>
  (self, part) => {
    if (self.type !== 'str') {
      const at =
        isRequired && !isLast && (self.type === 'list' || self.type === 'tuple')
          ? self.items.findIndex(item => pyEquals(item, part ?? NONE))
          : -1
      return at < 0 ? refuse() : int(at)
    }
    const at = isLast ? self.value.lastIndexOf(textOf(part)) : self.value.indexOf(textOf(part))
    // Counted in code points.
    return at >= 0 ? int(Array.from(self.value.slice(0, at)).length) : isRequired ? refuse() : int(-1)
  }

const tested =
  (pattern: RegExp): Method =>
  self =>
    bool(pattern.test(textOf(self)))

const united =
  (operator: '|' | '&' | '-' | '^'): Method =>
  (self, other) =>
    self.type === 'set' ? binary(operator, self, { type: 'set', items: uniqueItems(membersOf(other ?? NONE)) }) : refuse()

/** What is called with how many arguments. */
const methods: Readonly<Record<string, readonly [least: number, most: number, run: Method]>> = {
  upper: [0, 0, cased(text => text.toUpperCase())],
  lower: [0, 0, cased(text => text.toLowerCase())],
  casefold: [0, 0, cased(text => text.toLowerCase().replaceAll('ß', 'ss'))],
  capitalize: [0, 0, cased(text => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase())],
  title: [0, 0, cased(text => text.toLowerCase().replaceAll(/\p{L}+/gu, word => word.charAt(0).toUpperCase() + word.slice(1)))],
  swapcase: [
    0,
    0,
    cased(text => text.replaceAll(/\p{L}/gu, char => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase()))),
  ],
  strip: [0, 1, stripped('both')],
  lstrip: [0, 1, stripped('left')],
  rstrip: [0, 1, stripped('right')],
  ljust: [1, 2, padding('right')],
  rjust: [1, 2, padding('left')],
  center: [1, 2, padding('both')],
  zfill: [1, 1, (self, width = NONE) => zeroFilled(self, width)],
  split: [0, 1, split],
  splitlines: [0, 0, self => list(textOf(self) === '' ? [] : textOf(self).replace(/\n$/, '').split('\n').map(str))],
  partition: [1, 1, partition(false)],
  rpartition: [1, 1, partition(true)],
  join: [1, 1, (self, parts = NONE) => str(itemsOf(parts).map(textOf).join(textOf(self)))],
  replace: [2, 2, (self, from = NONE, to = NONE) => replaced(self, from, to)],
  removeprefix: [
    1,
    1,
    (self, start) => str(textOf(self).startsWith(textOf(start)) ? textOf(self).slice(textOf(start).length) : textOf(self)),
  ],
  removesuffix: [
    1,
    1,
    (self, end) =>
      str(textOf(end) !== '' && textOf(self).endsWith(textOf(end)) ? textOf(self).slice(0, -textOf(end).length) : textOf(self)),
  ],
  startswith: [1, 1, (self, start) => bool(textOf(self).startsWith(textOf(start)))],
  endswith: [1, 1, (self, end) => bool(textOf(self).endsWith(textOf(end)))],
  find: [1, 1, found(false, false)],
  rfind: [1, 1, found(true, false)],
  index: [1, 1, found(false, true)],
  rindex: [1, 1, found(true, true)],
  isdigit: [0, 0, tested(/^\p{Nd}+$/u)],
  isnumeric: [0, 0, tested(/^\p{Nd}+$/u)],
  isalpha: [0, 0, tested(/^\p{L}+$/u)],
  isalnum: [0, 0, tested(/^[\p{L}\p{Nd}]+$/u)],
  isspace: [0, 0, tested(/^\s+$/u)],
  islower: [0, 0, self => bool(/\p{Ll}/u.test(textOf(self)) && !/\p{Lu}/u.test(textOf(self)))],
  isupper: [0, 0, self => bool(/\p{Lu}/u.test(textOf(self)) && !/\p{Ll}/u.test(textOf(self)))],
  count: [1, 1, (self, item = NONE) => counted(self, item)],
  copy: [0, 0, self => (self.type === 'list' || self.type === 'dict' || self.type === 'set' ? self : refuse())],
  // What changes a list returns nothing.
  sort: [0, 0, self => (self.type === 'list' ? NONE : refuse())],
  reverse: [0, 0, self => (self.type === 'list' ? NONE : refuse())],
  append: [1, 1, self => (self.type === 'list' ? NONE : refuse())],
  union: [1, 1, united('|')],
  intersection: [1, 1, united('&')],
  difference: [1, 1, united('-')],
  symmetric_difference: [1, 1, united('^')],
  keys: [0, 0, self => (self.type === 'dict' ? view(itemsOf(self)) : refuse())],
  values: [0, 0, self => (self.type === 'dict' ? view(self.entries.map(([, value]) => value)) : refuse())],
  items: [0, 0, self => (self.type === 'dict' ? view(self.entries.map(entry => view(entry))) : refuse())],
  get: [
    1,
    2,
    (self, key = NONE, otherwise = NONE) =>
      self.type !== 'dict' ? refuse() : self.entries.some(([each]) => pyEquals(each, key)) ? itemAt(self, key) : otherwise,
  ],
}

/** `self.name(args, **options)`. @throws NotEvaluated for an unknown method */
export function calledMethod(
  name: string,
  self: PyValue,
  { args, options }: { readonly args: readonly Argument[]; readonly options: ReadonlyMap<string, Argument> },
): PyValue {
  if (name === 'format') return str(filled(textOf(self), args.map(valueOf), options))
  const [least, most, run] = Object.hasOwn(methods, name) ? (methods[name] ?? refuse()) : refuse()
  return args.length < least || args.length > most || options.size > 0 ? refuse() : run(self, ...args.map(valueOf))
}

/** `type.name(args)`: a method with the value first, or one of the type's own. */
export function unbound(type: string, name: string, args: readonly PyValue[]): PyValue {
  if (type === 'dict' && name === 'fromkeys') {
    const [keys = NONE, value = NONE] = args
    return dictOf(itemsOf(keys).map(key => [key, value]))
  }
  const [self, ...others] = args
  return self?.type === type ? calledMethod(name, self, { args: others, options: new Map() }) : refuse()
}

function filled(text: string, args: readonly PyValue[], options: ReadonlyMap<string, Argument>): string {
  const { start, fields } = fieldsOf(text)
  return (
    start +
    fields
      .map(({ expression, conversion, format, text: rest }, i) => {
        const numbered =
          expression === '' ? args[i] : /^\d{1,3}$/.test(expression) ? args[Number(expression)] : valueOf(options.get(expression))
        return formatted(numbered ?? refuse(), conversion, format) + rest
      })
      .join('')
  )
}
