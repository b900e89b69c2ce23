import { mapSpan } from '../engine/importing/traces/provider-spans.ts'
import { rawOf, rawText, searchedTexts } from '../engine/importing/traces/span-row.ts'
import type { Database } from '../storage/database.ts'
import { createTraceReads } from '../storage/reads/traces.ts'
import type { FindTracesTask } from './trace-tasks.ts'

/** The first traces, in the order given, that contain a text as it is: in what their list shows or in what one of their spans says. */
export function findTraces(db: Database, { among, text, most }: FindTracesTask): number[] {
  const reads = createTraceReads(db)
  // JSON within JSON may escape every other character.
  const plain = Buffer.from(text.match(/[a-z0-9 ]+/gi)?.reduce((a, b) => (b.length > a.length ? b : a)) ?? '')
  const found: number[] = []
  const traceNos = db
    .prepare(among.sql)
    .pluck()
    .all(...among.parameters)
  for (const row of traceNos) {
    if (found.length >= most) break
    const no = Number(row)
    const trace = reads.listed(no)
    if (!trace) continue
    const spanSays = (raw: Uint8Array): boolean =>
      rawText(raw).includes(plain) && searchedTexts(mapSpan(trace.source, rawOf(raw))).some(one => one.includes(text))
    if (trace.texts.includes(text) || someOf(reads.rawSpans(no), spanSays)) found.push(no)
  }
  return found
}

/** As `Iterator.some`, and the statement behind it is ended. */
function someOf<T>(all: Iterable<T>, holds: (one: T) => boolean): boolean {
  for (const one of all) if (holds(one)) return true
  return false
}
