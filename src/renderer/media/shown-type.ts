export type ShownType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'audio/wav' | 'audio/mpeg' | 'audio/flac' | 'audio/ogg'

/** What a file is by the bytes that it begins with; null for all that a page does not show. */
export function shownType(base64: string): ShownType | null {
  const head = beginningOf(base64)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (head.startsWith('fLaC')) return 'audio/flac'
  if (head.startsWith('OggS')) return 'audio/ogg'
  if (head.startsWith('RIFF')) return head.endsWith('WEBP') ? 'image/webp' : head.endsWith('WAVE') ? 'audio/wav' : null
  return /^(?:ID3|\xff[\xfb\xf3\xf2])/.test(head) ? 'audio/mpeg' : null
}

/** Its first twelve bytes, a character each; empty where it is not base64. */
function beginningOf(base64: string): string {
  try {
    return atob(base64.slice(0, 16))
  } catch {
    return ''
  }
}
