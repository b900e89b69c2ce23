import { z } from 'zod'
import { named, Timestamp } from '../primitives.ts'

export const retentionKinds = ['traces', 'jobs', 'deliveries'] as const
export const RetentionKind = z
  .enum(retentionKinds)
  .describe('`jobs` are those that have ended, `deliveries` those of webhooks that have ended; the newest job of each kind is kept.')
export type RetentionKind = z.infer<typeof RetentionKind>

const rule = {
  max_age_days: z
    .int()
    .min(1)
    .max(3_650)
    .nullable()
    .describe('Older ones are removed: traces by their start, the others by their end. Null keeps any age.'),
  max_items: z
    .int()
    .min(1)
    .max(10_000_000)
    .nullable()
    .describe('Only so many of the newest are kept, and those of the same instant. Null keeps any number.'),
}

export const RetentionRule = z.strictObject(rule)
export type RetentionRule = z.infer<typeof RetentionRule>

export const Retention = named('Retention', { kind: RetentionKind, ...rule, items: z.int().min(0), oldest_at: Timestamp.nullable() })
export type Retention = z.infer<typeof Retention>

export const RetentionEvent = named('RetentionEvent', {
  at: Timestamp,
  kind: RetentionKind,
  event: z.enum(['changed', 'removed']),
  by: z.string().nullable().describe('Name of the person or key that changed the rule; null for a removal, which the service makes.'),
  ...rule,
  items: z.int().min(0).describe('Removed ones; 0 for a change.'),
  before: Timestamp.nullable().describe('Those before it were removed; null for a change.'),
})
export type RetentionEvent = z.infer<typeof RetentionEvent>

export const HeldUntil = Timestamp.nullable().describe(
  'Nothing more is removed by age before it, since the clock is more than 7 days ahead of the last removal; null where it is not.',
)

export const RetentionPreview = named('RetentionPreview', {
  items: z.int().min(0).describe('Those that the rule would remove now.'),
  kept: z.int().min(0),
  oldest_kept_at: Timestamp.nullable(),
  held_until: HeldUntil,
})
export type RetentionPreview = z.infer<typeof RetentionPreview>
