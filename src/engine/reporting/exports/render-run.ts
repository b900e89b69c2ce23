import type { RunExportFormat } from '../../../contract/runs/run-exports.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import type { ReadMedia } from '../report/report-sample.ts'
import { renderRunInspect } from './run-inspect.ts'
import { renderRunJunit } from './run-junit.ts'
import { renderRunLmEval } from './run-lm-eval.ts'
import { renderRunMarkdown } from './run-markdown.ts'
import { renderRunParquet } from './run-parquet.ts'
import { renderRunPromptfoo } from './run-promptfoo.ts'
import { renderRunZip } from './run-zip.ts'
import type { Samples, WriteBytes } from './samples.ts'

type Render = (results: Results, samples: Samples, write: WriteBytes, readMedia: ReadMedia) => Promise<void>

/** Writers of the formats of other tools. Each writes the same bytes each time for one result. */
export const runExports: Readonly<Record<RunExportFormat, Render>> = {
  junit: renderRunJunit,
  markdown: renderRunMarkdown,
  inspect: renderRunInspect,
  lm_eval: renderRunLmEval,
  promptfoo: renderRunPromptfoo,
  parquet: renderRunParquet,
  zip: renderRunZip,
}
