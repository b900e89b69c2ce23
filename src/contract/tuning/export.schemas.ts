import { z } from 'zod'
import { MediaFile } from '../media/media.schemas.ts'
import { named, Sha256 } from '../primitives.ts'
import { TuneCall, TuneCase, TuneGrader } from './draft.schemas.ts'
import { TuneGroup } from './race.schemas.ts'
import { TuneSessionListItem } from './sessions.schemas.ts'

export const TuneExport = named('TuneExport', {
  format: z.literal('assay.tune/1'),
  session: TuneSessionListItem,
  call: TuneCall,
  recommended_call: TuneCall.nullable().describe('The call with the recommended model, effort and prompt; null: keep the current one.'),
  grader: TuneGrader,
  cases: z.array(TuneCase),
  media: z
    .array(MediaFile)
    .describe('Files of the cases by their digests; GET /v1/media/{digest} reads them. Empty where all cases are text.'),
  groups: z.array(TuneGroup),
  report_html: z.string().describe('Self-contained HTML page.'),
  digest: Sha256.describe('Digest of the canonical JSON of all other fields.'),
})

export type TuneExport = z.infer<typeof TuneExport>
