/**
 * One block of LZ4, as Parquet's `LZ4_RAW` has them.
 * @param length bytes after unpacking
 * @throws Error when the block is not sound
 */
export function unpackLz4(packed: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length)
  let from = 0
  let to = 0
  const lengthAfter = (first: number): number => {
    let total = first
    if (first < 15) return total
    for (let more = 255; more === 255; ) {
      more = byteAt(packed, from++)
      total += more
    }
    return total
  }
  while (from < packed.length) {
    const token = byteAt(packed, from++)
    const literals = lengthAfter(token >> 4)
    if (from + literals > packed.length || to + literals > length) throw new Error('a page of LZ4 is not sound')
    out.set(packed.subarray(from, from + literals), to)
    from += literals
    to += literals
    // The last sequence ends with its literals.
    if (from >= packed.length) break
    const offset = byteAt(packed, from) | (byteAt(packed, from + 1) << 8)
    from += 2
    const count = lengthAfter(token & 15) + 4
    if (offset === 0 || offset > to || to + count > length) throw new Error('a page of LZ4 is not sound')
    // What is repeated may overlap with what is written.
    for (let i = 0; i < count; i++, to++) out[to] = out[to - offset] ?? 0
  }
  if (to !== length) throw new Error('a page of LZ4 is not whole')
  return out
}

/** Blocks with their sizes before them, as Hadoop writes Parquet's older `LZ4`; one bare block, where they are not. */
export function unpackHadoopLz4(packed: Uint8Array, length: number): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const out = new Uint8Array(length)
  let from = 0
  let to = 0
  while (from + 8 <= packed.length) {
    const size = view.getUint32(from)
    const held = view.getUint32(from + 4)
    if (to + size > length || from + 8 + held > packed.length) return unpackLz4(packed, length)
    out.set(unpackLz4(packed.subarray(from + 8, from + 8 + held), size), to)
    from += 8 + held
    to += size
  }
  return to === length ? out : unpackLz4(packed, length)
}

function byteAt(bytes: Uint8Array, i: number): number {
  const byte = bytes[i]
  if (byte === undefined) throw new Error('a page of LZ4 is cut off')
  return byte
}
