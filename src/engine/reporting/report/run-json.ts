import type { ExportedAnnotations } from '../../../contract/annotations/annotations.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { bufferedWriter } from './buffered-writer.ts'
import { byPosition, type ReportSample, type Write } from './report-sample.ts'
import { sortedJson } from './sorted-json.ts'

/** Raised whenever a reader of the older form would misread the newer. */
const formatVersion = 1

/**
 * The lossless export: results, every sample, one sample per line, and their notes, tags and bookmarks, absent if there are none.
 * Keys are sorted, so the same content is the same bytes whatever order it was put together in.
 */
export async function renderRunJson(
  results: Results,
  samples: AsyncIterable<ReportSample>,
  write: Write,
  annotations: readonly ExportedAnnotations[] = [],
): Promise<void> {
  const out = bufferedWriter(write)
  const noted = annotations.length === 0 ? '' : `"annotations":${sortedJson(annotations)},`
  await out.write(`{"format":"assay.run","format_version":${formatVersion},${noted}"results":${sortedJson(results)},"samples":[`)
  let separator = '\n'
  for await (const sample of byPosition(samples)) {
    await out.write(separator + sortedJson(sample))
    separator = ',\n'
  }
  await out.write('\n]}\n')
  await out.flush()
}
