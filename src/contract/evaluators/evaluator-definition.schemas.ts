import { z } from 'zod'
import { Effort } from '../catalog/models.schemas.ts'
import { named, Uuid } from '../primitives.ts'
import { ModelChoice } from '../quotes/quotes.schemas.ts'

/** Max nesting depth of composite evaluators. */
export const deepestComposite = 4
/** Evaluator versions that a composite may consist of, those of its parts included, each counted once. */
export const mostEvaluators = 64

const MenuValue = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^\P{Cc}*$/u, 'must be one line without control characters')

export const MenuEntry = z.strictObject({
  value: MenuValue.describe('What the judge writes after `VERDICT:`; a number in the mode `score`.'),
  meaning: z.string().max(2000).default('').describe('Included in the judge prompt.'),
  passes: z
    .boolean()
    .optional()
    .describe('Whether this verdict is a pass. If no entry is marked, the first one passes. Ignored in the modes `pairwise` and `score`.'),
})

export const Criterion = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,60}$/, 'must be lower-case letters, digits, - or _'),
  text: z.string().trim().min(1).max(4000).describe('One thing that an output does or does not do.'),
  points: z
    .number()
    .min(-1000)
    .max(1000)
    .refine(points => points !== 0, 'must not be 0')
    .describe('Negative for undesired properties.'),
  required: z.boolean().default(false).describe('An output that does not meet it scores 0.'),
})

export const swapRules = ['tie', 'consistent', 'average', 'judgebench'] as const

export const JudgeModel = named('JudgeModel', {
  model: ModelChoice,
  effort: Effort.nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(0).describe('Null sends none; the provider’s default applies.'),
})

const targetFrom = z
  .union([z.enum(['expected', 'label']), z.strictObject({ metadata: z.string().min(1).max(200) })])
  .default('expected')
  .describe('Reference for the output.')

export const DeterministicDefinition = z.strictObject({
  kind: z.literal('deterministic'),
  scorer: z.string().min(1).max(200).describe('A scorer of the registry, e.g. `assay/exact_match`.'),
  options: z.record(z.string(), z.unknown()).default({}),
  target_from: targetFrom,
})

export const similarityMeasures = ['cosine', 'dot', 'euclidean'] as const

export const EmbeddingDefinition = z.strictObject({
  kind: z.literal('embedding'),
  connection_id: Uuid.describe('A connection with the protocol `openai_embeddings`. Each output takes one call, with its references.'),
  measure: z.enum(similarityMeasures).default('cosine'),
  threshold: z
    .number()
    .min(-1_000_000)
    .max(1_000_000)
    .default(0.75)
    .describe('An output passes from this similarity on; by `euclidean`, up to this distance. With several references, one is enough.'),
  negated: z.boolean().default(false).describe('Passes where the output is similar to no reference.'),
  target_from: targetFrom.describe(
    'Reference for the output. Tests of promptfoo with `similar` assertions are graded by these, with their own values, measures and thresholds.',
  ),
})

const judgeFields = {
  kind: z.literal('model_graded'),
  judges: z.array(JudgeModel).min(1).max(5),
  mode: z.enum(['rubric', 'classification', 'pairwise', 'score']),
  instructions: z.string().trim().min(1).max(20_000),
  criteria: z.array(Criterion).max(50).default([]).describe('Of the mode `rubric`; each is one question per vote.'),
  menu: z
    .array(MenuEntry)
    .max(30)
    .default([])
    .describe('The allowed verdicts. Default in the mode `pairwise`: a, b, tie; in the mode `rubric`: met, not met.'),
  template: z
    .string()
    .max(20_000)
    .optional()
    .describe(
      'Layout of the graded material: `{input}`, `{output}`, `{output_a}`, `{output_b}` and `{reference}` are replaced by fenced text.',
    ),
  reference: z
    .enum(['expected', 'if_given', 'none'])
    .default('none')
    .describe(
      'Whether the judge is shown the expected answer. `expected`: outputs without one are unscored; `if_given`: they are judged without it.',
    ),
  skip_without_reference: z
    .literal(true)
    .optional()
    .describe('With `reference: expected`: an output of which nothing is expected passes without a call.'),
  turns: z
    .union([z.literal('each'), z.int().min(1).max(33)])
    .optional()
    .describe(
      'Of a conversation with scripted turns: grades the answer to this turn, or `each` answer and takes their mean. Default: the last answer. With `reference: expected`, `each` grades the turns that have a reference answer.',
    ),
  votes: z.int().min(1).max(9).default(1).describe('Questions to each judge.'),
  combine: z.enum(['majority', 'mean', 'unanimous']).default('majority'),
  swap: z.boolean().optional().describe('Judges both orders. Defaults to true in the mode `pairwise`; no effect in others.'),
  swap_rule: z
    .enum(swapRules)
    .optional()
    .describe(
      'What the verdicts of both orders come to. `tie` (default): a tie where they disagree, or unscored if the menu has none. `consistent`: unscored where they disagree. `average`: the mean of both. `judgebench`: a verdict for one output, unless the other order gives its opposite.',
    ),
  explanation: z
    .enum(['before', 'after', 'none'])
    .default('before')
    .describe('Whether the judge gives reasons before or after its verdict.'),
}

