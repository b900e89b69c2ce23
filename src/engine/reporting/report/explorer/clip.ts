import type { ClippedText } from './explorer-data.ts'

/** The first `limit` UTF-16 code units, or one fewer where that would cut a character in half. */
export function clip(text: string, limit: number): ClippedText {
  if (text.length <= limit) return { text, omitted: 0 }
  const cutsPair = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) && /[\udc00-\udfff]/.test(text.charAt(limit))
  const end = cutsPair ? limit - 1 : limit
  return { text: text.slice(0, end), omitted: text.length - end }
}
