/** Dollars as typed, in micro-USD; null where nothing is typed. */
export function microUsdOf(dollars: string): string | null | 'invalid' {
  const text = dollars.trim()
  if (text === '') return null
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  if (!match) return 'invalid'
  return String(BigInt(match[1] ?? '0') * 1_000_000n + BigInt((match[2] ?? '').padEnd(6, '0')))
}
