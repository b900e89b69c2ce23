import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type Compressors, type FileMetaData, parquetMetadata, parquetReadObjects, type SchemaElement, snappyUncompress } from 'hyparquet'
import type { ImportLimits } from './limits.ts'
import { unpackHadoopLz4, unpackLz4 } from './unpack-lz4.ts'
import { readWhole } from './read-whole.ts'
import { problem, type RowOrProblem } from './row.ts'
import { keepWritten } from './written-numbers.ts'

const mebi = 1024 * 1024
/** Bytes of a page after unpacking; writers make pages of about one. */
const mostPageBytes = 64 * mebi
/** Rows unpacked at a time. */
const chunkRows = 2000
/** Bytes of the rows unpacked at a time, about. */
const mostChunkBytes = 64 * mebi

/** Of decimals; a file may state any number. */
const mostPlaces = 100

const msOfDay = 86_400_000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const unpackers: Compressors = {
  SNAPPY: (packed, length) => {
    const page = new Uint8Array(bounded(length))
    snappyUncompress(packed, page)
    return page
  },
  GZIP: (packed, length) => gunzipSync(packed, atMost(length)),
  ZSTD: (packed, length) => zstdDecompressSync(packed, atMost(length)),
  LZ4: (packed, length) => unpackHadoopLz4(packed, bounded(length)),
  LZ4_RAW: (packed, length) => unpackLz4(packed, bounded(length)),
  BROTLI: (packed, length) => brotliDecompressSync(packed, atMost(length)),
}

/**
 * The rows of a Parquet file, as Hugging Face publishes data sets; row numbers are used as line numbers. Whole numbers that JSON keeps
 * exactly are numbers, larger ones text, like decimals with all their places; numbers of single precision are as they were written (0.1);
 * what is not a number is missing; days and times are text (`2024-05-31`, `2024-05-31T10:00:00Z`); bytes, such as pictures, stay bytes.
 */
export async function* readParquet(bytes: AsyncIterable<Uint8Array>, limits: ImportLimits): AsyncGenerator<RowOrProblem> {
  const whole = await readWhole(bytes, limits, 'Parquet file')
  // A copy: slices of a Buffer may share memory with others.
  const file = new Uint8Array(whole).buffer
  let row = 0
  try {
    const metadata = parquetMetadata(file)
    const rows = Number(metadata.num_rows)
    const held = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0)
    if (held !== rows) return yield problem(null, `The file says that it holds ${rows} rows, and its parts hold ${held}. Write it again.`)
    const size = metadata.row_groups.reduce((sum, group) => sum + Number(group.total_byte_size), 0)
    if (rows > limits.tasks) return yield problem(null, `The file holds ${rows} rows; an import may hold at most ${limits.tasks}.`)
    if (size > limits.decodedBytes) return yield problem(null, `The file unpacks to more than ${limits.decodedBytes} bytes.`)
    if (size > limits.ratioFrom && size > whole.length * limits.ratio)
      return yield problem(null, `The file unpacks to more than ${limits.ratio} times its size, which real data does not; it was not read.`)
    const atOnce = Math.max(1, Math.min(chunkRows, Math.floor((mostChunkBytes * rows) / Math.max(1, size))))
    const singles = singleColumns(metadata)
    const decimals = withoutDecimals(metadata)
    const floats = floatColumns(metadata)
    while (row < rows) {
      const values = await parquetReadObjects({
        file,
        metadata: decimals.metadata,
        compressors: unpackers,
        parsers: { dateFromDays: days => timeText(new Date(days * msOfDay))?.split('T')[0] },
        // It would read any bytes as text.
        utf8: false,
        rowStart: row,
        rowEnd: Math.min(rows, row + atOnce),
      })
      if (values.length === 0) throw new Error('rows are missing')
      for (const value of values)
        yield {
          kind: 'row',
          line: ++row,
          value: withFloats(withSingles(plainObject(withDecimals(value, decimals.columns)), singles), floats),
        }
    }
  } catch (error) {
    yield problem(row === 0 ? null : row + 1, `${mendOf(error)}. The Parquet file cannot be read${row === 0 ? '' : ' from here on'}.`)
  }
}

