import type { ArchiveFormat, RowFormat, TextFormat } from '../../files/import-source.ts'

/** As upstream publishes it, or the same fields as JSON Lines, JSON, CSV or Parquet, as `datasets` writes and Hugging Face keeps them. */
export function anyForm(upstream: TextFormat | ArchiveFormat): RowFormat {
  return { kind: 'any', upstream }
}
