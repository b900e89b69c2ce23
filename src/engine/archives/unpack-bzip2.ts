import { lazily } from '../../lib/lazily.ts'
import { UnpackError } from './unpack-error.ts'

const blockMark = 0x314159265359
const endMark = 0x177245385090
/** Symbols that one Huffman table codes before the next one is chosen. */
const groupSize = 50
const mostBits = 20
/** Bytes that are passed on at a time; a block of one repeated byte unpacks to 46 MB. */
const pieceBytes = 1 << 20

/** More of the file is needed. */
class CutOff extends Error {}

/** Unpacks all streams of a bzip2 file, a block at a time. @throws UnpackError where it is damaged or cut off */
export async function* unpackBzip2(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = packed[Symbol.asyncIterator]()
  let bits = new Bits(Buffer.alloc(0))
  let isWhole = false
  /** A block that was cut off is read again with twice as much of the file. */
  const read = async <Part>(part: () => Part): Promise<Part> => {
    for (;;) {
      const at = bits.at
      try {
        return part()
      } catch (error) {
        if (!(error instanceof CutOff)) throw error
        if (isWhole) throw new UnpackError('it is cut off')
        const held = bits.from(at)
        const chunks: Uint8Array[] = [held.bytes]
        for (let added = 0; added < Math.max(held.bytes.length, pieceBytes / 16); ) {
          const next = await source.next()
          isWhole = next.done === true
          if (next.done) break
          chunks.push(next.value)
          added += next.value.length
        }
        bits = new Bits(Buffer.concat(chunks), held.bit)
      }
    }
  }
  try {
    for (let streams = 0; !(await read(() => bits.isAtEnd(isWhole))); ) {
      // Padding, which bzip2 passes over.
      if (streams > 0 && bits.skipZeroBytes()) continue
      streams++
      const blockBytes = await read(() => streamHeader(bits))
      let ofStream = 0
      for (;;) {
        const mark = await read(() => bits.take(24) * 0x1000000 + bits.take(24))
        const sum = await read(() => bits.take(32))
        if (mark === endMark) {
          if (sum !== ofStream) throw new UnpackError('its checksum is wrong')
          bits.alignToByte()
          break
        }
        if (mark !== blockMark) throw new UnpackError('it has a block that is none')
        const { symbols, first } = await read(() => readBlock(bits, blockBytes))
        const found = yield* writeBlock(symbols, first)
        if (found !== sum) throw new UnpackError('the checksum of a block is wrong')
        ofStream = (((ofStream << 1) | (ofStream >>> 31)) ^ sum) >>> 0
      }
    }
  } finally {
    await source.return?.()
  }
}

/** Reads bits, the highest of each byte first. */
class Bits {
  readonly #bytes: Buffer
  at: number

