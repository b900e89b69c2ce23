import { z } from 'zod'
import { named, Timestamp, Uuid } from '../primitives.ts'
import type { Scope } from '../scopes.ts'
import { RunPause } from '../runs/runs.schemas.ts'
import { jobMachine } from './job.machine.ts'

/** Every kind of background work; the service has one handler for each. */
export const jobKinds = [
  'answer_import',
  'answer_import_media',
  'backup',
  'calibration',
  'evaluator_draft',
  'backup_check',
  'catalog_import',
  'catalog_import_download',
  'catalog_import_media',
  'catalog_import_preview',
  'database_examination',
  'database_restore',
  'dataset_import',
  'dataset_import_preview',
  'dataset_scan',
  'demo',
  'media_cleanup',
  'model_identity',
  'package_checks',
  'regrade',
  'release_analysis',
  'release_step',
  'run_deletion',
  'run_export',
  'runtime_install',
  'storage_compaction',
  'trace_backfill',
  'tune_auto',
  'tune_search',
  'tune_race',
  'tune_occurrence',
  'world_draft',
] as const

/** The scope of the operations that start a job of the kind; who may start one may read it. */
export const startScopes: Readonly<Record<(typeof jobKinds)[number], Scope>> = {
  answer_import: 'runs:write',
  answer_import_media: 'runs:write',
  backup: 'workspace:write',
  calibration: 'evaluators:write',
  evaluator_draft: 'evaluators:write',
  backup_check: 'workspace:write',
  catalog_import: 'catalog:write',
  catalog_import_download: 'catalog:write',
  catalog_import_media: 'catalog:write',
  catalog_import_preview: 'catalog:write',
  database_examination: 'workspace:write',
  database_restore: 'workspace:write',
  dataset_import: 'datasets:write',
  dataset_import_preview: 'datasets:write',
  dataset_scan: 'datasets:write',
  demo: 'workspace:write',
  media_cleanup: 'workspace:write',
  model_identity: 'models:write',
  package_checks: 'creator:write',
  regrade: 'runs:write',
  release_analysis: 'releases:write',
  release_step: 'releases:write',
  run_deletion: 'runs:write',
  run_export: 'runs:read',
  runtime_install: 'models:write',
  storage_compaction: 'workspace:write',
  trace_backfill: 'traces:write',
  tune_auto: 'tuning:write',
  tune_search: 'tuning:write',
  tune_race: 'tuning:write',
  tune_occurrence: 'tuning:write',
  world_draft: 'catalog:write',
}

export const JobKind = z.enum(jobKinds).meta({ id: 'JobKind' })
export type JobKind = z.infer<typeof JobKind>

/** Why a job ended that somebody cancelled. */
export const jobCancelled = 'The job was cancelled.'

export const JobState = z.enum(jobMachine.states).meta({ id: 'JobState' })
export type JobState = z.infer<typeof JobState>

/** Who started a job and is charged for it. */
export const JobOwner = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('person'), id: Uuid }),
    z.strictObject({ kind: z.literal('api_key'), id: Uuid }),
    z.strictObject({ kind: z.literal('service') }),
  ])
  .meta({ id: 'JobOwner' })
export type JobOwner = z.infer<typeof JobOwner>

export const JobProgress = named('JobProgress', {
  done: z.number().nonnegative(),
  total: z.number().nonnegative().nullable().describe('In the unit of `done`; null while unknown.'),
  message: z.string().max(500).nullable(),
})
export type JobProgress = z.infer<typeof JobProgress>

export const Job = named('Job', {
  id: Uuid,
  kind: JobKind,
  state: JobState,
  workspace_id: Uuid.nullable().describe('Null for machine-wide work, such as backups.'),
  subject: z
    .strictObject({ type: z.string(), id: z.string() })
    .nullable()
    .describe('Record that the job works on; its `job_id` is the job’s id.'),
  owner: JobOwner,
  evaluator_version_id: Uuid.nullable().describe(
    'Evaluator version that a regrade adds; null for other jobs and for a regrade by the run’s own scorers.',
  ),
  pause: RunPause.nullable().describe('What the job waits for at an endpoint that takes no calls for now; null while it works.'),
  progress: JobProgress.nullable().describe('Null until the job reports any.'),
  quiet_since: Timestamp.nullable().describe(
    'Since when a running job has got no further, from five minutes on; null while it does, waits at an endpoint or does not run.',
  ),
  attempt: z.int().nonnegative().describe('Starts since the job was created or last retried; 0 before the first.'),
  retryable: z.boolean().describe('Whether the job ended without success and can be retried.'),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable().describe('Why the job failed or was cancelled.'),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
})
export type Job = z.infer<typeof Job>
