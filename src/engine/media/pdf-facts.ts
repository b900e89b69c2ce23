import { inflateSync } from 'node:zlib'

/** Bytes of one object stream after unpacking, and of all of them, those that are more counted with what was unpacked for nothing. */
const mostStreamBytes = 4 * 1024 * 1024
const mostBytes = 16 * 1024 * 1024
/** Characters between the dictionary of an object stream and its content, and between two entries of one dictionary. */
const dictionary = { stream: 1_024, pages: 4_000, references: 2_000 }
/** Marks of object streams that are followed; files of thousands of pages have hundreds. */
const mostStreams = 10_000
/** Nodes of a page tree that are looked at: each is looked at with what is around it. */
const mostNodes = 2_000

/**
 * Pages of a document from its page tree, and what is unusual about it. Nothing in it is executed.
 * Newer files keep the tree in compressed object streams, which are unpacked up to 16 MB; null where no tree is found.
 * Takes time in proportion to the file, whatever is in it: uploads are read on the service's thread.
 */
export function pdfFacts(bytes: Buffer): { readonly pages: number | null; readonly cautions: readonly string[] } {
  const whole = bytes.toString('latin1')
  const parts = [whole, ...objectStreams(bytes)]
  const most = parts.flatMap(pageCounts).reduce((a, b) => Math.max(a, b), 0)
  const isEncrypted =
    /\/Encrypt\b/.test(whole.slice(-2048)) ||
    nodes(whole, /\/Type\s{0,20}\/XRef\b/g).some(at => /\/Encrypt\b/.test(whole.slice(at, at + dictionary.references)))
  const hasScript = parts.some(part => /\/(?:JavaScript|JS)\b/.test(part))
  return {
    pages: most > 0 ? most : null,
    cautions: [
      ...(hasScript ? ['It holds JavaScript, which is never executed here.'] : []),
      ...(isEncrypted ? ['It is encrypted; model providers refuse that.'] : []),
    ],
  }
}

function objectStreams(bytes: Buffer): string[] {
  const contents: string[] = []
  let unpacked = 0
  let marks = 0
  for (let at = bytes.indexOf('/ObjStm'); at >= 0 && unpacked < mostBytes && marks < mostStreams; at = bytes.indexOf('/ObjStm', at)) {
    marks++
    const mark = bytes.subarray(at, at + dictionary.stream).indexOf('stream', 0, 'latin1')
    at += mark < 0 ? '/ObjStm'.length : mark + 'stream'.length
    if (mark < 0) continue
    const from = at + (bytes[at] === 0x0d ? 2 : 1)
    const end = bytes.indexOf('endstream', from, 'latin1')
    const packed = bytes.subarray(from, end < 0 ? bytes.length : end)
    const content = inflated(packed)
    unpacked += content?.length ?? mostStreamBytes
    if (content) contents.push(content)
    // Without an end there is no other stream behind it.
    if (end < 0) break
    at = end
  }
  return contents
}

/** Empty where it is damaged or of another compression: then the pages stay unknown; null where it is larger than a page tree is. */
function inflated(packed: Buffer): string | null {
  try {
    return inflateSync(packed, { maxOutputLength: mostStreamBytes }).toString('latin1')
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? null : ''
  }
}

/** What the nodes of a page tree say that they hold; the root says the most. */
function pageCounts(part: string): number[] {
  return nodes(part, /\/Type\s{0,20}\/Pages\b/g).flatMap(at => {
    const after = /\/Count\s{1,20}(\d{1,7})/.exec(part.slice(at, at + dictionary.pages))
    const count = after ?? [...part.slice(Math.max(0, at - dictionary.pages), at).matchAll(/\/Count\s{1,20}(\d{1,7})/g)].at(-1)
    return count ? [Number(count[1])] : []
  })
}

/** Where the first nodes of a kind and the last ones are: a root is written before its tree or after it. */
function nodes(part: string, kind: RegExp): number[] {
  const found = Array.from(part.matchAll(kind), ({ index }) => index)
  return found.length <= mostNodes ? found : [...found.slice(0, mostNodes / 2), ...found.slice(-mostNodes / 2)]
}
