import { z } from 'zod'
import type { EvidenceFile } from './evidence-file.ts'
import { evidenceJson, evidenceText, parseEvidence } from './evidence-text.ts'

const Statement = z.strictObject({
  text: z.string(),
  figures: z
    .array(
      z.strictObject({
        metric: z.string(),
        value: z.number(),
        n: z.int().min(1).optional(),
        standard_error: z.number().min(0).optional(),
      }),
    )
    .default([]),
})

/** What a person states: a text, and perhaps figures. @throws EvidenceError */
export function readManualEvidence(bytes: Buffer): EvidenceFile {
  const { figures } = parseEvidence(Statement, evidenceJson(evidenceText(bytes)), 'a statement')
  return {
    rows: [],
    figures: figures.map(({ metric, value, n, standard_error }) => ({
      name: metric,
      group: null,
      label: null,
      value,
      standardError: standard_error ?? null,
      n: n ?? null,
    })),
    blocked: null,
    cautions: [
      'A person stated this; no file of another tool backs it.',
      ...(figures.length === 0 ? ['The statement has no figures.'] : []),
    ],
  }
}
