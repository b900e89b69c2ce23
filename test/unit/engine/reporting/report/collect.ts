import { fixtureResults, stream } from './run-fixture.ts'
import type { Results } from '../../../../../src/contract/runs/results.schemas.ts'
import type { FacetedSample } from '../../../../../src/engine/reporting/report/report-sample.ts'
import { renderRunReport, type RunReportOptions } from '../../../../../src/engine/reporting/report/run-report.ts'

/** Everything that an export writes, as one text. */
export async function collect(render: (write: (chunk: string) => void) => Promise<void>): Promise<string> {
  const chunks: string[] = []
  await render(chunk => void chunks.push(chunk))
  return chunks.join('')
}

export function reportOf(
  samples: readonly FacetedSample[],
  results: Results = fixtureResults(samples),
  options: RunReportOptions = {},
): Promise<string> {
  return collect(write => renderRunReport(results, stream(samples), write, options))
}
