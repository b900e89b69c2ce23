import type { ReportSample } from '../report/report-sample.ts'

/** Reads all samples of a result from the first; formats that state counts before the samples read them twice. */
export type Samples = () => AsyncIterable<ReportSample>

/** Takes the next piece of an export file. */
export type WriteBytes = (chunk: string | Uint8Array) => Promise<void> | void
