import type { MediaType } from '../../../contract/media/media.schemas.ts'
import type { SampleDetail } from '../../../contract/runs/samples.schemas.ts'

/**
 * One sample as the exports need it: what a transcript shows, without the bodies of its attempts (a big run would not fit a file)
 * and without what only the service's pages use.
 */
export type ReportSample = Omit<SampleDetail, 'run_id' | 'scores' | 'title' | 'attempt_log' | 'example' | 'previous_id' | 'next_id'>

/** With the values by which results are broken down, for a page whose breakdowns lead to their samples. */
export type FacetedSample = ReportSample & { readonly facets: Readonly<Record<string, string>> }

/** Reads a stored file; null where it is missing. */
export type ReadMedia = (digest: string) => Promise<{ readonly mediaType: MediaType; readonly bytes: Uint8Array } | null>

/** Takes the next piece of an export; awaited, so that a slow reader slows the export instead of filling memory. */
export type Write = (chunk: string) => Promise<void> | void

/**
 * Passes samples on and refuses a wrong order: exports promise the same bytes for the same result version, and the chart of the
 * running score reads samples as they come.
 * @throws RangeError naming both positions.
 */
export async function* byPosition<Sample extends ReportSample>(samples: AsyncIterable<Sample>): AsyncGenerator<Sample> {
  let previous = -1
  for await (const sample of samples) {
    if (sample.position <= previous) {
      throw new RangeError(
        `samples must come by rising position, but position ${sample.position} came after ${previous}: sort the query by position`,
      )
    }
    previous = sample.position
    yield sample
  }
}
