/** The objects of JSON Lines; lines that are none are left out, so that what they were for counts as missing. */
export function jsonLines(text: string): unknown[] {
  return text.split('\n').flatMap(line => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as unknown]
    } catch {
      return []
    }
  })
}
