import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Prefixes let people and secret scanners recognize what they see. */
export type TokenPrefix = 'asy_' | 'asn_'

/** 32 random bytes behind a prefix: `asy_` for keys, `asn_` for sessions. */
export function newToken(prefix: TokenPrefix): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Only this is stored. A plain hash suffices: the token itself is random, so it cannot be guessed from a word list. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex')
  const right = Buffer.from(b, 'hex')
  return left.length === right.length && timingSafeEqual(left, right)
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Eight characters that cannot be mistaken for one another, e.g. `K7PM-3WXQ`: 40 bits, for one use within minutes. */
export function newPairingCode(): string {
  const letters = [...randomBytes(8)].map(byte => alphabet[byte % alphabet.length]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** As typed by a person: case, blanks and dashes do not matter. */
export function normalizePairingCode(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}
