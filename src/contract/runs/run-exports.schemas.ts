import { z } from 'zod'
import { named } from '../primitives.ts'

/** Formats of other tools that a result can be exported in, and `zip`, the complete result with its media; JSON, CSV and HTML are Assay's own. */
export const runExportFormats = ['junit', 'markdown', 'inspect', 'lm_eval', 'promptfoo', 'parquet', 'zip'] as const
export type RunExportFormat = (typeof runExportFormats)[number]

export const ownExportFormats = ['json', 'csv', 'html'] as const

/** What an export of a result is made of. */
export const NewRunExport = named('NewRunExport', {
  format: z.enum([...ownExportFormats, ...runExportFormats]),
  version: z.int().min(1).optional().describe('Latest when absent.'),
})
export type NewRunExport = z.infer<typeof NewRunExport>