/** What mends it: hyparquet speaks of footers, pages and codecs. */
function mendOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (error instanceof PageLimit) return message
  const codec = /compression codec: (\w{1,40})/.exec(message)?.[1]
  if (codec !== undefined) return `Write it with Snappy, gzip, Zstandard or without compression: ${codec} is not read`
  if (/unsupported|not supported|unhandled/.test(message))
    return 'Write it again with the default settings of pandas or DuckDB: it uses a form of storing values that is not read'
  return /footer|metadata length|too short/.test(message)
    ? 'Download it again, or choose the format that it has: it is cut off, or no Parquet'
    : 'Download it again: it is damaged'
}

class PageLimit extends Error {}

function bounded(length: number): number {
  if (length > mostPageBytes) throw new PageLimit(`Write it in smaller pages: one unpacks to more than ${mostPageBytes} bytes`)
  return length
}

/** zlib knows no limit of 0, which the page of a column without values has. */
function atMost(length: number): { readonly maxOutputLength: number } {
  return { maxOutputLength: Math.max(1, bounded(length)) }
}

/** Some writers do not say which columns are text; what is valid UTF-8 and begins like no file is. */
function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  if (/^(?:RIFF|%PDF|ID3|fLaC|GIF8)/.test(Buffer.from(bytes.subarray(0, 4)).toString('latin1'))) return bytes
  try {
    return utf8.decode(bytes)
  } catch {
    return bytes
  }
}

/** Every leaf of the schema with the column of the top level that it is in. */
function leavesOf({ schema }: FileMetaData): { readonly top: string; readonly leaf: SchemaElement }[] {
  // The schema lists each element before what is in it.
  const left: number[] = []
  let top = ''
  return schema.slice(1).flatMap(leaf => {
    while (left.at(-1) === 0) left.pop()
    const above = left.at(-1)
    if (above === undefined) top = leaf.name
    else left[left.length - 1] = above - 1
    const { num_children: children = 0 } = leaf
    if (children > 0) left.push(children)
    return children > 0 ? [] : [{ top, leaf }]
  })
}

/** Columns of the top level whose numbers are all of single precision. */
function singleColumns(metadata: FileMetaData): string[] {
  const found = new Map<string, boolean>()
  for (const { top, leaf } of leavesOf(metadata))
    if (leaf.type === 'FLOAT' || leaf.type === 'DOUBLE') found.set(top, leaf.type === 'FLOAT' && found.get(top) !== false)
  return [...found].flatMap(([name, isSingle]) => (isSingle ? [name] : []))
}

/** Columns of the top level that hold nothing but floats. */
function floatColumns(metadata: FileMetaData): string[] {
  const columns = Map.groupBy(leavesOf(metadata), ({ top }) => top)
  return [...columns].flatMap(([name, leaves]) =>
    leaves.every(({ leaf: { type } }) => type === 'FLOAT' || type === 'DOUBLE') ? [name] : [],
  )
}

/** The row, with its whole numbers in those columns known as floats (`1.0`). */
function withFloats(row: Record<string, unknown>, columns: readonly string[]): Record<string, unknown> {
  for (const name of columns) keepFloats(row, name, row[name])
  return row
}

function keepFloats(holder: object, key: string, value: unknown): void {
  if (typeof value === 'number' && Number.isInteger(value)) keepWritten(holder, key, value, `${value}.0`)
  else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    for (const [inner, one] of Object.entries(value)) keepFloats(value, inner, one)
}

function withSingles(row: Record<string, unknown>, columns: readonly string[]): Record<string, unknown> {
  if (columns.length === 0) return row
  return { ...row, ...Object.fromEntries(columns.map(name => [name, shortest(row[name])])) }
}

/** An element of the schema by the names of what is in it. */
interface Decimals {
  /** How many places a decimal has; null for anything else. */
  readonly places: number | null
  readonly inner: ReadonlyMap<string, Decimals>
}

