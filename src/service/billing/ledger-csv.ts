import { Readable } from 'node:stream'
import { LedgerEntry } from '../../contract/billing/billing.schemas.ts'
import { type CsvCell, csvRow } from '../../lib/csv.ts'
import type { FileReply } from '../http/handler.ts'

/** The fields of an entry in the order of the contract, which is the order of the columns. */
const columns = LedgerEntry.keyof().options

/** The ledger as CSV: a column per field of the JSON, a row per entry, in the same order. */
export function ledgerCsv(chunks: Iterable<readonly LedgerEntry[]>): FileReply {
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: 'ledger.csv',
    kind: 'stream',
    stream: Readable.from(lines(chunks), { objectMode: false }),
  }
}

function* lines(chunks: Iterable<readonly LedgerEntry[]>): Generator<string> {
  yield csvRow(columns)
  for (const entries of chunks) yield entries.map(entry => csvRow(columns.map((column): CsvCell => entry[column]))).join('')
}
