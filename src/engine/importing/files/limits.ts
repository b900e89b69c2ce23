/** How much a file may hold. */
export interface ImportLimits {
  /** Bytes of one line, or of one item of a list. */
  readonly lineBytes: number
  /** Bytes after decompression. */
  readonly decodedBytes: number
  /** Decompressed bytes for each compressed one, looked at once `ratioFrom` bytes are out. */
  readonly ratio: number
  readonly ratioFrom: number
  /** Tasks of one import. */
  readonly tasks: number
  /** Number of faulty rows after which reading stops: so many share a cause, and a longer list would not help. */
  readonly badRows: number
  /** Keys of one row. */
  readonly rowKeys: number
}

const mebi = 1024 * 1024

export const importLimits: ImportLimits = {
  lineBytes: 10 * mebi,
  decodedBytes: 2048 * mebi,
  ratio: 200,
  ratioFrom: 16 * mebi,
  tasks: 1_000_000,
  badRows: 1_000,
  rowKeys: 1_000,
}
