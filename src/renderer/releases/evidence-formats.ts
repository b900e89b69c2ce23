import type { Evidence } from '../../contract/releases/evidence.schemas.ts'

export const evidenceFormats: Readonly<Record<Evidence['format'], string>> = {
  inspect: 'Inspect',
  lm_eval: 'lm-evaluation-harness',
  promptfoo: 'promptfoo',
  junit: 'JUnit',
  sarif: 'SARIF',
  csv: 'CSV table',
  manual: 'Statement',
}
