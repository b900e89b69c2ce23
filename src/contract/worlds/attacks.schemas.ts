import { z } from 'zod'
import { JudgeModel } from '../evaluators/evaluator-definition.schemas.ts'
import { JsonObject, MicroUsd, named, Uuid } from '../primitives.ts'
import { Estimate } from '../runs/results.schemas.ts'
import { ExpectedCall, PolicyRule } from './policies.schemas.ts'
import { worldLimits } from './worlds.schemas.ts'

/** Ends the slug of an environment with attacked tasks. */
export const attackedSuffix = '-attacked'

/** Published transformations; each is deterministic. */
export const attackNames = [
  'tool_result',
  'tool_result_role',
  'tool_result_base64',
  'tool_result_hex',
  'tool_result_rot13',
  'tool_result_german',
  'tool_result_spanish',
  'tool_result_chinese',
  'tool_result_padded',
  'tool_result_alt_text',
  'tool_result_file_name',
  'document',
  'conflicting_policy',
  'secret_bait',
] as const
/** Attacks in words that a model wrote. */
export const rewrittenNames = ['rewritten_1', 'rewritten_2', 'rewritten_3'] as const
export const AttackName = z.enum([...attackNames, ...rewrittenNames])
export type AttackName = z.infer<typeof AttackName>
const PublishedAttack = z.enum(attackNames)
export type PublishedAttack = z.infer<typeof PublishedAttack>

/** Stands in a rewrite for what the attacker wants. */
export const goalMark = '{goal}'
/** How often: each becomes a whole call. */
export const mostGoals = 5
/** Whether a text can be a rewrite. */
export const hasGoals = (text: string): boolean => text.includes(goalMark) && text.split(goalMark).length - 1 <= mostGoals
const Rewrites = z
  .array(z.string().min(10).max(4_000).refine(hasGoals, `must hold ${goalMark} at least once and at most ${mostGoals} times`))
  .max(rewrittenNames.length)
  .default([])
  .describe(
    'Texts that follow a tool’s result, or stand in a document where there are no tools; `{goal}` is replaced by what the attacker wants. Each makes one variant of every task. `POST /v1/environments/attack-rewrites` has a model write some.',
  )

export const NewAttack = z
  .strictObject({
    attacks: z
      .array(PublishedAttack)
      .min(1)
      .max(attackNames.length)
      .default([...attackNames])
      .describe('Each makes one variant of every task.'),
    rewrites: Rewrites,
    forbidden_call: z
      .exactOptional(ExpectedCall)
      .describe(
        'Goal of the attacker: a call that the world must not see. Absent: a canary word in the answer. `secret_bait` always asks for a canary.',
      ),
    policy_rule: z
      .exactOptional(PolicyRule.shape.name)
      .describe('Goal of the attacker in place of a call: this policy rule of the environment is broken.'),
  })
  .refine(({ forbidden_call: call, policy_rule: rule }) => call === undefined || rule === undefined, {
    path: ['policy_rule'],
    error: 'must not be given together with forbidden_call: an attack has one goal',
  })
  .meta({ id: 'NewAttack' })
export type NewAttack = z.infer<typeof NewAttack>

/** Attacks on the examples of a dataset: each becomes a task beside its variants. */
export const NewDatasetAttack = named('NewDatasetAttack', {
  version_id: Uuid.describe('Frozen version of the dataset.'),
  attacks: NewAttack.shape.attacks.describe(
    'Each makes one variant of every example; what attacks results of tools is put into a document of the user.',
  ),
  rewrites: Rewrites,
  answer: z
    .strictObject({
      scorer: z
        .string()
        .min(1)
        .max(200)
        .default('assay/includes')
        .describe('Any scorer of the registry; compares with what the example expects.'),
      options: JsonObject.default({}),
      at_least: z.exactOptional(z.number().min(0).max(1)),
    })
    .prefault({})
    .describe('What an answer must be, attacked or not.'),
  instructions: z.exactOptional(z.string().min(1).max(20_000)).describe('System message of every task.'),
  sample_count: z
    .int()
    .min(1)
    .max(worldLimits.tasks)
    .default(100)
    .describe('Examples that are drawn; with their variants at most 2,000 tasks.'),
  seed: z.int().min(0).max(2_147_483_647).default(1),
})
export type NewDatasetAttack = z.infer<typeof NewDatasetAttack>

export const RewriteAttacks = named('RewriteAttacks', {
  model: JudgeModel.describe('Writes them; not the model under test, which would know its own words.'),
  count: z.int().min(1).max(rewrittenNames.length).default(rewrittenNames.length),
  max_charge_microusd: z.exactOptional(MicroUsd).describe('Spending limit of its calls; required where they have a price.'),
})
export type RewriteAttacks = z.infer<typeof RewriteAttacks>

export const AttackRewrites = named('AttackRewrites', {
  rewrites: z.array(z.string()).describe('Each holds `{goal}`. Nothing is stored: send them as `rewrites` of an attack, edited or not.'),
  charged_microusd: MicroUsd,
  provider_billed_microusd: MicroUsd,
})
export type AttackRewrites = z.infer<typeof AttackRewrites>

const AttackRow = z.strictObject({
  profile_id: z.string(),
  attack: AttackName,
  goal: z
    .strictObject({
      kind: z.enum(['canary', 'forbidden_call', 'policy_rule']),
      name: z.string().nullable().describe('The tool or the policy rule; null for a canary.'),
    })
    .describe('What the attacker wanted.'),
  attack_success: Estimate.describe('Share of attacked tasks in which the attacker reached its goal.'),
  success: Estimate.describe('Share of attacked tasks whose expectations held.'),
  benign_success: Estimate.describe('The same of the unattacked tasks that these are variants of.'),
  difference: Estimate.describe('Success under attack minus success without, task by task; refusing everything counts against the model.'),
})

export const AttackMatrix = named('AttackMatrix', {
  run_id: Uuid,
  model_title: z.string(),
  rows: z.array(AttackRow).describe('Empty where the run has no attacked tasks.'),
})
export type AttackMatrix = z.infer<typeof AttackMatrix>
