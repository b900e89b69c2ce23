import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewPackage } from '../../contract/creator/manifest.schemas.ts'
import { packageMachine } from '../../contract/creator/package.machine.ts'
import type { NewPackageReview, Package, PackageDryRun, PackageReview } from '../../contract/creator/packages.schemas.ts'
import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import { packagesEndpoints } from '../../contract/creator/packages.endpoints.ts'
import { reservedName, skeleton } from '../../engine/importing/packages/names.ts'
import { packageJson } from '../../engine/importing/packages/json-package.ts'
import { transition } from '../../storage/transition.ts'
import type { CatalogService } from '../catalog/index.ts'
import { dropHidden, receiveUpload, setVersionStatus } from '../catalog/index.ts'
import { requireRole } from '../auth/index.ts'
import type { UploadPart, WorkspaceContext } from '../http/handler.ts'
import { operatorOf, withIdempotency } from '../http/idempotency.ts'
import { jobOwner, type Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import { findNamespace } from './namespaces.store.ts'
import { createPackageChecks, isAccepted, ruleset } from './package-checks.ts'
import {
  acceptedPackages,
  findPackage,
  hasOtherMember,
  insertPackage,
  listPackages,
  outdatedPackages,
  type PackageRow,
  packagesNamed,
  similarName,
  toPackage,
  updatePackage,
} from './packages.store.ts'
import { packageFile } from './package-file.ts'
import { insertReview, listReviews } from './reviews.store.ts'
import type { ScoringWorkers } from './score-answers.ts'
import { samplePackage, type SampleQuery } from './sample-package.ts'

export type Packages = ReturnType<typeof createPackages>
type Context = Pick<WorkspaceContext, 'workspaceId' | 'workspace' | 'principal' | 'idempotencyKey' | 'markReplayed'>

function unregistered(namespace: string): ApiError {
  return new ApiError(
    'not_found',
    `The namespace "${namespace}" is not registered in this workspace. Register it in Creator, then upload the package again.`,
  )
}

const at = { table: 'creator_packages', column: 'status' } as const

export interface PackagesDependencies {
  readonly catalog: Pick<CatalogService, 'ready' | 'profile'>
  readonly jobs: Jobs
  readonly workers: ScoringWorkers
  readonly media: Pick<Media, 'record'>
}

/** Uploads, checks, reviews, publication and withdrawal of benchmark packages. */
export function createPackages(kernel: Kernel, { catalog, jobs, workers, media }: PackagesDependencies) {
  const { db, ids, clock, config } = kernel
  jobs.register(createPackageChecks(kernel, { workers, media }))

  const rowOf = (workspaceId: string, id: string): PackageRow => requireFound(findPackage(db, workspaceId, id), 'package', id)
  const read = (workspaceId: string, id: string): Package => toPackage(db, rowOf(workspaceId, id))
  const requirePerson = ({ principal }: Pick<Context, 'principal'>, what: string) => {
    if (principal.kind === 'session') return principal
    throw new ApiError('human_approval_required', `A key may not ${what} a package. A signed-in person has to.`)
  }

  const enqueueChecks = (workspaceId: string, owner: Parameters<Jobs['enqueue']>[1]['owner'], id: string): string =>
    jobs.enqueue('package_checks', {
      workspaceId,
      owner,
      input: { package_id: id },
      subject: { type: 'package', id },
    })
  const isBeingChecked = ({ workspace_id: workspaceId, job_id: id }: PackageRow): boolean => {
    const state = id === null ? null : jobs.read(workspaceId, id).state
    return state === 'queued' || state === 'running'
  }
  const humanReview = (reviewer: string, outcome: PackageReview['outcome'], note: string): PackageReview => ({
    id: ids.next(),
    kind: 'human',
    check: 'review',
    outcome,
    figures: {},
    detail: note,
    task_ids: [],
    reviewer,
    ruleset,
    at: timestamp(clock),
  })

  /** Reads the file at a path and stores it as a package, or answers the one that it is already. */
  const take = async (context: Context, path: string, dryRun: boolean, asked: unknown): Promise<Package | PackageDryRun> => {
    const { workspaceId, principal } = context
    const opened = await workers.packages({ kind: 'open', path })
    if (dryRun) {
      const key = opened.ok ? (findNamespace(db, workspaceId, opened.manifest.namespace)?.public_key ?? null) : null
      const { manifest, checks } = await workers.packages({ kind: 'dry_run', path, workspaceId, publicKey: key })
      return {
        dry_run: true,
        manifest,
        checks: checks.map(({ taskIds, figures, ...rest }) => ({ ...rest, figures: { ...figures }, task_ids: [...taskIds] })),
      }
    }
    if (!opened.ok) throw invalidField(['body', 'file'], opened.message)
    const { manifest, sha256, files, content } = opened
    const store = (): string => {
      if (!findNamespace(db, workspaceId, manifest.namespace)) throw unregistered(manifest.namespace)
      const earlier = packagesNamed(db, manifest)
      const same = earlier.find(one => one.sha256 === sha256)
      if (same) return same.id
      if (earlier.some(one => one.ever_accepted === 1 || !packageMachine.terminal.some(state => state === one.status)))
        throw new ApiError(
          'conflict',
          `${manifest.namespace}.${manifest.name} has a version ${manifest.version} with other content, and versions never change. Raise the version.`,
        )
      const similar = similarName(db, manifest.namespace, manifest.name, skeleton(manifest.name))
      if (similar !== null)
        throw new ApiError('conflict', `"${manifest.name}" is too similar to the package "${similar}" of the namespace.`)
      const reserved = reservedName(manifest.name, [])
      if (reserved !== null) throw invalidField(['body', 'manifest', 'name'], `"${manifest.name}" is reserved. Choose another name.`)
      const id = ids.next()
      insertPackage(db, {
        id,
        workspaceId,
        manifest,
        skeleton: skeleton(manifest.name),
        sha256,
        content,
        files: files.map(file => ({ ...file })),
        ruleset,
        uploader: { kind: principal.kind === 'session' ? 'person' : 'key', id: operatorOf(principal), name: principal.name },
        createdAt: timestamp(clock),
      })
      updatePackage(db, id, { job_id: enqueueChecks(workspaceId, jobOwner(principal), id) })
      return id
    }
    if (asked === null || context.idempotencyKey === null) return read(workspaceId, db.transaction(store))
    const operation = {
      principalId: operatorOf(principal),
      operation: `createPackage ${workspaceId}`,
      key: context.idempotencyKey,
      body: [asked, sha256],
    }
    const answer = await withIdempotency(kernel, operation, store)
    if (answer.replayed) context.markReplayed()
    return read(workspaceId, String(JSON.parse(answer.body)))
  }

  const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
    const folder = join(config.dataDir, 'uploads', randomUUID())
    try {
      return await work(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  return {
    /** Checks packages in use again where the rules have changed since. */
    start: () =>
      db.transaction(() => {
        for (const row of outdatedPackages(db, ruleset))
          if (!isBeingChecked(row)) updatePackage(db, row.id, { job_id: enqueueChecks(row.workspace_id, { kind: 'service' }, row.id) })
      }),
    read,
    list: (workspaceId: string, query: Parameters<typeof listPackages>[2]) => listPackages(db, workspaceId, query),
    reviews: (workspaceId: string, id: string, query: Parameters<typeof listReviews>[2]) =>
      listReviews(db, rowOf(workspaceId, id).id, query),
    sample: (workspaceId: string, id: string, query: SampleQuery) => {
      const row = rowOf(workspaceId, id)
      if (row.task_count === 0)
        throw new ApiError('conflict', 'The tasks of this package could not be read, or are being read. See its checks.')
      return samplePackage(db, workers, row, query)
    },
    exported: (workspaceId: string, id: string) => packageFile(db, rowOf(workspaceId, id)),
    createFromJson: (context: Context, { manifest, tasks, assets, dry_run }: NewPackage) =>
      inFolder(async folder => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const path = join(folder, '0')
        await writeFile(path, packageJson({ manifest, tasks, assets }), { mode: 0o600 })
        return take(context, path, dry_run, null)
      }),
    createFromForm: (context: Context, parts: AsyncIterable<UploadPart>) =>
      inFolder(async folder => {
        const { fields, files } = await receiveUpload(parts, folder, packagesEndpoints.createPackage.maxBody)
        const { dry_run = 'false', ...others } = fields
        const [other] = Object.keys(others)
        if (other !== undefined) throw invalidField(['body', other], 'is not part of the form')
        if (dry_run !== 'true' && dry_run !== 'false') throw invalidField(['body', 'dry_run'], 'must be "true" or "false"')
        const [file] = files
        if (!file || files.length > 1)
          throw invalidField(['body', 'file'], `Send one package, a zip or JSON, as "file"; ${files.length} were sent.`)
        return take(context, file.path, dry_run === 'true', { dry_run })
      }),
    review: (context: Context, id: string, { outcome, note }: NewPackageReview): PackageReview => {
      const person = requirePerson(context, 'review')
      return db.transaction(() => {
        const row = rowOf(context.workspaceId, id)
        if (row.uploader_kind === 'person' && row.uploader_id === person.personId && hasOtherMember(db, row.workspace_id, person.personId))
          throw new ApiError('conflict', 'Whoever uploaded a package does not review it while another member of the workspace can.')
        const now = timestamp(clock)
        transition(db, packageMachine, at, id, outcome === 'approve' ? 'approve' : 'reject', now)
        const no = row.benchmark_version_no
        if (outcome === 'approve') updatePackage(db, id, { ever_accepted: 1 })
        if (no !== null && outcome === 'approve') setVersionStatus(db, no, 'candidate')
        if (no !== null && outcome !== 'approve') {
          updatePackage(db, id, { benchmark_version_no: null })
          dropHidden(db, no)
        }
        const review = humanReview(person.name, outcome, note)
        insertReview(db, id, review)
        return review
      })
    },
    publish: (context: Context, id: string): Package => {
      const row = rowOf(context.workspaceId, id)
      requirePerson(context, 'publish')
      return db.transaction(() => {
        if (row.quarantined === 1)
          throw new ApiError('illegal_transition', 'The package is in quarantine. Check it again before it is published.')
        transition(db, packageMachine, at, id, 'publish', timestamp(clock))
        if (row.benchmark_version_no !== null) setVersionStatus(db, row.benchmark_version_no, 'active')
        return read(context.workspaceId, id)
      })
    },
    quarantine: ({ workspaceId, workspace, principal }: Context, id: string, note: string): Package => {
      requireRole(principal, workspace, ['owner', 'admin'], 'put a package in quarantine')
      return db.transaction(() => {
        const row = rowOf(workspaceId, id)
        if (!isAccepted(row) || row.benchmark_version_no === null || row.quarantined === 1)
          throw new ApiError(
            'illegal_transition',
            `Only an accepted or published package can be put in quarantine; this one is ${row.quarantined ? 'in quarantine already' : row.status.replace('_', ' ')}.`,
          )
        updatePackage(db, id, { quarantined: 1 })
        setVersionStatus(db, row.benchmark_version_no, 'quarantined')
        insertReview(db, id, humanReview(principal.name, 'quarantine', note))
        return read(workspaceId, id)
      })
    },
    recheck: ({ workspaceId, workspace, principal }: Context, id: string): Package => {
      requireRole(principal, workspace, ['owner', 'admin'], 'have a package checked again')
      return db.transaction(() => {
        const row = rowOf(workspaceId, id)
        if (!isAccepted(row))
          throw new ApiError(
            'illegal_transition',
            `Only an accepted or published package is checked again; this one is ${row.status.replace('_', ' ')}.`,
          )
        if (isBeingChecked(row))
          throw new ApiError('illegal_transition', 'The package is being checked already. Wait until its checks have ended.')
        updatePackage(db, id, { job_id: enqueueChecks(workspaceId, jobOwner(principal), id) })
        return read(workspaceId, id)
      })
    },
    withdraw: ({ workspaceId, workspace, principal }: Context, id: string): Package => {
      const row = rowOf(workspaceId, id)
      const isUploader = row.uploader_id === operatorOf(principal)
      if (!isUploader && workspace.role !== 'owner' && workspace.role !== 'admin')
        throw new ApiError('owner_session_required', 'Only its uploader or a signed-in owner or admin may withdraw a package.')
      return db.transaction(() => {
        const { from } = transition(db, packageMachine, at, id, 'withdraw', timestamp(clock))
        const no = row.benchmark_version_no
        if (no !== null && from === 'in_review') {
          updatePackage(db, id, { benchmark_version_no: null })
          dropHidden(db, no)
        } else if (no !== null) setVersionStatus(db, no, 'retired')
        return read(workspaceId, id)
      })
    },
    acceptedPackages: (workspaceId: string) => acceptedPackages(db, workspaceId).map(row => toPackage(db, row)),
    catalog,
  }
}
