import type { ExportedAnnotations } from '../../../contract/annotations/annotations.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { bufferedWriter } from './buffered-writer.ts'
import { dataIsland, islandJson } from './data-island.ts'
import { embedPictures } from './explorer/embed-pictures.ts'
import { explorerConfig, explorerRow, partFinder } from './explorer/explorer-rows.ts'
import type { ExplorerRow } from './explorer/explorer-data.ts'
import { type TextStore, TranscriptSelection } from './explorer/transcript-selection.ts'
import { explorerTranscript } from './explorer/transcript.ts'
import { agreement } from './page/agreement.ts'
import { annotations as annotationsSection } from './page/annotations.ts'
import { breakdowns, hasParts } from './page/breakdowns.ts'
import { cost } from './page/cost.ts'
import { cumulative, distributions } from './page/distributions.ts'
import { contents, documentEnd, documentStart, sectionHtml } from './page/document.ts'
import { headline } from './page/headline.ts'
import { notices } from './page/notices.ts'
import { outcomes } from './page/outcomes.ts'
import { reproducibility } from './page/reproducibility.ts'
import { samples as samplesSection } from './page/samples.ts'
import { scores } from './page/scores.ts'
import { strip } from './page/strip.ts'
import { whatWasRun } from './page/what-was-run.ts'
import { byPosition, type FacetedSample, type ReadMedia, type Write } from './report-sample.ts'
import { SampleTally } from './sample-tally.ts'

export interface RunReportOptions {
  /** Bytes of transcripts that the file may hold; the list of samples is always whole. Default 25 MB. */
  readonly transcriptBudgetBytes?: number
  /** Notes, tags and bookmarks of the run and its samples. */
  readonly annotations?: readonly ExportedAnnotations[]
  /** Where the bytes of pictures come from; absent: the report names them without showing them. */
  readonly thumbnail?: ReadMedia
  /** Keeps what may be chosen of the transcripts. */
  readonly texts: TextStore
}

const defaultTranscriptBudget = 25_000_000
const rowsPerIsland = 500

/**
 * Writes a run's report: one HTML file that needs nothing else. Samples stream through once: what only needs the results is written
 * first, then a line of data per sample, then the sections that need figures of all samples, then the chosen transcripts. The same
 * input gives the same bytes: nothing here asks a clock, a random source or a locale.
 * @throws RangeError if samples do not come by rising position, or one belongs to a profile that the results do not have.
 */
export async function renderRunReport(
  results: Results,
  samples: AsyncIterable<FacetedSample>,
  write: Write,
  options: RunReportOptions,
): Promise<void> {
  const out = bufferedWriter(write)
  const budgetBytes = options.transcriptBudgetBytes ?? defaultTranscriptBudget
  const noted = annotationsSection(options.annotations ?? [])
  const { profiles, app_version: version } = results.reproducibility
  const config = explorerConfig(profiles, results.breakdowns)
  const partsOf = partFinder(config.parts)
  const tally = new SampleTally(profiles)
  const agreementShown = agreement(tally) !== null

  await out.write(documentStart(results.name))
  await out.write(sectionHtml(headline(results)))
  await out.write(sectionHtml(contents(sectionLinks(results, { agreement: agreementShown, annotations: noted !== null }))))
  for (const section of [whatWasRun, scores, breakdowns]) await out.write(sectionHtml(section(results)))

  const selection = new TranscriptSelection(budgetBytes, options.texts)
  let rows: ExplorerRow[] = []
  for await (const sample of byPosition(samples)) {
    tally.add(sample)
    rows.push(explorerRow(sample, profiles, partsOf))
    selection.offer(sample, () => dataIsland(`id="transcript-${sample.position}"`, islandJson(explorerTranscript(sample))))
    if (rows.length < rowsPerIsland) continue
    await out.write(rowsIsland(rows))
    rows = []
  }
  await out.write(rowsIsland(rows))

  const { transcripts, pictures: shown } = selection.chosen()
  const pictures = await embedPictures(shown, options.thumbnail ?? (() => Promise.resolve(null)))
  const held = {
    samples: tally.samples,
    transcripts: transcripts.length,
    budgetBytes,
    pictures: { shown: pictures.shown, held: pictures.islands.length },
  }
  for (const section of [
    outcomes(results, tally),
    strip(tally),
    agreement(tally),
    cumulative(results, tally),
    distributions(results, tally),
    cost(results),
  ])
    await out.write(sectionHtml(section))
  for (const section of [reproducibility(results), notices(results), noted, samplesSection(config, held)])
    await out.write(sectionHtml(section))
  await out.write(dataIsland('id="explorer-config"', islandJson(config)))
  for (const transcript of transcripts) await out.write(selection.read(transcript))
  for (const picture of pictures.islands) await out.write(picture)
  await out.write(documentEnd(version))
  await out.flush()
}

function rowsIsland(rows: readonly ExplorerRow[]): string {
  return dataIsland('class="explorer-rows"', islandJson(rows))
}

function sectionLinks(
  results: Results,
  shown: { readonly agreement: boolean; readonly annotations: boolean },
): (readonly [id: string, title: string])[] {
  return [
    ['run', 'What was run'],
    ['scores', 'Scores'],
    ...(!hasParts(results) ? [] : [['breakdowns', 'Breakdowns'] as const]),
    ['outcomes', 'Outcomes'],
    ['strip', 'Samples in order'],
    ...(shown.agreement ? [['agreement', 'Disagreement'] as const] : []),
    ['settling', 'Score over time'],
    ['speed', 'Latency and tokens'],
    ['cost', 'Cost'],
    ['reproducibility', 'Reproducibility'],
    ['notices', 'Notices'],
    ...(shown.annotations ? [['annotations', 'Notes and tags'] as const] : []),
    ['samples', 'Samples'],
  ]
}
