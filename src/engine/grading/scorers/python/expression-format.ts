import { NotEvaluated, refuse } from './expression-limits.ts'
import { numberOf, type PyValue } from './values.ts'

/** A replacement field of a formatted string, and the text up to the next one. */
export interface Field {
  readonly expression: string
  /** `r`, `s`, `a` or empty. */
  readonly conversion: string
  readonly format: string
  readonly text: string
}

const widest = 1000
const field = /\{\{|\}\}|\{(?<inside>[^{}]*)\}|[{}]/g

/** The fields of `f"…"` or of `str.format`. @throws NotEvaluated for a brace that is not doubled, and for fields within fields */
export function fieldsOf(text: string): { readonly start: string; readonly fields: readonly Field[] } {
  const texts = ['']
  const found: Omit<Field, 'text'>[] = []
  let from = 0
  const add = (piece: string) => texts.push(`${texts.pop() ?? ''}${piece}`)
  for (const { 0: mark, index, groups } of text.matchAll(field)) {
    add(text.slice(from, index))
    from = index + mark.length
    if (mark === '{{' || mark === '}}') add(mark.charAt(0))
    else {
      found.push(fieldOf(groups?.['inside'] ?? refuse()))
      texts.push('')
    }
  }
  add(text.slice(from))
  const [start = '', ...others] = texts
  return { start, fields: found.map((each, i) => ({ ...each, text: others[i] ?? '' })) }
}

function fieldOf(inside: string): Omit<Field, 'text'> {
  const [, before = '', conversion = '', format = ''] = /^([^:!]*)(?:!([rsa]))?(?::([^]*))?$/.exec(inside) ?? refuse()
  return { expression: before.trim(), conversion, format }
}

/** As `repr` writes it. */
export function shown(value: PyValue): string {
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

export function toText(value: PyValue): string {
  if (value.type === 'list' || value.type === 'tuple' || value.type === 'dict') return shown(value)
  if (value.type === 'str') return value.value
  if (value.type === 'int') return String(value.value)
  if (value.type === 'bool') return value.value ? 'True' : 'False'
  if (value.type === 'none') return 'None'
  if (value.type !== 'float' || !Number.isFinite(value.value) || Math.abs(value.value) >= 1e16) throw new NotEvaluated()
  return Number.isInteger(value.value) ? `${value.value}.0` : Math.abs(value.value) >= 1e-4 ? String(value.value) : refuse()
}

/** As `format(value, spec)` writes it, after the conversion. */
export function formatted(value: PyValue, conversion: string, spec: string): string {
  const text = conversion === 'r' || conversion === 'a' ? shown(value) : null
  if (spec === '') return text ?? toText(value)
  const [, fill = '', align = '', sign = '', zero = '', width = '', grouping = '', precision = '', type = ''] =
    /^(?:([^{}])?([<>^]))?([+ ]?)(0?)(\d{0,4})([,_]?)(?:\.(\d{1,3}))?([bdoxXfs%]?)$/.exec(spec) ?? refuse()
  if (Number(width) > widest || Number(precision) > 100) throw new NotEvaluated()
  const number = text === null && conversion === '' ? numberOf(value) : null
  if (number === null || (value.type === 'bool' && type === '')) {
    if (sign !== '' || grouping !== '' || !'s'.includes(type)) throw new NotEvaluated()
    const whole = text ?? toText(value)
    return padded(
      precision === '' ? whole : [...whole].slice(0, Number(precision)).join(''),
      '',
      fill || (zero ? '0' : ' '),
      align || '<',
      width,
    )
  }
  const isNegative = number < 0
  const digits = grouped(digitsOf(isNegative ? -number : number, precision, type), grouping)
  const lead = isNegative ? '-' : sign
  return zero !== '' && align === '' ? padded(digits, lead, '0', '=', width) : padded(lead + digits, '', fill || ' ', align || '>', width)
}

function digitsOf(number: bigint | number, precision: string, type: string): string {
  const radix = { b: 2, o: 8, x: 16, X: 16 }[type]
  if (typeof number === 'bigint' && radix !== undefined && precision === '')
    return type === 'X' ? number.toString(radix).toUpperCase() : number.toString(radix)
  if (typeof number === 'bigint' && (type === '' || type === 'd') && precision === '') return String(number)
  const value = Number(number) * (type === '%' ? 100 : 1)
  if ((type !== 'f' && type !== '%') || !Number.isFinite(value) || value >= 1e21) {
    return type === '' && precision === '' ? toText({ type: 'float', value }) : refuse()
  }
  return `${value.toFixed(precision === '' ? 6 : Number(precision))}${type === '%' ? '%' : ''}`
}

function grouped(digits: string, mark: string): string {
  if (mark === '') return digits
  const [whole = '', ...rest] = digits.split('.')
  return [whole.replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, mark), ...rest].join('.')
}

function padded(text: string, lead: string, fill: string, align: string, width: string): string {
  const missing = Math.max(0, Number(width) - [...lead, ...text].length)
  const left = align === '<' ? 0 : align === '^' ? Math.floor(missing / 2) : missing
  return `${lead}${fill.repeat(left)}${text}${fill.repeat(missing - left)}`
}

/** As `text % values` writes it. */
export function percentFormatted(text: string, values: readonly PyValue[]): string {
  let used = 0
  const result = text.replaceAll(
    /%(?:%|([-+ ]?)(0?)(\d{0,4})(?:\.(\d{1,3}))?([a-zA-Z])|)/g,
    (mark: string, ...parts: readonly string[]) => {
      if (mark === '%%') return '%'
      const [sign = '', zero = '', width = '', precision, type = ''] = parts
      const value = values[used++] ?? refuse()
      const number = numberOf(value)
      const align = sign === '-' ? '<' : '>'
      const lead = sign === '-' ? '' : sign
      if (type === 's' || type === 'r')
        return formatted({ type: 'str', value: type === 'r' ? shown(value) : toText(value) }, '', `${align}${width}`)
      if (number === null || !'diuxXof'.includes(type) || (type !== 'f' && typeof number !== 'bigint')) throw new NotEvaluated()
      const spec = `${zero === '' ? align : ''}${lead}${zero}${width}${precision === undefined ? '' : `.${precision}`}${'iu'.includes(type) ? 'd' : type}`
      return formatted(
        { type: 'int', value: 0n }.type === value.type || value.type === 'float' ? value : { type: 'int', value: BigInt(number) },
        '',
        spec,
      )
    },
  )
  return used === values.length ? result : refuse()
}