  /** @param at the first bit that is read */
  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  /** @param count at most 32 */
  take(count: number): number {
    if (this.at + count > this.#bytes.length * 8) throw new CutOff()
    let value = 0
    for (let left = count; left > 0; ) {
      const free = 8 - (this.at & 7)
      const taken = Math.min(free, left)
      value = value * 2 ** taken + (((this.#bytes[this.at >>> 3] ?? 0) >>> (free - taken)) & ((1 << taken) - 1))
      this.at += taken
      left -= taken
    }
    return value
  }

  /** The next bits without reading them, zero behind the end. */
  look(): number {
    const byte = this.at >>> 3
    const bytes = this.#bytes
    const word = ((bytes[byte] ?? 0) << 24) | ((bytes[byte + 1] ?? 0) << 16) | ((bytes[byte + 2] ?? 0) << 8) | (bytes[byte + 3] ?? 0)
    return ((word << (this.at & 7)) >>> (32 - mostBits)) & ((1 << mostBits) - 1)
  }

  skip(count: number): void {
    this.at += count
    if (this.at > this.#bytes.length * 8) throw new CutOff()
  }

  alignToByte(): void {
    this.at = (this.at + 7) & ~7
  }

  isAtEnd(isWhole: boolean): boolean {
    if (this.at < this.#bytes.length * 8) return false
    if (isWhole) return true
    throw new CutOff()
  }

  /** Whether there were any. */
  skipZeroBytes(): boolean {
    const from = this.at
    while (this.#bytes[this.at >>> 3] === 0) this.at += 8
    return this.at > from
  }

  /** What is held from a bit on. */
  from(at: number): { readonly bytes: Buffer; readonly bit: number } {
    return { bytes: this.#bytes.subarray(at >>> 3), bit: at & 7 }
  }
}

/** Bytes of a block at most. */
function streamHeader(bits: Bits): number {
  const mark = bits.take(24)
  const level = bits.take(8) - 0x30
  if (mark !== 0x425a68 || level < 1 || level > 9) throw new UnpackError('it is followed by something else')
  return level * 100_000
}

interface Table {
  /** For each length, the first code with more bits than that, filled up to the most bits. */
  readonly limits: Int32Array
  /** For each length, what leads from a code to its place among the symbols. */
  readonly offsets: Int32Array
  readonly symbols: Uint16Array
  readonly shortest: number
}

/** Symbols of a block in the order of its sorted rotations, and the place of the first. */
function readBlock(bits: Bits, blockBytes: number): { readonly symbols: Uint8Array; readonly first: number } {
  if (bits.take(1) === 1) throw new UnpackError('it is of a version before 1.0', 'bzip2 -d')
  const first = bits.take(24)
  const used = readUsed(bits)
  const tableCount = bits.take(3)
  const selectorCount = bits.take(15)
  if (used.length === 0 || tableCount < 2 || tableCount > 6 || selectorCount === 0) throw new UnpackError('a block is damaged')
  const selectors = readSelectors(bits, tableCount, selectorCount)
  const tables = Array.from({ length: tableCount }, () => readTable(bits, used.length + 2))
  const end = used.length + 1
  const symbols = new Uint8Array(blockBytes)
  let size = 0
  let run = 0
  let runBit = 1
  for (let read = 0; ; read++) {
    const table = tables[selectors[Math.floor(read / groupSize)] ?? -1]
    if (!table) throw new UnpackError('a block is damaged')
    const symbol = readSymbol(bits, table)
    if (symbol <= 1) {
      // Lengths of runs are written with the digits 1 and 2.
      run += runBit << symbol
      runBit <<= 1
      if (run > blockBytes) throw new UnpackError('a block is damaged')
      continue
    }
    if (run > 0) {
      if (size + run > blockBytes) throw new UnpackError('a block is damaged')
      symbols.fill(used[0] ?? 0, size, size + run)
      size += run
      run = 0
      runBit = 1
    }
    if (symbol === end) break
    if (size === blockBytes) throw new UnpackError('a block is damaged')
    const value = used[symbol - 1] ?? 0
    for (let i = symbol - 1; i > 0; i--) used[i] = used[i - 1] ?? 0
    used[0] = value
    symbols[size++] = value
  }
  if (first >= size) throw new UnpackError('a block is damaged')
  return { symbols: symbols.subarray(0, size), first }
}

/** The bytes that occur. */
function readUsed(bits: Bits): Uint8Array {
  const used: number[] = []
  const groups = bits.take(16)
  for (let group = 0; group < 16; group++) {
    if (!(groups & (0x8000 >>> group))) continue
    const members = bits.take(16)
    for (let member = 0; member < 16; member++) if (members & (0x8000 >>> member)) used.push(group * 16 + member)
  }
  return Uint8Array.from(used)
}

function readSelectors(bits: Bits, tableCount: number, selectorCount: number): Uint8Array {
  const recent = Array.from({ length: tableCount }, (_, i) => i)
  return Uint8Array.from({ length: selectorCount }, () => {
    let place = 0
    while (bits.take(1) === 1) if (++place >= tableCount) throw new UnpackError('a block is damaged')
    const [selector = 0] = recent.splice(place, 1)
    recent.unshift(selector)
    return selector
  })
}

function readTable(bits: Bits, symbolCount: number): Table {
  const lengths = new Uint8Array(symbolCount)
  let length = bits.take(5)
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    for (;;) {
      if (length < 1 || length > mostBits) throw new UnpackError('a block is damaged')
      if (bits.take(1) === 0) break
      length += bits.take(1) === 0 ? 1 : -1
    }
    lengths[symbol] = length
  }
  const symbols = Uint16Array.from(lengths.keys()).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b)
  const limits = new Int32Array(mostBits + 1)
  const offsets = new Int32Array(mostBits + 1)
  let code = 0
  let place = 0
  for (let bitsOf = 1; bitsOf <= mostBits; bitsOf++) {
    code <<= 1
    offsets[bitsOf] = place - code
    const count = lengths.reduce((sum, one) => sum + (one === bitsOf ? 1 : 0), 0)
    code += count
    place += count
    limits[bitsOf] = code << (mostBits - bitsOf)
  }
  return { limits, offsets, symbols, shortest: lengths.reduce((least, one) => Math.min(least, one), mostBits) }
}

function readSymbol(bits: Bits, { limits, offsets, symbols, shortest }: Table): number {
  const code = bits.look()
  let length = shortest
  while (code >= (limits[length] ?? 0)) if (++length > mostBits) throw new UnpackError('a block is damaged')
  bits.skip(length)
  const symbol = symbols[(code >>> (mostBits - length)) + (offsets[length] ?? 0)]
  if (symbol === undefined) throw new UnpackError('a block is damaged')
  return symbol
}

/** Turns the sorted rotations back and repeats runs; returns the checksum. */
function* writeBlock(symbols: Uint8Array, first: number): Generator<Uint8Array, number> {
  const next = followers(symbols)
  const table = crcTable()
  let crc = -1
  let piece = new Uint8Array(pieceBytes)
  let size = 0
  let place = (next[first] ?? 0) >>> 8
  let last = -1
  let repeated = 0
  for (let i = 0; i < symbols.length; i++) {
    const rotation = next[place] ?? 0
    const value = rotation & 255
    place = rotation >>> 8
    // After four alike comes how many more.
    const isCount = repeated === 4
    const times = isCount ? value : 1
    const written = isCount ? last : value
    repeated = isCount ? 0 : value === last ? repeated + 1 : 1
    last = isCount ? -1 : value
    for (let left = times; left > 0; left--) {
      crc = (crc << 8) ^ (table[((crc >>> 24) ^ written) & 255] ?? 0)
      piece[size++] = written
      if (size < pieceBytes) continue
      yield piece
      piece = new Uint8Array(pieceBytes)
      size = 0
    }
  }
  if (size > 0) yield piece.subarray(0, size)
  return ~crc >>> 0
}

/** For each place among the sorted rotations, that of the rotation which begins one further, above the byte of this one. */
function followers(symbols: Uint8Array): Uint32Array {
  const starts = new Uint32Array(257)
  for (const value of symbols) starts[value + 1] = (starts[value + 1] ?? 0) + 1
  for (let value = 1; value < 257; value++) starts[value] = (starts[value] ?? 0) + (starts[value - 1] ?? 0)
  const next = new Uint32Array(symbols)
  for (let i = 0; i < symbols.length; i++) {
    const value = symbols[i] ?? 0
    const place = starts[value] ?? 0
    starts[value] = place + 1
    next[place] = (next[place] ?? 0) | (i << 8)
  }
  return next
}

/** Of the polynomial 04C11DB7, highest bit first; that of zip reads the lowest first. */
const crcTable = lazily(() =>
  Int32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte << 24
    for (let bit = 0; bit < 8; bit++) rest = rest < 0 ? (rest << 1) ^ 0x04c11db7 : rest << 1
    return rest
  }),
)
