import type { Evidence } from '../../contract/index.ts'

export const evidenceFormats: Readonly<Record<Evidence['format'], string>> = {
  inspect: 'Inspect',
  lm_eval: 'lm-evaluation-harness',
  promptfoo: 'promptfoo',
  junit: 'JUnit',
  sarif: 'SARIF',
  csv: 'CSV table',
  manual: 'Statement',
}

/** What a file's name suggests; null where several tools write such files. */
export function guessFormat(name: string): Exclude<Evidence['format'], 'manual'> | null {
  const lower = name.toLowerCase()
  if (lower.endsWith('.eval')) return 'inspect'
  if (lower.endsWith('.xml')) return 'junit'
  if (lower.endsWith('.sarif') || lower.endsWith('.sarif.json')) return 'sarif'
  if (lower.endsWith('.csv') || lower.endsWith('.tsv')) return 'csv'
  if (/^(?:results|samples)_.*\.jsonl?$/.test(lower)) return 'lm_eval'
  return lower.includes('promptfoo') ? 'promptfoo' : null
}
