const [backslash, colon] = [0x5c, 0x3a]
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Keys of all objects of a text that is JSON, also those that an object has twice, of which a parsed value keeps the last. */
export function countKeys(text: string): number {
  let count = 0
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfString(text, start)
    if (isKey(text, end)) count++
    start = text.indexOf('"', end)
  }
  return count
}

/** The first key that an object of a text that is JSON has twice; null where none has. */
export function repeatedKey(text: string): string | null {
  const open: Set<string>[] = []
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '{') open.push(new Set())
    else if (char === '}') open.pop()
    if (char !== '"') continue
    const end = endOfString(text, i)
    if (isKey(text, end)) {
      const key = String(JSON.parse(text.slice(i, end)))
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
    i = end - 1
  }
  return null
}

/** The index after a string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end + 1
  }
  return text.length
}

function isKey(text: string, end: number): boolean {
  let next = end
  while (isBlank(text.charCodeAt(next))) next++
  return text.charCodeAt(next) === colon
}
