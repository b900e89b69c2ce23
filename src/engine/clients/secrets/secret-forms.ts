/** Shorter values are placeholders such as `x`; to blot them out would shred the text without hiding anything. */
const shortestSecret = 4

/** Shortest word inside a secret of several words that is a secret by itself: the key in `Bearer <key>`, but not `Bearer`. */
const shortestSecretWord = 8

/** Shortest secret whose halves and whose encodings are looked for: those of shorter ones are found in ordinary text. */
const shortestDisguised = 16

/** The secrets themselves and the words in them, as text and as JSON writes it, longest first. */
export function plainForms(secrets: readonly string[]): string[] {
  const plain = valuesOf(secrets)
  // Text that is not valid JSON is quoted unparsed, so a secret may appear as JSON would write it.
  return longestFirst([...plain, ...plain.map(secret => JSON.stringify(secret).slice(1, -1))])
}

/** The same, and each as servers and people pass it on: in base64 wherever it begins, in hexadecimal, in a URL, reversed. */
export function encodedForms(secrets: readonly string[]): string[] {
  const long = valuesOf(secrets).filter(secret => secret.length >= shortestDisguised)
  return longestFirst([
    ...plainForms(secrets),
    ...long.flatMap(secret => [
      ...base64Forms(secret),
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('hex').toUpperCase(),
      encodeURIComponent(secret),
      [...secret].reverse().join(''),
    ]),
  ])
}

/** The same, and the halves of each. */
export function everyForm(secrets: readonly string[]): string[] {
  const long = valuesOf(secrets).filter(secret => secret.length >= shortestDisguised)
  const halves = long.flatMap(secret => {
    const middle = Math.floor(secret.length / 2)
    return [secret.slice(0, middle), secret.slice(middle)]
  })
  return longestFirst([...encodedForms(secrets), ...halves])
}

function valuesOf(secrets: readonly string[]): string[] {
  const words = secrets.flatMap(secret => secret.split(/\s+/)).filter(word => word.length >= shortestSecretWord)
  return [...secrets, ...words].filter(secret => secret.length >= shortestSecret)
}

/** The characters of base64 that only the secret decides, for each place at which it may begin in what was encoded. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap(before => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor((bytes.length * 8) / 6)
    return [bytes.toString('base64').slice(first, last), bytes.toString('base64url').slice(first, last)]
  })
}

function longestFirst(forms: readonly string[]): string[] {
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}
