import { filesIn } from '../../../contract/messages/messages.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { createZip } from '../../archives/write-zip.ts'
import { byPosition, type ReadMedia } from '../report/report-sample.ts'
import { sortedJson } from '../report/sorted-json.ts'
import type { Samples, WriteBytes } from './samples.ts'
import { addMedia } from './zip-media.ts'

/** Samples of one entry, so that no entry grows with the run. */
const samplesPerFile = 500

/**
 * Everything in one archive: the result, its samples a line each, and the files of their messages. A message names a file by its digest,
 * and `media.json` says where it lies; `file` is null where it is no longer stored.
 */
export async function renderRunZip(results: Results, samples: Samples, write: WriteBytes, readMedia: ReadMedia): Promise<void> {
  const zip = createZip(write)
  await zip.add('results.json', `${sortedJson(results)}\n`)
  const digests = new Set<string>()
  let lines: string[] = []
  let files = 0
  const flush = async () => {
    if (lines.length === 0) return
    await zip.add(`samples/${String(++files).padStart(5, '0')}.jsonl`, `${lines.join('\n')}\n`)
    lines = []
  }
  for await (const sample of byPosition(samples())) {
    for (const { media } of filesIn(sample.messages)) digests.add(media)
    lines.push(sortedJson(sample))
    if (lines.length >= samplesPerFile) await flush()
  }
  await flush()
  await addMedia(zip, digests, readMedia)
  await zip.end()
}
