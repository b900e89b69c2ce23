import { z } from 'zod'
import { MicroUsd, Name, Timestamp, Uuid } from '../primitives.ts'
import { scopes } from '../scopes.ts'

/** At most a billion dollars, so that no sum of ceilings leaves the whole numbers that every part of the service can hold. */
export const SpendCeiling = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, 'must be whole micro-USD as a decimal string of at most 15 digits, e.g. "1000000" for one US dollar')
  .nullable()
  .describe('What the key may charge to the wallet over its whole life, in micro-USD; null: no ceiling of its own.')
  .meta({ example: '5000000' })

export const ProviderCeiling = SpendCeiling.describe(
  'What providers may bill for connections over the key’s whole life, in micro-USD; null: no ceiling. Connections without stated rates are refused under one, because their bill cannot be bounded.',
)

export const ApiKey = z
  .strictObject({
    id: Uuid,
    name: Name,
    prefix: z.string().describe('First characters of the key, for people to recognise it.'),
    scopes: z.array(z.enum(scopes)).describe('As granted. Besides these every key may send and read feedback.'),
    status: z
      .enum(['active', 'expired', 'replaced', 'revoked'])
      .describe('`replaced`: it was rolled and its overlap is over. Only an `active` key is accepted.'),
    ceiling_microusd: SpendCeiling,
    spent_microusd: MicroUsd.describe(
      'Charged to the wallet through this key and the keys it was rolled from or into: they share one ceiling.',
    ),
    held_microusd: MicroUsd.describe('Set aside for runs of the same keys that have not ended.'),
    provider_ceiling_microusd: ProviderCeiling,
    provider_spent_microusd: MicroUsd.describe('Billed by providers for runs of the same keys, by the rates that their connections state.'),
    provider_held_microusd: MicroUsd.describe('What providers can still bill at most for runs of the same keys that have not ended.'),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    stops_at: Timestamp.nullable().describe('End of the overlap of a key that was rolled; never later than its expiry.'),
    revoked_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable().describe('To the minute.'),
    replaces: Uuid.nullable().describe('The key that was rolled into this one.'),
    replaced_by: Uuid.nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe('The key itself, shown in this answer and never again: only its hash is stored.'),
}).meta({ id: 'CreatedApiKey' })
export type CreatedApiKey = z.infer<typeof CreatedApiKey>

export const NewApiKeyBody = z
  .strictObject({
    name: Name,
    scopes: z.array(z.enum(scopes)).min(1).max(scopes.length).describe('A key cannot give scopes that it does not have.'),
    expires_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .default(null)
      .describe('In the future; null: it does not expire. A key cannot make one that outlives it.'),
    ceiling_microusd: SpendCeiling.optional().describe(
      'Owner and admin sessions only. A key that has a ceiling makes keys that may spend nothing until an owner raises theirs.',
    ),
    provider_ceiling_microusd: ProviderCeiling.optional().describe('As `ceiling_microusd`, for what providers bill for connections.'),
  })
  .meta({ id: 'NewApiKeyBody' })
export type NewApiKeyBody = z.infer<typeof NewApiKeyBody>

export const KeyCeilingBody = z
  .strictObject({
    ceiling_microusd: SpendCeiling.optional(),
    provider_ceiling_microusd: ProviderCeiling.optional(),
  })
  .refine(body => Object.values(body).some(value => value !== undefined), 'state at least one ceiling')
  .meta({ id: 'KeyCeilingBody' })
export type KeyCeilingBody = z.infer<typeof KeyCeilingBody>

export const RollKeyBody = z
  .strictObject({
    overlap: z.enum(['none', '1h', '24h', '7d']).describe('How long the replaced key keeps working, at most until its own expiry.'),
  })
  .meta({ id: 'RollKeyBody' })
export type RollOverlap = z.infer<typeof RollKeyBody>['overlap']
