import { z } from 'zod'
import { Name, named, Uuid } from '../primitives.ts'
import { ExecutionSettings } from '../quotes/quotes.schemas.ts'

/** An id, or a name that only one has. */
const Reference = z.string().min(1).max(200)
const Fraction = z.number().min(0).max(1)

const Gates = named('RunGates', {
  fail_under: z
    .record(z.string().min(1).max(100), Fraction)
    .optional()
    .describe(
      'Lowest score in [0, 1] by metric id, or by `primary` for the primary metric of every profile. Passes where the lower bound of the score’s interval reaches it, fails where the upper bound does not, and is inconclusive otherwise.',
    ),
  baseline: Reference.optional().describe('Id or name of the run to compare with, or `latest`: the newest run.'),
  no_regression: z
    .boolean()
    .default(false)
    .describe(
      'Passes where the lower bound of the paired difference from `baseline` is at least −`margin`, fails where the comparison shows a lower score, and is inconclusive otherwise.',
    ),
  margin: Fraction.default(0.05).describe('Accepted drop for `no_regression`, as a fraction: 0.05 is 5 points.'),
  min_tasks: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(20)
    .describe('A gate over fewer tasks (for `no_regression`, common ones) is inconclusive.'),
  fixed_tasks: z
    .boolean()
    .default(false)
    .describe('Judges exactly these tasks, as unit tests are: by scores and differences alone, without intervals and without `min_tasks`.'),
})

/** `assay.yaml`: one evaluation as a file. The same file gives the same quote digest on the same data. */
export const RunConfig = z
  .strictObject({
    version: z.literal(1).describe('Format version of this file.'),
    name: Name.optional().describe('Name of the run. Absent: the model and the benchmarks, e.g. `assay/oracle-75 on gsm8k`.'),
    model: z.string().min(1).max(200).describe('Route id of a managed model (`assay models`), or id or name of a checked connection.'),
    benchmarks: z
      .array(z.string().min(1).max(300))
      .min(1)
      .max(50)
      .optional()
      .describe('Benchmarks: `slug` (its first runnable profile), `slug:profile`, or a full profile id.'),
    suite: Reference.optional().describe('Suite to run exactly, instead of `benchmarks`: id of a version, or name for the newest.'),
    coverage: z
      .union([
        z.literal('full'),
        z.strictObject({
          sample: z.int().min(1).max(1_000_000).describe('Tasks of each profile.'),
          seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1).describe('The same seed selects the same tasks.'),
        }),
      ])
      .default('full')
      .describe('All tasks, or a sample of them. A suite has its own tasks.'),
    execution: ExecutionSettings.omit({ evaluators: true })
      .default(() => ExecutionSettings.omit({ evaluators: true }).parse({}))
      .describe('Overrides of the profiles’ settings.'),
    evaluators: z.array(Uuid).max(10).default([]).describe('Evaluator versions that grade every output as well.'),
    cap_usd: z
      .union([z.number().min(0).max(1_000_000), z.string().regex(/^\d{1,7}(\.\d{1,6})?$/, 'must be US dollars, e.g. "2.50"')])
      .default(0)
      .describe('Spending limit of the run in US dollars; 0 allows free models only.'),
    gates: Gates.default(() => Gates.parse({})).describe(
      'Conditions that `assay run` exits by: 0 where all pass, 100 where one fails, 3 where one is inconclusive.',
    ),
  })
  .superRefine((config, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if ((config.benchmarks === undefined) === (config.suite === undefined)) refuse([], 'needs either "benchmarks" or "suite"')
    if (config.suite !== undefined && config.coverage !== 'full') refuse(['coverage'], 'is not for a suite, which has its own tasks')
    if (config.gates.no_regression && config.gates.baseline === undefined) refuse(['gates', 'no_regression'], 'needs a "baseline"')
  })
  .meta({ id: 'RunConfig' })

export type RunConfig = z.infer<typeof RunConfig>
