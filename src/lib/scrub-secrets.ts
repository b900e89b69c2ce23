/** Replaces a secret. */
export const removed = '[removed]'

interface Rule {
  readonly pattern: RegExp
  readonly replace: (match: string, ...groups: string[]) => string
}

const whole = () => removed
/** Keeps the first group: the name of what was removed. */
const value = (_: string, name: string) => name + removed

/** Repetitions are bounded or end where what follows cannot match, so that the time stays linear in the text. */
const rules: readonly Rule[] = [
  // A private key that was cut off ends with the text.
  {
    pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    replace: whole,
  },
  // Credentials of a connection string.
  { pattern: /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]{0,1000}@/gi, replace: (_, scheme) => `${scheme}${removed}@` },
  { pattern: /\b(authorization\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\\?["']?(?:[a-z-]{1,20}[ \t]{1,8})?)[^\s"',;\\]{1,4000}/gi, replace: value },
  { pattern: /\b(bearer|basic)([ \t]{1,8})([A-Za-z0-9._~+/-]{4,4000}={0,2})/gi, replace: schemeValue },
  // Keys of this service, of providers whose keys begin with sk-, and of others that are known by their beginning.
  { pattern: /(?<![A-Za-z0-9])as[yn]_[A-Za-z0-9_-]{6,}/g, replace: whole },
  { pattern: /(?<![A-Za-z0-9])(?:sk-|[sr]k_(?:live|test)_)[A-Za-z0-9_-]{6,}/g, replace: whole },
  {
    pattern:
      /(?<![A-Za-z0-9])(?:gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|hf_|gsk_|xai-|pplx-|lsv2_|pk-lf-|AIza|AKIA|ASIA|npm_|whsec_)[A-Za-z0-9_.-]{10,}/g,
    replace: whole,
  },
  // A token of JSON begins a word, so that any other is read once.
  { pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_.-]{10,}/g, replace: whole },
  // Parameters of signed URLs.
  { pattern: /(?<![A-Za-z0-9-])((?:x-amz-|x-goog-)[a-z-]{1,40}=)[^&#\s"'<>]{1,4000}/gi, replace: value },
  { pattern: /([?&;](?:sig|signature|policy|key-pair-id|awsaccesskeyid|googleaccessid|key)=)[^&#\s"'<>]{1,4000}/gi, replace: value },
  { pattern: assignment('=', 1), replace: value },
  // With a colon prose looks alike ("token: none"), so only what is quoted or long counts.
  { pattern: assignment(':', 8), replace: value },
]

/** `api_key=…` and similar, with any prefix: `OPENAI_API_KEY`, `"clientSecret": "…"`, also with escaped quotes. */
function assignment(sign: '=' | ':', shortest: number): RegExp {
  const names =
    'api[_-]?key|access[_-]?key|account[_-]?key|shared[_-]?key|private[_-]?key|secret(?:[_-]?key)?|token|passw(?:or)?d|passphrase|pwd|credentials?'
  const quote = `\\\\?["']`
  return new RegExp(
    `((?:${names})(?:${quote})?[ \\t]{0,8}${sign}[ \\t]{0,8}(?:${quote})?)(?:(?<=["'])[^"'\\\\]{1,4000}|[^\\s"'&,;]{${shortest},4000})`,
    'gi',
  )
}

/** "Basic authentication" and "bearer tokens" are words; credentials have digits, signs or capitals within. */
function schemeValue(match: string, scheme = '', blank = '', credentials = ''): string {
  const word = /^[A-Za-z][a-z]*[.,-]?$/.test(credentials)
  const prose =
    scheme.toLowerCase() === 'basic' ? word : word && (credentials.length < 8 || /^(?:auth|token|cred|scheme|header)/i.test(credentials))
  return prose ? match : `${scheme}${blank}${removed}`
}

/** Removes secret-shaped strings from a text. Guards against accidents, not against deliberate obfuscation. */
export function scrubSecrets(text: string): string {
  return rules.reduce((rest, { pattern, replace }) => rest.replaceAll(pattern, replace), text)
}
