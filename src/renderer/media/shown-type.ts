import { recordingType } from '../../lib/answered-files.ts'

export type ShownType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | NonNullable<ReturnType<typeof recordingType>>

/** What a file is by the bytes that it begins with; null for all that a page does not show. */
export function shownType(base64: string): ShownType | null {
  const head = beginningOf(base64)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'image/webp'
  return recordingType(head)
}

/** Its first twelve bytes, a character each; empty where it is not base64. */
function beginningOf(base64: string): string {
  try {
    return atob(base64.slice(0, 16))
  } catch {
    return ''
  }
}
