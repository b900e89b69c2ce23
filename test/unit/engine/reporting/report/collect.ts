import { fixtureResults, stream } from './run-fixture.ts'
import type { Results } from '../../../../../src/contract/runs/results.schemas.ts'
import type { FacetedSample } from '../../../../../src/engine/reporting/report/report-sample.ts'
import type { TextStore } from '../../../../../src/engine/reporting/report/explorer/transcript-selection.ts'
import { renderRunReport, type RunReportOptions } from '../../../../../src/engine/reporting/report/run-report.ts'

/** Everything that an export writes, as one text. */
export async function collect(render: (write: (chunk: string) => void) => Promise<void>): Promise<string> {
  const chunks: string[] = []
  await render(chunk => void chunks.push(chunk))
  return chunks.join('')
}

export function textsInMemory(): TextStore {
  const texts: Uint8Array[] = []
  return {
    append: text => ({ at: texts.push(text) - 1, bytes: text.length }),
    read: ({ at }) => texts[at] ?? new Uint8Array(),
  }
}

export function reportOf(
  samples: readonly FacetedSample[],
  results: Results = fixtureResults(samples),
  options: Partial<RunReportOptions> = {},
): Promise<string> {
  return collect(write => renderRunReport(results, stream(samples), write, { texts: textsInMemory(), ...options }))
}
