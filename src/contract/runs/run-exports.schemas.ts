/** Formats of other tools that a result can be exported in; JSON, CSV and HTML are Assay's own. */
export const runExportFormats = ['junit', 'markdown', 'inspect', 'lm_eval', 'promptfoo', 'parquet'] as const
export type RunExportFormat = (typeof runExportFormats)[number]
