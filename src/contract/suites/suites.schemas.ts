import { z } from 'zod'
import { Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { Coverage } from '../quotes/quotes.schemas.ts'

/** Max tasks of a suite or evaluation, over all its selections. */
export const mostSelectedTasks = 100_000

/** Exact tasks of one source, as requested. */
export const TaskSelection = named('TaskSelection', {
  source_ref: z
    .string()
    .min(3)
    .max(300)
    .describe('`eval://<provider>/<name>/<version>` or its alias `<name>@<version>`, which is resolved and stored resolved.'),
  split: z.enum(['test', 'canonical']),
  task_ids: z.array(z.string().min(1).max(500)).min(1).max(mostSelectedTasks).describe('Exact ids, including all dependencies.'),
  coverage: Coverage.optional().describe('Not accepted: a selection names its tasks and is never sampled.'),
})

/** Exact tasks of one source, resolved. */
export const ResolvedSelection = named('ResolvedSelection', {
  source_ref: z.string(),
  split: z.enum(['test', 'canonical']),
  version_digest: Sha256.describe('Digest of the source’s version.'),
  task_ids: z.array(z.string()).describe('In the order selected.'),
})

export const SuiteVisibility = z
  .enum(['workspace', 'public'])
  .describe('`public` suites are listed in the catalog for every workspace, so their sources must be available to every workspace.')

export const NewSuite = named('NewSuite', {
  name: Name,
  description: z.string().max(5000).default(''),
  visibility: SuiteVisibility.default('workspace'),
  task_selections: z.array(TaskSelection).min(1).max(100),
  previous_version_id: Uuid.nullable().default(null).describe('Creates the next version of that suite; earlier ones do not change.'),
})

const suiteFields = {
  id: Uuid.describe('Id of this version; used by evaluations.'),
  suite_id: Uuid.describe('Id of the suite across versions: that of the first.'),
  version: z.int().min(1),
  previous_version_id: Uuid.nullable(),
  latest: z.boolean().describe('Whether it is the latest version.'),
  name: Name,
  description: z.string(),
  visibility: SuiteVisibility,
  origin: z.enum(['bundled', 'workspace']),
  tasks: z.int().min(1),
  sources: z
    .array(
      z.strictObject({ source_ref: z.string(), slug: z.string(), title: z.string(), split: z.enum(['test', 'canonical']), tasks: z.int() }),
    )
    .describe('Composition of the suite.'),
  capabilities: z
    .array(z.strictObject({ capability: z.string(), tasks: z.int() }))
    .describe('Most frequent first; a task can have several.'),
  digest: Sha256.describe('Digest of the resolved selections.'),
  created_at: Timestamp,
}

export const SuiteSummary = named('SuiteSummary', suiteFields)

/** One immutable version of a suite. It names tasks only, no model. */
export const Suite = named('Suite', { ...suiteFields, task_selections: z.array(ResolvedSelection) })

export type TaskSelection = z.infer<typeof TaskSelection>
export type ResolvedSelection = z.infer<typeof ResolvedSelection>
export type NewSuite = z.infer<typeof NewSuite>
export type Suite = z.infer<typeof Suite>
export type SuiteSummary = z.infer<typeof SuiteSummary>
