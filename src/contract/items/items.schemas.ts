import { z } from 'zod'
import { Name, Timestamp } from '../primitives.ts'
import type { Scope } from '../scopes.ts'

export const itemKinds = [
  'benchmark',
  'comparison',
  'dataset',
  'decision',
  'evaluator',
  'monitor',
  'run',
  'session',
  'suite',
  'trace',
] as const

export const ItemKind = z
  .enum(itemKinds)
  .describe('`benchmark`: by its slug. `evaluator` and `suite`: with every version, by `evaluator_id` and `suite_id`. The others by `id`.')
export type ItemKind = z.infer<typeof ItemKind>

/** Who may change an item of a kind. */
export const itemScopes = {
  benchmark: 'catalog:write',
  comparison: 'comparisons:write',
  dataset: 'datasets:write',
  decision: 'releases:write',
  evaluator: 'evaluators:write',
  monitor: 'tuning:write',
  run: 'runs:write',
  session: 'tuning:write',
  suite: 'suites:write',
  trace: 'traces:write',
} as const satisfies Record<ItemKind, Scope>

/** Kinds that are archived by an operation of their own, which also ends what works on them. */
export const archivedElsewhere: readonly ItemKind[] = ['run', 'dataset', 'monitor']

export const Folder = Name.max(60).meta({ id: 'Folder' })

/** Query fields of a list whose items have folders. */
export const folderQuery = { folder: Folder.optional().describe('Only items in this folder.') }

/** Query fields of a list whose items are archived with `PATCH /v1/items`. */
export const filingQuery = {
  ...folderQuery,
  archived: z.enum(['true', 'false', 'any']).default('false').describe('Archived items are listed with `true` or `any` only.'),
}

export const ItemChanges = z
  .strictObject({
    kind: ItemKind,
    ids: z.array(z.string().min(1).max(200)).min(1).max(500),
    archived: z.boolean().optional().describe('Runs, datasets and monitors are archived by their own operations.'),
    folder: Folder.nullable().optional().describe('Null takes the items out of their folder.'),
  })
  .refine(({ archived, folder }) => archived !== undefined || folder !== undefined, { error: 'Send `archived`, `folder` or both.' })
  .refine(({ kind, archived }) => archived === undefined || !archivedElsewhere.includes(kind), {
    path: ['archived'],
    error: 'Runs, datasets and monitors are archived by their own operations.',
  })
  .meta({ id: 'ItemChanges' })
export type ItemChanges = z.infer<typeof ItemChanges>

export const Item = z
  .strictObject({ kind: ItemKind, id: z.string(), folder: Folder.nullable(), archived_at: Timestamp.nullable() })
  .meta({ id: 'Item' })
export type Item = z.infer<typeof Item>

/** Kinds that can be deleted: records of the others are what later ones rest on, and are archived. */
export const deletableKinds = ['comparison', 'suite'] as const
export const DeletableKind = z.enum(deletableKinds)
export type DeletableKind = z.infer<typeof DeletableKind>

export const ItemUse = z
  .strictObject({ kind: z.enum(['evaluation', 'release_suite', 'run_group']), id: z.string(), name: z.string() })
  .meta({ id: 'ItemUse' })
export type ItemUse = z.infer<typeof ItemUse>

export const FolderSummary = z.strictObject({ folder: Folder, items: z.int().min(1) }).meta({ id: 'FolderSummary' })
export type FolderSummary = z.infer<typeof FolderSummary>
