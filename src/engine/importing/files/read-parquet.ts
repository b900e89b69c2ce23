import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type Compressors, parquetMetadata, parquetReadObjects, snappyUncompress } from 'hyparquet'
import type { ImportLimits } from './limits.ts'
import { readWhole } from './read-whole.ts'
import { problem, type RowOrProblem } from './row.ts'

const mebi = 1024 * 1024
/** Bytes of a page after unpacking; writers make pages of about one. */
const mostPageBytes = 64 * mebi
/** Rows unpacked at a time. */
const chunkRows = 2000

const unpackers: Compressors = {
  SNAPPY: (packed, length) => {
    const page = new Uint8Array(bounded(length))
    snappyUncompress(packed, page)
    return page
  },
  GZIP: (packed, length) => gunzipSync(packed, atMost(length)),
  ZSTD: (packed, length) => zstdDecompressSync(packed, atMost(length)),
  BROTLI: (packed, length) => brotliDecompressSync(packed, atMost(length)),
}

/**
 * The rows of a Parquet file, as Hugging Face publishes data sets; row numbers are used as line numbers. Whole numbers that JSON keeps
 * exactly are numbers, larger ones text; times are text; bytes, such as pictures, are left out.
 */
export async function* readParquet(bytes: AsyncIterable<Uint8Array>, limits: ImportLimits): AsyncGenerator<RowOrProblem> {
  const whole = await readWhole(bytes, limits, 'Parquet file')
  // A copy: slices of a Buffer may share memory with others.
  const file = new Uint8Array(whole).buffer
  let row = 0
  try {
    const metadata = parquetMetadata(file)
    const rows = Number(metadata.num_rows)
    const size = metadata.row_groups.reduce((sum, group) => sum + Number(group.total_byte_size), 0)
    if (rows > limits.tasks) return yield problem(null, `The file holds ${rows} rows; an import may hold at most ${limits.tasks}.`)
    if (size > limits.decodedBytes) return yield problem(null, `The file unpacks to more than ${limits.decodedBytes} bytes.`)
    if (size > limits.ratioFrom && size > whole.length * limits.ratio)
      return yield problem(null, `The file unpacks to more than ${limits.ratio} times its size, which real data does not; it was not read.`)
    while (row < rows) {
      const values = await parquetReadObjects({
        file,
        metadata,
        compressors: unpackers,
        rowStart: row,
        rowEnd: Math.min(rows, row + chunkRows),
      })
      if (values.length === 0) throw new Error('rows are missing')
      for (const value of values) yield { kind: 'row', line: ++row, value: plainObject(value) }
    }
  } catch (error) {
    yield problem(
      row === 0 ? null : row + 1,
      `The Parquet file cannot be read${row === 0 ? '' : ' from here on'}: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

function bounded(length: number): number {
  if (length > mostPageBytes) throw new Error(`a page unpacks to more than ${mostPageBytes} bytes`)
  return length
}

/** zlib knows no limit of 0, which the page of a column without values has. */
function atMost(length: number): { readonly maxOutputLength: number } {
  return { maxOutputLength: Math.max(1, bounded(length)) }
}

function plainObject(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

function plain(value: unknown): unknown {
  if (value === undefined || value instanceof Uint8Array) return null
  if (typeof value === 'bigint') return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, plain) // only typed arrays of numbers come here
  return typeof value === 'object' && value !== null ? plainObject(value) : value
}