export const JudgeDefinition = z.strictObject(judgeFields).superRefine((judge, context) => {
  const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  const values = judge.menu.map(entry => entry.value.toLowerCase())
  if (new Set(values).size !== values.length) refuse('menu', 'names a verdict twice')
  if (judge.mode === 'rubric') {
    if (judge.criteria.length === 0) refuse('criteria', 'a rubric needs at least one criterion')
    if (new Set(judge.criteria.map(({ id }) => id)).size !== judge.criteria.length) refuse('criteria', 'names a criterion twice')
    if (judge.criteria.every(({ points }) => points < 0)) refuse('criteria', 'at least one criterion needs positive points')
    if (judge.menu.length !== 0 && judge.menu.length !== 2)
      refuse('menu', 'a rubric has two verdicts: the first for met, the second for not met')
  } else if (judge.criteria.length > 0) refuse('criteria', `only the mode rubric has criteria, not ${judge.mode}`)
  if (judge.mode === 'classification' && judge.menu.length < 2) refuse('menu', 'give at least two verdicts')
  if (judge.mode === 'score') {
    if (judge.menu.length < 2) refuse('menu', 'give at least two numbers')
    const bad = judge.menu.find(({ value }) => !/^-?\d+(\.\d+)?$/.test(value))
    if (bad) refuse('menu', `in the mode score every verdict is a number, not ${JSON.stringify(bad.value)}`)
  }
  if (judge.mode === 'pairwise' && values.length > 0) {
    const odd = values.find(value => !['a', 'b', 'tie'].includes(value))
    if (odd !== undefined || !values.includes('a') || !values.includes('b'))
      refuse('menu', 'pairwise verdicts are a, b and, where allowed, tie')
  }
  if (judge.swap_rule !== undefined && (judge.mode !== 'pairwise' || judge.swap === false))
    refuse('swap_rule', 'only a pairwise judge that is asked in both orders has a rule for them')
  if (judge.turns !== undefined && judge.mode === 'pairwise')
    refuse('turns', 'a pairwise judge compares two outputs, which are the last answers of their conversations')
  if (judge.template !== undefined) {
    const needed = judge.mode === 'pairwise' ? ['{output_a}', '{output_b}'] : ['{output}']
    for (const name of [...needed, ...(judge.reference === 'none' ? [] : ['{reference}'])])
      if (!judge.template.includes(name)) refuse('template', `needs ${name}`)
  }
})

export const RemoteDefinition = z.strictObject({
  kind: z.literal('remote'),
  remote_scorer_id: Uuid,
  options: z.record(z.string(), z.unknown()).default({}).describe('Sent to the scorer as `scorer.config`.'),
})

export const CompositeDefinition = z.strictObject({
  kind: z.literal('composite'),
  operation: z.enum(['all', 'any', 'weighted']),
  parts: z
    .array(z.strictObject({ evaluator_version_id: Uuid, weight: z.number().positive().max(1000).default(1) }))
    .min(1)
    .max(20)
    .describe(
      `Saved evaluator versions; composites nest at most ${deepestComposite} levels deep and hold at most ${mostEvaluators} different versions. A version that occurs several times is evaluated once per output.`,
    ),
  pass_threshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('For `weighted`: mean at or above which an output passes; when absent, the mean is the score.'),
})

export const EvaluatorDefinition = z
  .discriminatedUnion('kind', [DeterministicDefinition, JudgeDefinition, EmbeddingDefinition, RemoteDefinition, CompositeDefinition])
  .meta({ id: 'EvaluatorDefinition' })

export const evaluatorKinds = ['deterministic', 'model_graded', 'embedding', 'remote', 'composite'] as const

export type MenuEntry = z.infer<typeof MenuEntry>
export type Criterion = z.infer<typeof Criterion>
export type JudgeModel = z.infer<typeof JudgeModel>
export type JudgeDefinition = z.infer<typeof JudgeDefinition>
export type DeterministicDefinition = z.infer<typeof DeterministicDefinition>
export type EmbeddingDefinition = z.infer<typeof EmbeddingDefinition>
export type CompositeDefinition = z.infer<typeof CompositeDefinition>
export type EvaluatorDefinition = z.infer<typeof EvaluatorDefinition>
