import { type ExactNumber, exactNumber, negative, power, product, quotient, sumOf } from './exact-number.ts'

/** A number as written in a text. */
export interface NumberToken {
  readonly start: number
  readonly end: number
  /** As written; percent signs and attached letters such as k left out. */
  readonly value: ExactNumber
  /** With the percent sign, or the attached k, M or B, applied; null where there is none. */
  readonly scaled: ExactNumber | null
  /** What follows: a unit, as far as one can be read. */
  readonly unit: string
}

// How digits are grouped. A comma before exactly three digits groups ("1,250"), any other single one is a decimal comma ("12,50"); a
// point is decimal ("1.250" is 1¼) unless it stands twice or before a decimal comma ("1.250.000", "1.250,5"); spaces, apostrophes and
// LaTeX's thin spaces group three digits; Indian groups are of two ("12,34,567").
const digits = [
  String.raw`[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?`,
  String.raw`[1-9]\d{0,2}(?:\.\d{3})+,\d{1,6}`,
  String.raw`[1-9]\d{0,2}(?:\.\d{3}){2,}`,
  String.raw`[1-9]\d{0,2}(?:(?:,|\{,\})\d{3})+(?!\d|,\d)(?:\.\d+)?`,
  String.raw`[1-9]\d{0,2}(?:(?: |'|\\[,;: ]|~)\d{3})+(?!\d)(?:[.,]\d+)?`,
  String.raw`\d+(?:_\d{3})+(?:\.\d+)?`,
  String.raw`(?<!\d,)\d+,\d+(?!\d|,\d)`,
  String.raw`\d+(?:\.\d+)?`,
  String.raw`(?<![A-Za-z0-9.,])\.\d+`,
].join('|')
const exponent = String.raw`(?:[eE](?<e>[+-]?\d{1,4})(?![A-Za-z0-9])|\s{0,2}(?:×|x|\*|·|\\times|\\cdot)\s{0,2}10\s?(?:\^|\*\*)\s?[({]?\s?(?<ten>[+-]?\d{1,4})\s?[)}]?|(?:\^|\*\*)\s?(?:[({]\s?(?<braced>[+-]?\d{1,4})\s?[)}]|(?<bare>[+-]?\d{1,4})(?![A-Za-z0-9.])))`
const latexFraction = String.raw`\\[dtc]?frac\s?(?:\{\s?(?<over>[+-]?[\d.,]{1,40})\s?\}|(?<over1>\d))\s?(?:\{\s?(?<under>[\d.,]{1,40})\s?\}|(?<under1>\d))`
const scanner = new RegExp(
  String.raw`(?:(?<mixed>\d{1,9})(?:\s{0,3}|\\[,;: ]))?${latexFraction}|(?:(?<mixedPlain>\d{1,9})(?: |-))?(?<![\d/])(?<n>\d{1,12})\s?\/\s?(?<d>\d{1,12})(?![\d/])(?!\.\d)|(?<digits>${digits})${exponent}?`,
  'g',
)

