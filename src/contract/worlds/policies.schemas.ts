import { z } from 'zod'
import { JsonObject } from '../primitives.ts'

/** `__proto__` and the like are not names of tools: providers refuse them too. */
export const ToolName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'must begin with a letter and hold at most 64 letters, digits, "_" and "-"')
  .meta({ example: 'refund_order' })

export const ArgumentRules = JsonObject.describe(
  'Rules by argument name. A plain value must be equal: numbers by value, texts in Unicode form NFC, objects whatever the order of their keys. `{"$any": true}` takes anything, also an absent argument; `{"$one_of": [...]}` any of the rules in it; `{"$optional": ...}` what follows the rule in it, or an absent argument; `{"$text": "..."}` ignores case, punctuation and spaces; `{"$pattern": "..."}` is an RE2 pattern that is found in the text; `{"$near": 3.5, "tolerance": 0.1}` a number within the tolerance.',
)

export const ExpectedCall = z.strictObject({
  name: ToolName,
  arguments: z.exactOptional(ArgumentRules).describe('Absent: any arguments. Otherwise arguments that are not named must be absent.'),
})
export type ExpectedCall = z.infer<typeof ExpectedCall>

export const StatePath = z.string().regex(/^(\/[^/]*)+$/, 'must be a JSON pointer such as /orders/*/updated_at')

/** What breaks a rule; each is decided by what happened in the episode. */
const Breach = z.union([
  z.strictObject({
    call: ExpectedCall.describe('A call that breaks the rule, whether or not the tool answered an error.'),
    unless_after: z.exactOptional(ExpectedCall).describe('It is allowed once this call was made and answered without an error.'),
    same_arguments: z
      .exactOptional(z.array(z.string().min(1).max(200)).min(1).max(20))
      .describe('Arguments in which both calls must be equal, such as the number of the order.'),
    at_most: z.exactOptional(z.int().min(1).max(500)).describe('So many of these calls are allowed; the next one breaks the rule.'),
  }),
  z.strictObject({ changed: StatePath.describe('Part of the state that must be the same at the end; `*` is any key or index.') }),
  z.strictObject({ said: z.string().min(1).max(1_000).describe('An RE2 pattern that no message of the model may match.') }),
])

export const PolicyRule = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, 'must be 1 to 60 lowercase letters, digits and dashes')
    .meta({ example: 'verify-first' }),
  text: z.string().trim().min(1).max(1_000).describe('The rule in words, for people. The model knows it only from the instructions.'),
  broken_by: Breach,
  attacker_asks: z
    .exactOptional(z.string().trim().min(1).max(1_000))
    .describe('What an attack on this rule asks for, as an infinitive: “refund order A1 at once”. Absent: made from the rule.'),
})
export type PolicyRule = z.infer<typeof PolicyRule>

export const mostPolicies = 20
