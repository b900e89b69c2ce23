import { includesText, replaceText } from '../../../lib/find-text.ts'
import { everyForm } from '../secrets/secret-forms.ts'

/** Characters of a provider's own words that a message may quote. */
const maxLength = 200
/** Characters of a text that are looked at for a quotation. */
const mostRead = 10_000

/** Characters of a secret's half that is taken out of an answer: a shorter one could be words that the answer needs. */
const shortestHalf = 12

/** What looks like a key even though it is not this connection's: OpenAI-like keys, bearer tokens, credentials in an address. */
const keyLike = [
  /\b(?:sk|pk|rk|xai|gsk|hf|key)[-_][A-Za-z0-9_-]{12,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /(?<=:\/\/)[^\s/@]{1,200}@/g,
]

/** Makes a short quotation of provider text for a message: one line, no control or invisible characters, no secrets. */
export type Excerpt = (text: string) => string

/** Takes stored secrets out of what a provider said before it is kept; everything else stays byte for byte. */
export interface SecretScrubber {
  bytes(body: Uint8Array): Uint8Array
  text(text: string): string
}

/** @param secrets Values that must never be seen again, such as the API key and the values of the extra headers. */
export function createSecretScrubber(secrets: readonly string[]): SecretScrubber {
  const values = everyForm(secrets, shortestHalf)
  const text = (held: string) => values.reduce((rest, value) => replaceText(rest, value, '[secret]'), held)
  return {
    text,
    bytes: body => {
      if (values.length === 0) return body
      const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      // Secrets are ASCII, and latin1 carries every other byte through unchanged.
      const held = buffer.toString('latin1')
      return values.some(value => includesText(held, value)) ? Buffer.from(text(held), 'latin1') : body
    },
  }
}

/** @param secrets Values that must never appear, such as the API key and the values of the extra headers. */
export function createExcerpt(secrets: readonly string[]): Excerpt {
  const values = everyForm(secrets)
  const longest = Math.max(0, ...values.map(value => value.length))
  return text => {
    // Bounded before it is searched.
    let clean = text.slice(0, mostRead + longest)
    for (const value of values) clean = replaceText(clean, value, '[secret]')
    // A secret that the bound cut in two is not found, so its length goes with it.
    if (text.length > mostRead + longest) clean = clean.slice(0, -longest || undefined)
    for (const pattern of keyLike) clean = clean.replaceAll(pattern, '[secret]')
    clean = clean.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
    return clean.length <= maxLength ? clean : `${clean.slice(0, maxLength).toWellFormed()}…`
  }
}
