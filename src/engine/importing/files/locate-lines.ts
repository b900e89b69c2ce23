/** The line, from 1, on which each item of a JSON list begins. The text must be sound JSON. */
export function locateLines(text: string): number[] {
  const lines: number[] = []
  let line = 1
  let depth = 0
  let isText = false
  let isItemNext = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\n') line++
    if (isText) {
      if (character === '\\') at++
      else if (character === '"') isText = false
      continue
    }
    if (isItemNext && !/[\s\]]/.test(character)) {
      lines.push(line)
      isItemNext = false
    }
    if (character === '"') isText = true
    else if (character === '[' || character === '{') {
      depth++
      if (depth === 1) isItemNext = true
    } else if (character === ']' || character === '}') depth--
    else if (character === ',' && depth === 1) isItemNext = true
  }
  return lines
}
