import { z } from 'zod'
import { BenchmarkStatus, Metric, QuoteAvailability, Runner } from '../catalog/benchmarks.schemas.ts'
import { Message } from '../messages/messages.schemas.ts'
import { named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { PackageManifest } from './manifest.schemas.ts'
import { CreatorName } from './namespaces.schemas.ts'
import { packageMachine } from './package.machine.ts'

/** The automated checks, in the order in which they run. Thresholds: description of each review. */
export const packageChecks = [
  'archive',
  'manifest',
  'signature',
  'tasks',
  'exact_duplicates',
  'near_duplicates',
  'overlap',
  'target_leak',
  'answer_position',
  'trivial_answers',
  'reference',
  'determinism',
  'sandbox',
  'secrets',
  'hidden_characters',
] as const

export const PackageCheck = z.enum(packageChecks)
export type PackageCheck = z.infer<typeof PackageCheck>

export const CheckOutcome = z
  .enum(['pass', 'warn', 'fail', 'not_applicable', 'error'])
  .describe('`error`: the check itself failed and is retried; it never rejects a package.')

export const CheckCounts = z.strictObject({ pass: z.int().min(0), warn: z.int().min(0), fail: z.int().min(0) })

export const Package = named('Package', {
  id: Uuid,
  namespace: CreatorName,
  name: CreatorName,
  version: z.string(),
  title: z.string(),
  status: z.enum(packageMachine.states),
  sha256: Sha256.describe('Digest of the uploaded bytes, or of the canonical JSON if sent as JSON.'),
  bytes: z.int().min(0),
  files: z.array(z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: Sha256 })),
  manifest: PackageManifest.nullable().describe('Null until it is read, or if it is unreadable.'),
  signature: z.enum(['none', 'valid', 'invalid']),
  quarantined: z.boolean().describe('A fault was found after acceptance: its profiles cannot be quoted, and results stay readable.'),
  checks: CheckCounts.describe('Outcomes of the latest run of each check.'),
  profile_ids: z.array(z.string()).describe('Empty until the checks have passed.'),
  tasks: z.int().min(1).nullable().describe('Null until they are read, and where they could not be.'),
  job_id: Uuid.nullable().describe('Job that runs the checks.'),
  uploaded_by: z.string(),
  created_at: Timestamp,
})
export type Package = z.infer<typeof Package>

export const PackageReview = named('PackageReview', {
  id: Uuid,
  kind: z.enum(['automated', 'human']),
  check: z.string().describe('A check of the ruleset; `review` for a person’s.'),
  outcome: z.union([CheckOutcome, z.enum(['approve', 'request_changes', 'reject', 'quarantine'])]),
  figures: z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()])).describe('The numbers behind the outcome.'),
  detail: z.string(),
  task_ids: z.array(z.string()).max(20).describe('The first 20 tasks concerned.'),
  reviewer: z.string().nullable().describe('The person; null for an automated check.'),
  ruleset: z.int().min(1).describe('Version of the automated rules.'),
  at: Timestamp,
})
export type PackageReview = z.infer<typeof PackageReview>

export const NewPackageReview = named('NewPackageReview', {
  outcome: z.enum(['approve', 'request_changes', 'reject']).describe('Anything but `approve` rejects this version; upload a new one.'),
  note: z.string().trim().min(1).max(5000),
})
export type NewPackageReview = z.infer<typeof NewPackageReview>

export const NewQuarantine = named('NewQuarantine', { note: z.string().trim().min(1).max(5000).describe('What is wrong with it.') })

/** Result of a dry run: checks that need no execution. Nothing is stored. */
export const PackageDryRun = named('PackageDryRun', {
  dry_run: z.literal(true),
  manifest: PackageManifest.nullable(),
  checks: z.array(PackageReview.pick({ check: true, outcome: true, figures: true, detail: true, task_ids: true })),
})
export type PackageDryRun = z.infer<typeof PackageDryRun>

/** A task of a package as a profile shows it to a model, for reviewers. Everything in it is text that others wrote. */
export const SampledTask = named('SampledTask', {
  id: z.string(),
  split: z.enum(['test', 'canonical']),
  file: z.string().describe('The package’s file that has it.'),
  line: z.int().min(1).describe('Line of the file on which it begins; of Parquet, the row.'),
  messages: z.array(Message),
  targets: z.array(z.string()).describe('Accepted answers; empty where its scorer judges it by other fields.'),
  reference: z.string().nullable().describe('The reference solution of the package.'),
  reference_result: z
    .strictObject({
      answer: z.string().describe('The reference solution, or the target in the form of an answer.'),
      score: z.number().nullable().describe('By the profile’s primary metric; null where no verdict could be reached.'),
      explanation: z.string(),
    })
    .nullable()
    .describe('What the profile’s scorer makes of the right answer; null where the task has neither a target nor a reference solution.'),
})
export type SampledTask = z.infer<typeof SampledTask>

export const PackageForm = z.strictObject({ dry_run: z.boolean().default(false) })

export const PrivateProfile = named('PrivateProfile', {
  profile_id: z.string().describe('`<namespace>.<name>@<version>:<profile>`; the id that quotes take.'),
  title: z.string(),
  summary: z.string(),
  benchmark_title: z.string(),
  slug: z.string(),
  source_ref: z.string(),
  runner: Runner,
  split: z.enum(['test', 'canonical']),
  task_count: z.int().min(0),
  metrics: z.array(Metric),
  chance_level: z.number().min(0).max(1).nullable(),
  status: BenchmarkStatus,
  package: Package.pick({ id: true, namespace: true, name: true, version: true, status: true }),
  checks: CheckCounts,
  quote_availability: QuoteAvailability,
  created_at: Timestamp,
})
export type PrivateProfile = z.infer<typeof PrivateProfile>
