import { z } from 'zod'
import { MicroUsd, Name, named, Timestamp, Uuid } from '../primitives.ts'
import { scopes } from '../scopes.ts'

const workerLabels = z
  .array(z.string().regex(/^(?:model\.\*|[a-z0-9][a-z0-9.-]{0,79})$/, 'must be a label, or `model.*` for the calls of every connection'))
  .max(50)

/** At most a billion dollars, so that no sum of limits leaves the whole numbers that every part of the service can hold. */
export const SpendCeiling = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, 'must be whole micro-USD as a decimal string of at most 15 digits, e.g. "1000000" for one US dollar')
  .nullable()
  .describe('Lifetime spending limit of the key on the wallet, in micro-USD; null: no limit.')
  .meta({ example: '5000000' })

export const ProviderCeiling = SpendCeiling.describe(
  'Lifetime limit of provider billing through connections, in micro-USD; null: no limit. With a limit, connections without stated rates are refused, because their cost cannot be bounded.',
)

export const ApiKey = named('ApiKey', {
  id: Uuid,
  name: Name,
  prefix: z.string().describe('First characters of the key, to identify it.'),
  scopes: z.array(z.enum(scopes)).describe('Granted scopes. In addition, every key can send and read feedback.'),
  status: z
    .enum(['active', 'expired', 'replaced', 'revoked'])
    .describe('`replaced`: the key was rolled and its overlap has ended. Only an `active` key is accepted.'),
  worker_labels: workerLabels
    .nullable()
    .describe('Labels that an owner granted to workers that join with the key; null: any, for keys made before labels were granted.'),
  ceiling_microusd: SpendCeiling,
  spent_microusd: MicroUsd.describe(
    'Charged to the wallet through this key and the keys it was rolled from or into: they share one spending limit.',
  ),
  held_microusd: MicroUsd.describe('Held for unfinished runs of the same keys.'),
  provider_ceiling_microusd: ProviderCeiling,
  provider_spent_microusd: MicroUsd.describe('Billed by providers for runs of the same keys, at the rates stated by their connections.'),
  provider_held_microusd: MicroUsd.describe('Upper bound of what providers can still bill for unfinished runs of the same keys.'),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  stops_at: Timestamp.nullable().describe('End of the overlap of a key that was rolled; never later than its expiry.'),
  revoked_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable().describe('Rounded to the minute.'),
  replaces: Uuid.nullable().describe('The key that was rolled into this one.'),
  replaced_by: Uuid.nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe('The secret key. Returned only once; only its hash is stored.'),
}).meta({ id: 'CreatedApiKey' })
export type CreatedApiKey = z.infer<typeof CreatedApiKey>

export const NewApiKeyBody = named('NewApiKeyBody', {
  name: Name,
  scopes: z.array(z.enum(scopes)).min(1).max(scopes.length).describe('A key cannot grant scopes that it does not have.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe('Must be in the future; null: never expires. A key cannot create one that outlives it.'),
  ceiling_microusd: SpendCeiling.optional().describe(
    'Owner and admin sessions only. Keys created by a key with a spending limit start with a limit of 0 until an owner raises it.',
  ),
  provider_ceiling_microusd: ProviderCeiling.optional().describe('As `ceiling_microusd`, for what providers bill for connections.'),
  worker_labels: workerLabels
    .default([])
    .describe(
      'What workers that join with the key may take: `code`, `model.<connection id>`, or `model.*` for every connection. Only an owner session grants labels, and a key those that it has.',
    ),
})
export type NewApiKeyBody = z.infer<typeof NewApiKeyBody>

export const KeyCeilingBody = z
  .strictObject({
    ceiling_microusd: SpendCeiling.optional(),
    provider_ceiling_microusd: ProviderCeiling.optional(),
    worker_labels: workerLabels.optional().describe('Replaces what workers of this key may take. Owner sessions only.'),
  })
  .refine(body => Object.values(body).some(value => value !== undefined), 'state at least one spending limit, or worker_labels')
  .meta({ id: 'KeyCeilingBody' })
export type KeyCeilingBody = z.infer<typeof KeyCeilingBody>

export const RollKeyBody = named('RollKeyBody', {
  overlap: z.enum(['none', '1h', '24h', '7d']).describe('How long the replaced key keeps working, at most until its own expiry.'),
})
export type RollOverlap = z.infer<typeof RollKeyBody>['overlap']
