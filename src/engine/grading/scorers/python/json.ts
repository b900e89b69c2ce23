/** Python's `json.loads` also reads NaN, Infinity and -Infinity; otherwise both languages accept the same texts. */

// A string, or one of the three names outside of strings.
const stringOrName = /"[^"\\]*(?:\\[^][^"\\]*)*"|\bNaN\b|-?\bInfinity\b/g

/** The text as JSON that JavaScript reads: the three names become null. For telling valid from invalid, not for values. */
function withoutSpecialNumbers(text: string): string {
  return text.replace(stringOrName, token => (token.startsWith('"') ? token : 'null'))
}

/** Whether `json.loads` would read the text. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    if (!text.includes('NaN') && !text.includes('Infinity')) return false
  }
  try {
    JSON.parse(withoutSpecialNumbers(text))
    return true
  } catch {
    return false
  }
}
