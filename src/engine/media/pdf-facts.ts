import { inflateSync } from 'node:zlib'

/** Bytes of one object stream after unpacking, and of all of them, those that are more counted with what was unpacked for nothing. */
const mostStreamBytes = 4 * 1024 * 1024
const mostBytes = 16 * 1024 * 1024
/** Characters between the dictionary of an object stream and its content, and between two entries of one dictionary. */
const dictionary = { stream: 1_024, pages: 4_000, references: 2_000 }
/** Bytes that deflate makes of one at most. */
const mostRatio = 1_032
/** Marks of object streams that are followed; files of thousands of pages have hundreds. */
const mostStreams = 1_000
/** Nodes of a page tree that are looked at, in one part of a file and in all: each is looked at with what is around it. */
const mostNodes = { part: 2_000, file: 10_000 }
const mostTrailers = 1_000
/** Places that could be a node and are looked at, from each end of a part. */
const mostPlaces = 20_000

/**
 * Pages of a document from its page tree, and what is unusual about it. Nothing in it is executed.
 * Newer files keep the tree in compressed object streams, which are unpacked up to 16 MB; null where no tree is found.
 * Takes time in proportion to the file, whatever is in it: uploads are read on the service's thread.
 */
export function pdfFacts(bytes: Buffer): { readonly pages: number | null; readonly cautions: readonly string[] } {
  const whole = bytes.toString('latin1')
  const parts = [whole, ...objectStreams(bytes)]
  let left = mostNodes.file
  let most = 0
  for (const part of parts) {
    if (left === 0) break
    const found = nodes(part, '/Pages').slice(0, left)
    left -= found.length
    for (const at of found) most = Math.max(most, pageCount(part, at))
  }
  const isEncrypted = [...trailers(whole), ...nodes(whole, '/XRef')].some(at =>
    /^(?:(?!startxref|endobj)[^])*?\/Encrypt\b/.test(whole.slice(at, at + dictionary.references)),
  )
  const hasScript = parts.some(part => /\/(?:JavaScript|JS)\b/.test(part))
  return {
    pages: most > 0 && Number.isFinite(most) ? most : null,
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
    // What was unpacked before it failed is not told, so it counts as much as it can be.
    unpacked += content?.length ?? Math.min(mostStreamBytes, packed.length * mostRatio)
    if (content) contents.push(content)
    // Without an end there is no other stream behind it.
    if (end < 0) break
    at = end
  }
  return contents
}

/** Null where it is damaged, larger than a page tree is or of another compression: then the pages stay unknown. */
function inflated(packed: Buffer): string | null {
  try {
    return inflateSync(packed, { maxOutputLength: mostStreamBytes }).toString('latin1')
  } catch {
    return null
  }
}

/** What a node of a page tree says that it holds; the root says the most. Infinite where that is more than any document has. */
function pageCount(part: string, at: number): number {
  const after = /\/Count\s{1,20}(\d{1,8})/.exec(part.slice(at, at + dictionary.pages))
  const count = after ?? [...part.slice(Math.max(0, at - dictionary.pages), at).matchAll(/\/Count\s{1,20}(\d{1,8})/g)].at(-1)
  const stated = count?.[1] ?? '0'
  return stated.length > 7 ? Infinity : Number(stated)
}

/** Where dictionaries of references follow: one for each change of a file, and one at its beginning where it is made to be read from there. */
function trailers(whole: string): number[] {
  const found: number[] = []
  for (
    let at = whole.lastIndexOf('trailer');
    at >= 0 && found.length < mostTrailers;
    at = at === 0 ? -1 : whole.lastIndexOf('trailer', at - 1)
  )
    found.push(at)
  const first = whole.indexOf('trailer')
  return first < 0 ? [] : [...found, first]
}

/** Where the first nodes of a type and the last ones are: a root is written before its tree or after it. */
function nodes(part: string, type: '/Pages' | '/XRef'): number[] {
  const found = new Set<number>()
  const look = (at: number): void => {
    const before = /\/Type\s{0,20}$/.exec(part.slice(Math.max(0, at - 25), at))
    if (before && !/\w/.test(part[at + type.length] ?? '')) found.add(at - before[0].length)
  }
  const half = mostNodes.part / 2
  let places = 0
  for (let at = part.indexOf(type); at >= 0 && found.size < half && places < mostPlaces; at = part.indexOf(type, at + 1), places++) look(at)
  places = 0
  for (
    let at = part.lastIndexOf(type);
    at >= 0 && found.size < mostNodes.part && places < mostPlaces;
    at = at === 0 ? -1 : part.lastIndexOf(type, at - 1), places++
  )
    look(at)
  return [...found]
}
