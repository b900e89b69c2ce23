import { groupThousands, noNumber } from './numbers.ts'

/** Money is whole micro-USD in a decimal string, so it is formatted with whole-number arithmetic: no cent is lost to floats. */
const microPerDollar = 1_000_000n
const microDigits = 6

/** What is said in place of an amount that is not known. */
export const priceUnknown = 'Price unknown'

/** The same within a sentence or a line of facts. */
export const priceUnknownWithin = 'price unknown'

/**
 * Dollars from micro-USD: `$1.23`, `−$0.05`. Two decimals, except that an amount below a cent shows its first two significant
 * digits (`$0.0012`), so that a cheap run does not read as free. `decimals` (0 to 6) fixes the number of decimals for a column.
 */
export function formatUsd(microUsd: string, decimals?: number): string {
  const amount = parseMicroUsd(microUsd)
  if (amount === null) return noNumber
  const magnitude = amount < 0n ? -amount : amount
  const digits = fixedDollars(magnitude, decimals ?? decimalsFor(magnitude))
  const sign = amount < 0n && /[1-9]/.test(digits) ? '−' : ''
  return `${sign}$${groupThousands(digits)}`
}

/** Two amounts that a sentence compares: exact where they would read alike. */
export function formatUsdPair(one: string, other: string): readonly [string, string] {
  const texts = [formatUsd(one), formatUsd(other)] as const
  return texts[0] !== texts[1] || one === other ? texts : [formatUsd(one, microDigits), formatUsd(other, microDigits)]
}

/** Like `formatUsd`, with a plus before what is above zero, for ledger entries. */
export function formatSignedUsd(microUsd: string, decimals?: number): string {
  const text = formatUsd(microUsd, decimals)
  const amount = parseMicroUsd(microUsd)
  return amount !== null && amount > 0n ? `+${text}` : text
}

/** The exact amount, for hovering: `1,234,567 micro-USD`. */
export function formatMicroUsd(microUsd: string): string {
  const amount = parseMicroUsd(microUsd)
  if (amount === null) return noNumber
  return `${amount < 0n ? '−' : ''}${groupThousands((amount < 0n ? -amount : amount).toString())} micro-USD`
}

function parseMicroUsd(microUsd: string): bigint | null {
  return /^-?\d+$/.test(microUsd) ? BigInt(microUsd) : null
}

function decimalsFor(magnitude: bigint): number {
  if (magnitude === 0n || magnitude >= microPerDollar / 100n) return 2
  return Math.min(microDigits, microDigits - magnitude.toString().length + 2)
}

/** Half a unit of the last digit rounds up. */
function fixedDollars(magnitude: bigint, decimals: number): string {
  const unit = 10n ** BigInt(microDigits - decimals)
  const units = (magnitude + unit / 2n) / unit
  const digits = units.toString().padStart(decimals + 1, '0')
  if (decimals === 0) return digits
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
