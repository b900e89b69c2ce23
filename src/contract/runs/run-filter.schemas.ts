import { z } from 'zod'
import { Tag } from '../annotations/annotations.schemas.ts'
import { folderQuery } from '../items/items.schemas.ts'
import { named, Timestamp, Uuid } from '../primitives.ts'
import { runMachine } from './run.machine.ts'

/** What narrows the list of runs. */
export const runFilter = {
  ...folderQuery,
  status: z.enum(runMachine.states).optional(),
  archived: z.enum(['true', 'false', 'any']).default('false'),
  tag: Tag.optional().describe('Only runs with this tag.'),
  bookmarked: z.enum(['true', 'false']).optional(),
  pinned: z.enum(['true', 'false']).optional().describe('Whether it is pinned as a baseline.'),
  has_result: z.enum(['true', 'false']).optional(),
  model: z.string().max(500).optional().describe('Only runs of this model, as in the entries of the leaderboard.'),
  benchmark: z.string().max(200).optional().describe('Only runs over a profile of this benchmark, by its slug.'),
  by: Uuid.optional().describe('Only runs that this person, or this API key, has started.'),
  created_from: Timestamp.optional().describe('Only runs created at this time or later.'),
  created_before: Timestamp.optional().describe('Only runs created before this time.'),
  q: z.string().max(200).default('').describe('Words, "phrases" and -exclusions in any order, in a name, model or benchmark.'),
}

export const RunFilter = named('RunFilter', runFilter)
export type RunFilter = z.infer<typeof RunFilter>
