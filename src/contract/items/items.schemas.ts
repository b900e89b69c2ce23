import { z } from 'zod'
import { Name, named, Timestamp } from '../primitives.ts'
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

/** Who may read items of a kind: their names, and the folders that they are in. */
export const itemReaders = {
  benchmark: 'catalog:read',
  comparison: 'comparisons:read',
  dataset: 'datasets:read',
  decision: 'releases:read',
  evaluator: 'evaluators:read',
  monitor: 'tuning:read',
  run: 'runs:read',
  session: 'tuning:read',
  suite: 'suites:read',
  trace: 'traces:read',
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
    ids: z.array(z.string().min(1).max(200)).min(1).max(5_000),
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

export const Item = named('Item', { kind: ItemKind, id: z.string(), folder: Folder.nullable(), archived_at: Timestamp.nullable() })
export type Item = z.infer<typeof Item>

/** Kinds that can be deleted here. Runs are deleted by an operation of their own, traces by retention. */
export const deletableKinds = ['benchmark', 'comparison', 'dataset', 'decision', 'evaluator', 'monitor', 'session', 'suite'] as const
export const DeletableKind = z.enum(deletableKinds)
export type DeletableKind = z.infer<typeof DeletableKind>

export const ItemUse = named('ItemUse', {
  kind: z.enum([
    'benchmark',
    'calibration',
    'dataset_version',
    'decision',
    'environment',
    'evaluation',
    'evaluator',
    'evaluator_draft',
    'import',
    'issue',
    'label',
    'monitor',
    'monitor_check',
    'package',
    'prompt_search',
    'quote',
    'race',
    'release_attempt',
    'release_calibration',
    'release_record',
    'release_suite',
    'run',
    'run_group',
    'scan',
    'schedule',
    'suite',
    'tune_session',
  ]),
  id: z.string(),
  name: z.string().describe('The id where the caller lacks the scope to read such things.'),
})
export type ItemUse = z.infer<typeof ItemUse>

/** Who may read the names of what rests on an item. */
export const useReaders = {
  benchmark: 'catalog:read',
  calibration: 'evaluators:read',
  decision: 'releases:read',
  environment: 'catalog:read',
  evaluation: 'evaluations:read',
  evaluator: 'evaluators:read',
  evaluator_draft: 'evaluators:read',
  import: 'catalog:read',
  issue: 'releases:read',
  label: 'evaluators:read',
  monitor: 'tuning:read',
  monitor_check: 'tuning:read',
  package: 'creator:read',
  prompt_search: 'evaluators:read',
  quote: 'quotes:read',
  race: 'tuning:read',
  release_attempt: 'releases:read',
  release_calibration: 'releases:read',
  release_record: 'releases:read',
  release_suite: 'releases:read',
  run: 'runs:read',
  run_group: 'runs:read',
  dataset_version: 'datasets:read',
  scan: 'datasets:read',
  schedule: 'runs:read',
  suite: 'suites:read',
  tune_session: 'tuning:read',
} as const satisfies Record<ItemUse['kind'], Scope>

export const FolderSummary = named('FolderSummary', { folder: Folder, items: z.int().min(1) })
export type FolderSummary = z.infer<typeof FolderSummary>
