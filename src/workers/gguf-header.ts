import { z } from 'zod'

export interface ReadGgufTask {
  readonly path: string
}

/** What a file's header says, as far as anything depends on it. */
export const GgufFacts = z.object({
  kind: z.enum(['model', 'projector', 'adapter', 'vocabulary', 'embedding']),
  name: z.string().nullable(),
  architecture: z.string(),
  parameters: z.number().nullable(),
  quantization: z.string().nullable(),
  contextTokens: z.number().nullable(),
  hasTemplate: z.boolean(),
  layers: z.number().nullable(),
  /** Values of one token's keys in one layer, and as many of its values; null where it is not told, or differs by layer. */
  keyValueWidth: z.number().nullable(),
  /** Files that the model was split into; null for one. */
  split: z.number().nullable(),
  /** Bytes that the file is shorter than its header says. */
  missingBytes: z.number(),
})
export type GgufFacts = z.output<typeof GgufFacts>

export const GgufRead = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), facts: GgufFacts }),
  z.object({ ok: z.literal(false), reason: z.string() }),
])
export type GgufRead = z.output<typeof GgufRead>
