/** The objects of JSON Lines; other lines are left out, so that their requests count as missing. */
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
