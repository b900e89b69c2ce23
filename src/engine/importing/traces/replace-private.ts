import { removed, scrubSecrets } from '../../../lib/scrub-secrets.ts'

const email = /(?<![\w.+-])[\w.+-]{1,64}@(?!example\.)(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}\b/gi
const phone = /(?<![\d.-])\+\d{1,3}[ -]?\(?\d{2,4}\)?(?:[ -]?\d{2,4}){2,4}(?![\d.-])/g
const card = /(?<![\d-])(?:\d[ -]?){12,18}\d(?![\d-])/g

/** Replaces secrets and contact details of people, the same one by the same replacement, so that calls still fit their results. */
export interface PrivateReplacer {
  /** Any JSON; texts in it are replaced. */
  replace<Value>(value: Value): Value
  /** What was replaced so far: secrets each time, contact details once each. */
  counts(): { readonly secrets: number; readonly personal: number }
}

export function createPrivateReplacer(): PrivateReplacer {
  const known = new Map<string, string>()
  let secrets = 0
  const stand = (kind: string, make: (n: number) => string) => {
    let count = 0
    return (found: string) => {
      const key = `${kind} ${found.toLowerCase()}`
      const replacement = known.get(key) ?? make(++count)
      known.set(key, replacement)
      return replacement
    }
  }
  const replaceEmail = stand('email', n => `person${n}@example.com`)
  const replacePhone = stand('phone', n => `+1 555 0100 ${String(n).padStart(3, '0')}`)
  const replaceCard = stand('card', n => `0000 0000 0000 ${String(n).padStart(4, '0')}`)
  const text = (value: string): string => {
    const scrubbed = scrubSecrets(value)
    if (scrubbed !== value) secrets += Math.max(1, scrubbed.split(removed).length - value.split(removed).length)
    return scrubbed
      .replaceAll(email, replaceEmail)
      .replaceAll(phone, replacePhone)
      .replaceAll(card, found => (isCard(found) ? replaceCard(found) : found))
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), walk(inner)]))
    return value
  }
  return {
    replace: <Value>(value: Value) => walk(value) as Value, // the same JSON with other texts
    counts: () => ({ secrets, personal: known.size }),
  }
}

/** By the checksum of card numbers (Luhn), so that other long numbers stay. */
function isCard(text: string): boolean {
  const digits = [...text].filter(each => each >= '0' && each <= '9').map(Number)
  const sum = digits.reverse().reduce((total, digit, i) => total + (i % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2), 0)
  return sum % 10 === 0 && digits.some(digit => digit !== digits[0])
}
