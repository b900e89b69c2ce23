import { z } from 'zod'
import { BenchmarkStatus } from '../catalog/benchmarks.schemas.ts'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { NewPackage } from './manifest.schemas.ts'
import { CreatorName } from './namespaces.schemas.ts'
import { packageMachine } from './package.machine.ts'
import {
  NewPackageReview,
  NewQuarantine,
  Package,
  PackageCheck,
  PackageDryRun,
  PackageForm,
  PackageReview,
  PrivateProfile,
  SampledTask,
} from './packages.schemas.ts'

const params = z.strictObject({ package_id: Uuid })

export const packagesEndpoints = endpoints('Creator', {
  listPackages: {
    route: 'GET /v1/creator/packages',
    summary: 'List benchmark packages',
    description: 'Packages of every state, newest first.',
    scope: 'creator:read',
    query: z.strictObject({ ...paging(25), namespace: CreatorName.optional(), status: z.enum(packageMachine.states).optional() }),
    response: page(Package),
    errors: ['invalid_cursor'],
  },
  createPackage: {
    route: 'POST /v1/creator/packages',
    summary: 'Upload a benchmark package',
    description:
      'A zip as the one `file` part of a form (at most 256 MiB), or JSON up to 1 MiB. In a zip, a `croissant.json` (1.0 or 1.1) may replace the `splits` and `fields` of the manifest, and a `world` replaces its `profiles`, too. Its checks run as a job. Identical bytes return the existing package; different bytes for a version that was ever accepted are 409. With `dry_run` nothing is stored or run and the dry run’s checks are returned.',
    scope: 'creator:write',
    status: 202,
    kind: 'json_or_upload',
    idempotent: 'stored',
    maxBody: 256 * 1024 * 1024,
    body: NewPackage,
    form: PackageForm,
    response: z.union([Package, PackageDryRun]),
    errors: ['not_found', 'conflict'],
  },
  getPackage: {
    route: 'GET /v1/creator/packages/{package_id}',
    summary: 'Read a package',
    description: 'Its manifest, its checks with their findings, and its signature.',
    scope: 'creator:read',
    params,
    response: Package,
  },
  listPackageReviews: {
    route: 'GET /v1/creator/packages/{package_id}/reviews',
    summary: 'List a package’s automated checks and human reviews',
    description: 'Newest first.',
    scope: 'creator:read',
    params,
    query: z.strictObject(paging(25)),
    response: page(PackageReview),
    errors: ['invalid_cursor'],
  },
  samplePackageTasks: {
    route: 'GET /v1/creator/packages/{package_id}/tasks',
    summary: 'Show tasks of a package as a model sees them',
    description:
      'For reviewers: tasks of a profile’s split with its prompt, and what its scorer makes of the right answer. The same seed gives the same tasks. With `check`, the tasks concerned by that check’s latest outcome instead (the first 20), with file and line, for whoever mends them.',
    scope: 'creator:read',
    params,
    query: z.strictObject({
      count: z.int().min(1).max(20).default(5),
      seed: z.int().min(0).max(1_000_000).default(0),
      profile: z.string().min(1).max(60).optional().describe('Key of a profile; the first when absent.'),
      check: PackageCheck.optional(),
    }),
    response: z.strictObject({
      items: z.array(SampledTask),
      total: z.int().min(0).describe('Tasks of the profile’s split; with `check`, the tasks concerned that were found.'),
    }),
    errors: ['conflict'],
  },
  exportPackage: {
    route: 'GET /v1/creator/packages/{package_id}/export',
    summary: 'Export a package',
    description:
      'The bytes as they were uploaded: a zip, or the canonical JSON of a package that was sent as JSON. Uploaded elsewhere they give the same digests, authors and signature.',
    scope: 'creator:read',
    kind: 'file',
    files: ['application/zip', 'application/json'],
    params,
  },
  createPackageReview: {
    route: 'POST /v1/creator/packages/{package_id}/reviews',
    summary: 'Review a package',
    description: 'By a signed-in person; not the uploader if the workspace has other members. Only while the package is in review.',
    scope: 'creator:write',
    status: 201,
    idempotent: 'stored',
    params,
    body: NewPackageReview,
    response: PackageReview,
    errors: ['human_approval_required', 'conflict', 'illegal_transition'],
  },
  publishPackage: {
    route: 'POST /v1/creator/packages/{package_id}/publish',
    summary: 'Publish an accepted package',
    description: 'Its profiles become `active`. A package in quarantine is 409.',
    scope: 'creator:write',
    params,
    response: Package,
    errors: ['human_approval_required', 'conflict', 'illegal_transition'],
  },
  quarantinePackage: {
    route: 'POST /v1/creator/packages/{package_id}/quarantine',
    summary: 'Quarantine an accepted or published package',
    description:
      'By an owner or admin who found a fault. Its profiles become `quarantined`: no new quotes, open quotes cannot be submitted, and every result stays readable. A passing recheck ends it.',
    scope: 'creator:write',
    params,
    body: NewQuarantine,
    response: Package,
    errors: ['owner_session_required', 'conflict', 'illegal_transition'],
  },
  recheckPackage: {
    route: 'POST /v1/creator/packages/{package_id}/recheck',
    summary: 'Check an accepted or published package again',
    description:
      'By an owner or admin. All checks run as a job by the present rules. When one fails, the profiles become `quarantined`; when none fails, a quarantine ends.',
    scope: 'creator:write',
    status: 202,
    params,
    response: Package,
    errors: ['owner_session_required', 'conflict', 'illegal_transition'],
  },
  withdrawPackage: {
    route: 'POST /v1/creator/packages/{package_id}/withdraw',
    summary: 'Withdraw a package',
    description:
      'Its profiles become `retired`: no new quotes, open quotes cannot be submitted, running runs end, and all results remain readable. Name and version remain reserved.',
    scope: 'creator:write',
    params,
    response: Package,
    errors: ['owner_session_required', 'illegal_transition'],
  },
  listPrivateProfiles: {
    route: 'GET /v1/creator/profiles',
    summary: 'List private profiles',
    description: 'Profiles of packages that this workspace runs before they are reviewed.',
    scope: 'creator:read',
    query: z.strictObject({
      q: z.string().max(120).optional().describe('Words in the title, summary, name or capabilities.'),
      status: BenchmarkStatus.optional(),
      ...paging(25),
    }),
    response: page(PrivateProfile),
    errors: ['invalid_cursor'],
  },
  getPrivateProfile: {
    route: 'GET /v1/creator/profiles/{profile_id}',
    summary: 'Read a private profile',
    description: 'With the package version that it comes from.',
    scope: 'creator:read',
    params: z.strictObject({ profile_id: z.string().min(1).max(200) }),
    response: PrivateProfile,
  },
})