const scales: Readonly<Record<string, number>> = {
  hundred: 2,
  thousand: 3,
  million: 6,
  billion: 9,
  trillion: 12,
  mn: 6,
  bn: 9,
  lakh: 5,
  crore: 7,
}
const scaleWord = /^(?:\s|\\[,;: ]|\\text\{|\}|-){0,6}(hundred|thousand|million|billion|trillion|mn|bn|lakh|crore)s?\b/i
const percentSign = /^\s{0,2}(?:\\?%|\\text\{\s?\\?%|percent\b|per cent\b)/i
const attached = /^(?:([kKMB])(?![A-Za-z0-9]))/

/** The numbers of a text in order; what only looks like one (a date, a time, `x^2`, `2\pi`, H2O, a list marker) is left out. */
export function numberTokens(text: string): NumberToken[] {
  const tokens: NumberToken[] = []
  for (const match of text.matchAll(scanner)) {
    const end = match.index + match[0].length
    const before = text.slice(Math.max(0, match.index - 40), match.index)
    const after = text.slice(end, end + 40)
    const pair = pairIn(match[0], before, after)
    if (pair) tokens.push(...pair.map(value => ({ start: match.index, end, value, scaled: null, unit: '' })))
    if (pair || isNoNumber(before, match[0], after)) continue
    const { start, isNegative } = signBefore(text, match.index)
    const size = sizeOf(match.groups ?? {})
    if (size === null) continue
    const word = scaleWord.exec(after)
    const factor = word ? exactNumber('1', scales[(word[1] ?? '').toLowerCase()]) : null
    const signed = isNegative ? negative(size) : size
    const value = factor ? product(signed, factor) : signed
    const rest = after.slice(word?.[0].length ?? 0)
    tokens.push({ start, end: end + (word?.[0].length ?? 0), value, scaled: scaledBy(value, rest), unit: unitOf(rest) })
  }
  return tokens
}

function sizeOf(groups: Readonly<Record<string, string | undefined>>): ExactNumber | null {
  const { mixed, over, over1, under, under1, mixedPlain, n, d, digits: written = '', e, ten, braced, bare } = groups
  const top = over ?? over1 ?? n
  const bottom = under ?? under1 ?? d
  if (top !== undefined && bottom !== undefined) {
    const [a, b] = [decimal(top), decimal(bottom)]
    const share = a && b && quotient(a, b)
    const whole = exactNumber(mixed ?? mixedPlain ?? '0')
    return share && whole && sumOf(whole, share)
  }
  const shift = e ?? ten
  const raised = braced ?? bare
  const base = decimal(written, shift === undefined ? 0 : Number(shift))
  return raised === undefined ? base : base && power(base, Number(raised))
}

function decimal(text: string, shift = 0): ExactNumber | null {
  const written = text.replaceAll('{,}', ',').replaceAll(/[ '_~]|\\./g, '')
  if (/^[+-]?[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/.test(written)) return exactNumber(written.replaceAll(',', ''), shift)
  const hasPointGroups = /\.\d{3}[.,]/.test(written)
  return exactNumber((hasPointGroups ? written.replaceAll('.', '') : written).replace(',', '.'), shift)
}

const bracketed = /^(\d+),(\d+)$/

/** "(3,5)" is a pair and no 3.5. */
function pairIn(found: string, before: string, after: string): ExactNumber[] | null {
  const parts = /[([{]\s?$/.test(before) && !/\{\s?$/.test(before) && /^\s?[)\]]/.test(after) ? bracketed.exec(found) : null
  const values = parts?.slice(1, 3).map(part => exactNumber(part)) ?? []
  return parts && values.every(value => value !== null) ? values : null
}

const variable =
  /^\s?(?:\\(?:pi|sqrt|theta|alpha|beta|lambda|mu|cdot\s?[A-Za-z\\]|ln|log|sin|cos|tan|e\b|infty)|[π√∞θ]|sqrt|pi\b)|^[xyzniabqre](?![A-Za-z'’])|^\((?=[a-z]\b)|^[A-Z]?\^(?!\{?\s?(?:\\circ|\\degree|o\b))|^\s?\\overline|^\\[lc]?dots/
const attachedBefore =
  /(?:[A-Za-z\u00c0-\u024f]-?|[A-Za-z]\.|[_^#]|[_^]\{[^{}]{0,10}|√\s?|\\(?:sqrt|log|ln|[td]?binom|pi|pm)\s?(?:\[\d*\])?(?:\{[^{}]{0,12}\})?\s?[{[]?|\\[dt]?frac\s?(?:\{[^{}]{0,30}\}\s?)?\{[^{}]{0,12}|sqrt\s?\(|±\s?|\d:|\d[./])$/
const currency = /(?:(?:\b(?:USD|EUR|GBP|CHF|CAD|AUD|INR|JPY|CNY|Rs\.?)\s?|(?:\b(?:US|CA|AU|A|C|NZ))?\\?\$|[€£¥₹])\s?)?$/

function isNoNumber(before: string, found: string, after: string): boolean {
  const mark = currency.exec(before)?.[0] ?? ''
  if (mark === '' && attachedBefore.test(before)) return true
  // Dates, times, versions and ratios.
  if (/^(?:-\d{1,2}-\d|:\d|\.\d|\/\d)/.test(after) || /\d-\d{1,2}-$/.test(before) || (/\d{4}-$/.test(before) && /^-\d/.test(after)))
    return true
  if (variable.test(after)) return true
  // A marker of a list, and the heading of a step.
  const isMarker = /(?:^|\n)[\s*_#>]{0,8}$/.test(before) && /^\d{1,2}$/.test(found) && /^[.)](?:\*\*)?[ \t]+\S/.test(after)
  return isMarker || (/\b(?:step|case|part|question|problem|example)\s$/i.test(before) && /^\s?[:.)*]/.test(after) && /^\d+$/.test(found))
}

/** Where the number with its sign begins. A dash after a word, a number or a bracket is not a sign, and "- " at the start of a line lists. */
function signBefore(text: string, start: number): { readonly start: number; readonly isNegative: boolean } {
  const before = text.slice(Math.max(0, start - 24), start)
  const mark = currency.exec(before)?.[0] ?? ''
  const head = before.slice(0, before.length - mark.length)
  const word = /(?<![\d)]\s?)\b(?:minus|negative)\s$/i.exec(head)
  if (word) return { start: start - mark.length - word[0].length, isNegative: true }
  const sign = /([-–])(\s?)$/.exec(head)
  const left = head.slice(0, sign?.index)
  const isOperator = sign?.[2] === '' ? /(?:[\w)\]}%.!?°]|[\d)\]}]\s)$/.test(left) : !/[=:(,[{$*<>]\s?$/.test(left)
  if (!sign || isOperator) return { start: start - mark.length, isNegative: false }
  return { start: start - mark.length - sign[0].length, isNegative: true }
}

function scaledBy(value: ExactNumber, after: string): ExactNumber | null {
  if (percentSign.test(after)) return quotient(value, { top: 100n, bottom: 1n })
  const letter = attached.exec(after)?.[1]
  return letter === undefined
    ? null
    : product(value, exactNumber('1', letter.toLowerCase() === 'k' ? 3 : letter === 'M' ? 6 : 9) ?? { top: 1n, bottom: 1n })
}

const unit =
  /^(?:\s|\\[,;: !]|\\(?:text|mathrm|textrm|mbox)\{\s*|~){0,6}(%|\\%|°\s?[CFK]?|\^?\\?\{?\\circ\}?|[$€£¥₹]|[A-Za-zµμΩÅ]{1,20}(?:\/[A-Za-z]{1,12})?(?:\s?\}?\^\{?[23]\}?)?)/

function unitOf(after: string): string {
  return (unit.exec(after)?.[1] ?? '')
    .replaceAll(/[\\{}\s]/g, '')
    .replace('^circ', '°')
    .replace('circ', '°')
}
