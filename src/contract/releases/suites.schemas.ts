import { z } from 'zod'
import { Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { ResolvedSelection, TaskSelection } from '../suites/suites.schemas.ts'

/** Names a group of a release suite or a rule of a policy. */
export const ReleaseKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9, "-" and "_", and start with a letter or digit')
  .meta({ example: 'grade-school-math' })

const groupFields = {
  key: ReleaseKey.describe('Identifies the group in rules, decisions and evidence.'),
  title: Name,
  weight: z.number().min(0).max(1_000_000).describe('Share of the group in rules on the whole suite, relative to the other groups.'),
  critical: z.boolean().default(false).describe('Whether a task that the baseline passes and the candidate fails can block a release.'),
  profile_id: z
    .string()
    .min(1)
    .max(300)
    .nullable()
    .default(null)
    .describe('Profile to use; null uses the first runnable one of each source.'),
  cluster_by: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('Facet whose equal values make tasks depend on each other, such as a passage; null: tasks are independent.'),
  capabilities: z
    .array(z.string().trim().min(1).max(80))
    .max(50)
    .default([])
    .describe('Capabilities that the group tests, beside those of its tasks.'),
}

export const NewReleaseGroup = named('NewReleaseGroup', {
  ...groupFields,
  selection: z
    .union([
      z.strictObject({ suite_version_id: Uuid.describe('An exact-task suite’s version (`POST /v1/suites`).') }),
      z.strictObject({ task_selections: z.array(TaskSelection).min(1).max(100) }),
      z.strictObject({ run_id: Uuid.describe('A finished run of one profile: the tasks that it ran, by that profile.') }),
    ])
    .describe('Exact tasks; nothing is sampled.'),
})

export const NewReleaseSuite = named('NewReleaseSuite', {
  name: Name,
  description: z.string().max(5000).default(''),
  previous_version_id: Uuid.nullable()
    .default(null)
    .describe('Creates the next version of that release suite; earlier ones do not change.'),
  groups: z.array(NewReleaseGroup).min(1).max(50).describe('Keys differ, no task is in two groups, weights do not add to 0.'),
})

const storedGroup = {
  ...groupFields,
  suite_version_id: Uuid.nullable().describe('The exact-task suite’s version that gave the tasks; null where they were listed.'),
  tasks: z.int().min(1),
}

const suiteFields = {
  id: Uuid.describe('Id of this version; used by decisions, analyses and coverage.'),
  suite_id: Uuid.describe('Id of the suite across versions: that of the first.'),
  version: z.int().min(1),
  previous_version_id: Uuid.nullable(),
  name: Name,
  description: z.string(),
  tasks: z.int().min(1).describe('Tasks over all groups.'),
  digest: Sha256.describe('Digest of groups, weights and resolved tasks.'),
  created_at: Timestamp,
}

export const ReleaseSuiteSummary = named('ReleaseSuiteSummary', { ...suiteFields, groups: z.array(z.strictObject(storedGroup)) })

/** One immutable version of a release suite: groups of exact tasks with weights. */
export const ReleaseSuite = named('ReleaseSuite', {
  ...suiteFields,
  groups: z.array(z.strictObject({ ...storedGroup, task_selections: z.array(ResolvedSelection) })),
})

export type NewReleaseSuite = z.infer<typeof NewReleaseSuite>
export type ReleaseSuite = z.infer<typeof ReleaseSuite>
export type ReleaseSuiteSummary = z.infer<typeof ReleaseSuiteSummary>
