import type { ReactElement } from 'react'
import { outcomeLooks } from '../../../../charts/outcome-looks.ts'
import { SampleStrip, sampleStripTable, type StripKind } from '../../../../charts/sample-strip.ts'
import { outcomeCodes } from '../../../../contract/runs/samples.schemas.ts'
import type { SampleTally } from '../sample-tally.ts'
import { chartFigure, section } from './elements.ts'

const kinds: readonly StripKind[] = [
  { code: outcomeCodes.correct, word: 'correct', tone: outcomeLooks.correct.tone, height: 1 },
  { code: outcomeCodes.wrong, word: 'wrong', tone: outcomeLooks.wrong.tone, height: 0.4 },
  { code: outcomeCodes.partial, word: 'partial', tone: outcomeLooks.partial.tone, height: 0.7 },
  { code: outcomeCodes.unscored, word: 'unscored', tone: outcomeLooks.unscored.tone, height: 0.2 },
  { code: outcomeCodes.failed, word: 'failed', tone: outcomeLooks.failed.tone, height: 0.2 },
  { code: outcomeCodes.missing, word: 'not run', tone: outcomeLooks.missing.tone, height: 0.1 },
]

/** Every sample as one cell, in the order of the run. */
export function strip(tally: SampleTally): ReactElement {
  const picture = { title: 'Every sample, in the order of the run', width: 760, codes: tally.codes(), kinds }
  return section('strip', 'Samples in order', chartFigure(SampleStrip(picture), sampleStripTable(picture)))
}
