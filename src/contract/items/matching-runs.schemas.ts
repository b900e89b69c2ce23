import { z } from 'zod'
import { mostTags, Tag } from '../annotations/annotations.schemas.ts'
import { named, Uuid } from '../primitives.ts'
import { RunFilter } from '../runs/run-filter.schemas.ts'
import { Folder } from './items.schemas.ts'

/** Refused runs that a reply names. */
export const mostRefusalsNamed = 20

export const RunsChange = z
  .strictObject({
    run_ids: z.array(Uuid).min(1).max(10_000).optional().describe('These runs, instead of `filter`.'),
    filter: RunFilter.optional().describe('Every run that `listRuns` lists with these fields.'),
    expected: z.int().min(0).optional().describe('Number of runs that `filter` matched when it was last looked at.'),
    archived: z.boolean().optional(),
    folder: Folder.nullable().optional().describe('Null takes the runs out of their folder.'),
    add_tags: z.array(Tag).max(mostTags).optional(),
    remove_tags: z.array(Tag).max(mostTags).optional(),
    delete: z.literal(true).optional().describe('Deletes the runs permanently. Only alone.'),
    dry_run: z.boolean().default(false).describe('Changes nothing: says how many runs match and which would be refused.'),
  })
  .refine(({ run_ids: ids, filter }) => (ids === undefined) !== (filter === undefined), { error: 'Send either `run_ids` or `filter`.' })
  .refine(({ filter, expected, dry_run: dry }) => filter === undefined || dry || expected !== undefined, {
    path: ['expected'],
    error: 'is required with `filter`; send `dry_run` first to read it.',
  })
  .refine(({ run_ids: _, filter: _f, expected: _e, dry_run: dry, ...change }) => dry || Object.values(change).some(v => v !== undefined), {
    error: 'Send a change.',
  })
  .refine(
    ({ delete: deleted, archived, folder, add_tags: added, remove_tags: removed }) =>
      !deleted || [archived, folder, added, removed].every(value => value === undefined),
    { path: ['delete'], error: 'cannot be combined with other changes.' },
  )
  .meta({ id: 'RunsChange' })
export type RunsChange = z.infer<typeof RunsChange>

export const RunRefusal = named('RunRefusal', { run_id: Uuid, name: z.string(), code: z.string(), message: z.string() })

export const RunsChanged = named('RunsChanged', {
  matched: z.int().min(0),
  changed: z.int().min(0).describe('With `dry_run`: how many would be changed.'),
  refused: z.array(RunRefusal).max(mostRefusalsNamed).describe(`The first ${mostRefusalsNamed} that stay as they are.`),
  refused_count: z.int().min(0),
})
export type RunsChanged = z.infer<typeof RunsChanged>
