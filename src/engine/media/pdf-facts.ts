import { inflateSync } from 'node:zlib'

/** Bytes of one object stream after unpacking, and of all of them. */
const mostStreamBytes = 4 * 1024 * 1024
const mostBytes = 16 * 1024 * 1024

/**
 * Pages of a document from its page tree, and what is unusual about it. Nothing in it is executed.
 * Newer files keep the tree in compressed object streams, which are unpacked up to 16 MB; null where no tree is found.
 */
export function pdfFacts(bytes: Buffer): { readonly pages: number | null; readonly cautions: readonly string[] } {
  const parts = [bytes.toString('latin1')]
  let unpacked = 0
  for (let at = bytes.indexOf('/ObjStm'); at >= 0 && unpacked < mostBytes; at = bytes.indexOf('/ObjStm', at + 7)) {
    const mark = bytes.indexOf('stream', at, 'latin1')
    if (mark < 0 || mark - at > 1024) continue
    const from = mark + 6 + (bytes[mark + 6] === 0x0d ? 2 : 1)
    const to = bytes.indexOf('endstream', from, 'latin1')
    const content = inflated(bytes.subarray(from, to < 0 ? bytes.length : to))
    unpacked += content.length
    parts.push(content)
  }
  const counts = parts.flatMap(part =>
    [...part.matchAll(/\/Type\s*\/Pages\b[^]{0,4000}?\/Count\s+(\d{1,7})|\/Count\s+(\d{1,7})[^]{0,4000}?\/Type\s*\/Pages\b/g)].map(
      ([, after, before]) => Number(after ?? before),
    ),
  )
  const isEncrypted = /\/Encrypt\b/.test(parts[0]?.slice(-2048) ?? '') || /\/Type\s*\/XRef\b[^]{0,2000}?\/Encrypt\b/.test(parts[0] ?? '')
  const hasScript = parts.some(part => /\/(?:JavaScript|JS)\b/.test(part))
  const most = counts.reduce((a, b) => Math.max(a, b), 0)
  return {
    pages: most > 0 ? most : null,
    cautions: [
      ...(hasScript ? ['It holds JavaScript, which is never executed here.'] : []),
      ...(isEncrypted ? ['It is encrypted; model providers refuse that.'] : []),
    ],
  }
}

function inflated(packed: Buffer): string {
  try {
    return inflateSync(packed, { maxOutputLength: mostStreamBytes }).toString('latin1')
  } catch {
    // Damaged, of another compression or larger than a page tree is: then the pages stay unknown.
    return ''
  }
}
