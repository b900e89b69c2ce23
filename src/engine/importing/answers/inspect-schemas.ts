import { z } from 'zod'

const Scorers = z.array(
  z.looseObject({ name: z.string(), options: z.record(z.string(), z.unknown()).nullish(), metrics: z.unknown().optional() }),
)
const Settings = z.record(z.string(), z.unknown()).nullish().catch(null)
const Metrics = z.record(
  z.string(),
  z.looseObject({ name: z.string().nullish(), value: z.number().nullish().catch(null), group: z.string().nullish() }).catch({}),
)
export const Header = z.looseObject({
  status: z.string().nullish().catch(null),
  invalidated: z.boolean().nullish().catch(null),
  eval: z.looseObject({
    packages: z.looseObject({ inspect_ai: z.string() }).nullish().catch(null),
    task: z.string(),
    model: z.string(),
    scorers: Scorers.nullish(),
    metadata: z.unknown().optional(),
    model_generate_config: Settings,
    dataset: z
      .looseObject({
        samples: z.int().nullish().catch(null),
        sample_ids: z
          .array(z.union([z.string(), z.number()]))
          .nullish()
          .catch(null),
      })
      .nullish()
      .catch(null),
    config: z
      .looseObject({ epochs: z.int().nullish().catch(null) })
      .nullish()
      .catch(null),
  }),
  plan: z
    .looseObject({ steps: z.array(z.looseObject({ solver: z.string() })).nullish(), config: Settings })
    .nullish()
    .catch(null),
  results: z
    .looseObject({
      total_samples: z.int().nullish().catch(null),
      scores: z
        .array(
          z.looseObject({
            name: z.string(),
            scorer: z.string().nullish(),
            reducer: z.string().nullish().catch(null),
            params: z.record(z.string(), z.unknown()).nullish(),
            metrics: Metrics.nullish().catch(null),
          }),
        )
        .nullish(),
    })
    .nullish(),
})
export type Header = z.infer<typeof Header>
const Part = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  reasoning: z.string().nullish(),
  redacted: z.boolean().nullish(),
})
const Content = z.union([z.string(), z.array(Part)])
const Score = z.looseObject({
  value: z.unknown(),
  explanation: z.string().nullish().catch(null),
  /** Absent unless the score was edited after the run. */
  history: z.array(z.unknown()).nullish().catch(null),
})
/** Without scorers that gave none. */
const Scores = z
  .record(z.string(), Score.nullable())
  .transform(scores =>
    Object.fromEntries(Object.entries(scores).filter((entry): entry is [string, z.infer<typeof Score>] => entry[1] !== null)),
  )
/** Inspect writes texts; logs that other programs write hold numbers and booleans too. */
const TargetText = z.union([z.string(), z.number().transform(String), z.boolean().transform(value => (value ? 'True' : 'False'))])
export const Sample = z.looseObject({
  id: z.union([z.string(), z.number()]),
  epoch: z
    .int()
    .min(1)
    .nullish()
    .transform(epoch => epoch ?? 1),
  input: z.unknown(),
  messages: z.array(z.unknown()).nullish().catch(null),
  choices: z.array(z.string()).nullish(),
  target: z.union([TargetText, z.array(TargetText)]).default(''),
  output: z
    .looseObject({
      choices: z
        .array(z.looseObject({ message: z.looseObject({ content: Content.nullish() }), stop_reason: z.string().nullish().catch(null) }))
        .nullish(),
      usage: z.looseObject({ input_tokens: z.number().nullish(), output_tokens: z.number().nullish() }).nullish(),
      time: z.number().nullish(),
    })
    .nullish(),
  scores: Scores.nullish(),
  score: Score.nullish(),
  limit: z.looseObject({ type: z.string() }).nullish().catch(null),
  invalidation: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
  attachments: z.record(z.string(), z.string()).nullish(),
})
export type Sample = z.infer<typeof Sample>