/** The columns with decimals, and the file without their being decimals. */
function withoutDecimals({ schema, ...rest }: FileMetaData): { readonly columns: Decimals['inner']; readonly metadata: FileMetaData } {
  const plain: SchemaElement[] = schema.slice(0, 1)
  let next = 1
  const read = (count: number): Decimals['inner'] =>
    new Map(
      Array.from({ length: count }, () => {
        const element = schema[next++]
        if (!element) throw new Error('The footer names more elements than it has.')
        const { converted_type: type, logical_type: _, ...bare } = element
        const { name, num_children: children = 0, scale = 0 } = element
        const places = type === 'DECIMAL' && children === 0 && scale >= 0 && scale <= mostPlaces ? scale : null
        plain.push(places === null ? element : bare)
        return [name, { places, inner: read(children) }]
      }),
    )
  const columns = [...read(schema[0]?.num_children ?? 0)].filter(([, column]) => hasDecimals(column))
  return { columns: new Map(columns), metadata: { schema: plain, ...rest } }
}

function hasDecimals({ places, inner }: Decimals): boolean {
  return places !== null || [...inner.values()].some(hasDecimals)
}

/** With all their digits and places (`1.10`), which a number of JavaScript may not have. */
function withDecimals(row: Readonly<Record<string, unknown>>, columns: Decimals['inner']): Record<string, unknown> {
  return { ...row, ...Object.fromEntries(Array.from(columns, ([name, column]) => [name, decimalsOf(row[name], column)])) }
}

function decimalsOf(value: unknown, column: Decimals): unknown {
  if (column.places !== null) return decimalsIn(value, column.places)
  if (Array.isArray(value)) return value.map(one => decimalsOf(one, column))
  const [only] = column.inner.size === 1 ? column.inner.values() : []
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Date))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const found = elementOf(column, key)
        return [key, found ? decimalsOf(inner, found) : inner]
      }),
    )
  // Lists hold their elements in elements of their own.
  return only ? decimalsOf(value, only) : value
}

/** What a key of a value is in the schema, which puts an element around those of lists, and two around those of maps. */
function elementOf({ inner }: Decimals, key: string): Decimals | undefined {
  const [only] = inner.size === 1 ? inner.values() : []
  return inner.get(key) ?? (only ? elementOf(only, key) : inner.get('value'))
}

/** @param value whole numbers of so small a unit, big-endian where they are bytes, or lists of them */
function decimalsIn(value: unknown, places: number): unknown {
  if (value instanceof Uint8Array)
    return value.length === 0
      ? null
      : decimalsIn(BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString('hex')}`)), places)
  if (typeof value === 'number') return decimalsIn(BigInt(value), places)
  if (typeof value === 'bigint') {
    if (places === 0) return value
    const digits = String(value < 0n ? -value : value).padStart(places + 1, '0')
    return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
  }
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, one => decimalsIn(one, places)) // only typed arrays of numbers come here
  return Array.isArray(value) ? value.map(one => decimalsIn(one, places)) : value
}

/** The shortest number that single precision rounds to the same. */
function shortest(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortest)
  if (ArrayBuffer.isView(value)) return value
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortest(inner)]))
  if (typeof value !== 'number' || Number.isInteger(value)) return value
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

/** Undefined for a time that no calendar has. */
function timeText(time: Date): string | undefined {
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().replace('.000Z', 'Z')
}

function plainObject(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

function plain(value: unknown): unknown {
  if (value === undefined) return null
  if (value instanceof Uint8Array) return textOrBytes(value)
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    return Number.isFinite(value) ? (Number.isInteger(value) ? String(value) : value) : null
  if (typeof value === 'bigint') return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value)
  if (value instanceof Date) return timeText(value) ?? null
  if (Array.isArray(value)) return value.map(plain)
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, plain) // only typed arrays of numbers come here
  return typeof value === 'object' && value !== null ? plainObject(value) : value
}
