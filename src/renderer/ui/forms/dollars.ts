import { formatUsd, formatUsdPair } from '../../../lib/format/money.ts'

/** What a field of dollars takes beside any amount from 0 on. */
export interface DollarRules {
  /** What an empty field means, such as "No limit"; absent: an amount is required. */
  readonly empty?: string
  /** Micro-USD that the amount must exceed. */
  readonly above?: string
}

export interface DollarReading {
  /** Whole micro-USD as a decimal string; null where the field is empty or wrong. */
  readonly amount: string | null
  /** What is wrong, for the field to show. */
  readonly error: string | null
}

const microDigits = 6
/** Whole dollars beyond this do not fit the 18 digits of a micro-USD amount. */
const mostWholeDigits = 12
const example = 'such as 0.50 or 1,234.50'

/**
 * An amount in dollars as a person types or pastes it: `1`, `.25`, `$1,234.50`, `US$ 5`, `12 USD`. Digits are read as text, so no part
 * of a micro-dollar is lost to floating point.
 */
export function readDollars(typed: string, { empty, above }: DollarRules = {}): DollarReading {
  const text = typed.trim()
  if (text === '') return { amount: null, error: empty === undefined ? `Enter an amount in dollars, ${example}` : null }
  const match = /^([-−–])?\s*(?:(?:US)?\$|USD)?\s*([-−–])?\s*([\d.,]+?)\s*(?:USD|\$)?$/i.exec(text)
  const digits = match?.[3] ?? ''
  const [whole = '', fraction = '', ...more] = digits.split('.')
  if (!/\d/.test(digits) || more.length > 0) return wrong(`“${shortened(text)}” is not an amount: enter dollars, ${example}`)
  if (!/^(?:\d*|\d{1,3}(?:,\d{3})+)$/.test(whole) || fraction.includes(','))
    return wrong(`“${shortened(text)}” is ambiguous: use a point for decimals and commas for thousands, ${example}`)
  const plain = whole.replaceAll(',', '').replace(/^0+(?=\d)/, '')
  if (match?.[1] !== undefined || match?.[2] !== undefined)
    return wrong(above === undefined ? 'Enter 0 or more: an amount can’t be negative' : `Enter more than ${formatUsd(above)}`)
  if (/[1-9]/.test(fraction.slice(microDigits)))
    return wrong(`Enter at most ${microDigits} decimals: $${'0.'.padEnd(microDigits + 1, '0')}1 is the smallest amount`)
  if (plain.length > mostWholeDigits) return wrong('Enter less than $1,000,000,000,000')
  const amount = BigInt(`${plain}${fraction.slice(0, microDigits).padEnd(microDigits, '0')}`).toString()
  if (above !== undefined && BigInt(amount) <= BigInt(above)) {
    const [least] = formatUsdPair(above, amount)
    return wrong(`Enter more than ${least}`)
  }
  return { amount, error: null }
}

/** The amount as it would be typed, without losing a micro-dollar: `1`, `0.25`. */
export function typedDollars(microUsd: string): string {
  const digits = microUsd.padStart(microDigits + 1, '0')
  const fraction = digits.slice(-microDigits).replace(/0+$/, '')
  return digits.slice(0, -microDigits) + (fraction ? `.${fraction}` : '')
}

/** Whether more may be typed to make it an amount: told at once, this would only interrupt. */
export function isUnfinished(typed: string): boolean {
  return /^(?:U|US|US\$|USD|\$)?\s*\.?$/i.test(typed.trim())
}

function wrong(error: string): DollarReading {
  return { amount: null, error }
}

function shortened(text: string): string {
  return text.length > 20 ? `${text.slice(0, 20)}…` : text
}
