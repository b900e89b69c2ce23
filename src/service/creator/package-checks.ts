import { z } from 'zod'
import { PackageManifest } from '../../contract/creator/manifest.schemas.ts'
import { packageMachine } from '../../contract/creator/package.machine.ts'
import { type PackageCheck, packageChecks } from '../../contract/creator/packages.schemas.ts'
import { Uuid } from '../../contract/primitives.ts'
import { checkResult, type CheckResult } from '../../engine/importing/packages/package-task.ts'
import { stillChecks } from '../../engine/importing/packages/run-check.ts'
import { transition } from '../../storage/transition.ts'
import { createPrivateBenchmark, ownVersionNo, setVersionStatus } from '../catalog/index.ts'
import type { JobContext, JobHandler } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import { answerChecks } from './answer-checks.ts'
import { checkWorld } from './play-world.ts'
import type { ScoringWorkers } from './score-answers.ts'
import { findPackage, type PackageRow, updatePackage } from './packages.store.ts'
import { hasFailedCheck, insertReview } from './reviews.store.ts'
import { checkSandbox } from './sandbox-check.ts'

/** Raised whenever a check could come to another outcome. */
export const ruleset = 2

const Input = z.strictObject({ package_id: Uuid })
type Input = z.infer<typeof Input>
const Checkpoint = z.array(z.enum(packageChecks))

const at = { table: 'creator_packages', column: 'status' } as const

/** Whether people may quote it, apart from a quarantine. */
export function isAccepted({ status }: Pick<PackageRow, 'status'>): boolean {
  return status === 'accepted' || status === 'published'
}

type CheckWorkers = ScoringWorkers

/**
 * Runs the checks of a package one after the other, each stored when it ends. A new package gets its profiles when none failed; an accepted
 * or published one is checked again, which begins or ends its quarantine.
 */
export function createPackageChecks(
  kernel: Pick<Kernel, 'db' | 'clock' | 'ids'>,
  { workers, media }: { readonly workers: CheckWorkers; readonly media: Pick<Media, 'record'> },
): JobHandler<Input> {
  const { db, clock, ids } = kernel
  const store = (packageId: string, result: Omit<CheckResult, 'outcome'> & { readonly outcome: CheckResult['outcome'] | 'error' }) => {
    const { check, outcome, figures, detail, taskIds } = result
    const review = { check, outcome, figures: { ...figures }, detail, task_ids: [...taskIds], reviewer: null }
    insertReview(db, packageId, { id: ids.next(), kind: 'automated', ...review, ruleset, at: timestamp(clock) })
  }
  const packageOf = ({ workspaceId, input }: Pick<JobContext<Input>, 'workspaceId' | 'input'>) => {
    const found = workspaceId === null ? undefined : findPackage(db, workspaceId, input.package_id)
    if (!found) throw new Error('The job checks a package that is not there.')
    return found
  }

  return {
    kind: 'package_checks',
    input: Input,
    lane: 'packages',
    concurrency: 1,
    run: async job => {
      const row = packageOf(job)
      const manifest = PackageManifest.parse(JSON.parse(row.manifest ?? 'null'))
      if (row.status === 'uploaded') job.commit(() => transition(db, packageMachine, at, row.id, 'validate', timestamp(clock)))
      else if (row.status !== 'validating' && !isAccepted(row)) return
      const done = Checkpoint.parse(job.checkpoint ?? [])
      for (const check of packageChecks) {
        if (done.includes(check)) continue
        job.progress({ done: done.length, total: packageChecks.length, message: `Checking: ${check.replaceAll('_', ' ')}` })
        const unread = check !== 'archive' && check !== 'manifest' && hasFailedCheck(db, row.id, job.id, 'manifest')
        const result = unread
          ? checkResult(check, 'not_applicable', 'The manifest is faulty, so this was not checked.')
          : await runCheck(check, row.id, manifest, job.signal)
        const signature = check === 'signature' ? await workers.packages({ kind: 'signature', packageId: row.id }, job.signal) : null
        done.push(check)
        job.commit(() => {
          store(row.id, result)
          if (signature !== null) updatePackage(db, row.id, { signature })
          if (check === 'tasks' && typeof result.figures['tasks'] === 'number')
            updatePackage(db, row.id, { task_count: result.figures['tasks'] })
        }, done)
      }
      if (isAccepted(row)) return () => settleRecheck(job)
      if (hasFailedCheck(db, row.id, job.id)) return () => void transition(db, packageMachine, at, row.id, 'fail_checks', timestamp(clock))
      const { definition, tasks, shots, media: shown } = await workers.packages({ kind: 'content', packageId: row.id }, job.signal)
      await createPrivateBenchmark(kernel, row.workspace_id, { definition, tasks, shots, version: row.version }, made =>
        job.commit(() => {
          const no = ownVersionNo(db, row.workspace_id, made.sourceRef)
          if (no === null) throw new Error(`The version ${made.sourceRef} is missing right after it was made.`)
          setVersionStatus(db, no, 'hidden')
          media.record(shown, { workspaceId: row.workspace_id, versionNo: no })
          updatePackage(db, row.id, { benchmark_version_no: no })
          transition(db, packageMachine, at, row.id, 'pass_checks', timestamp(clock))
        }),
      )
    },
    ended: (job, { state, message }) => {
      const detail = `The checks ${state === 'cancelled' ? 'were cancelled' : 'could not be finished'}: ${message} They continue when the job is retried.`
      if (packageOf(job).status === 'validating' || isAccepted(packageOf(job)))
        store(job.input.package_id, { check: 'archive', outcome: 'error', figures: {}, detail, taskIds: [] })
    },
    retried: job => void packageOf(job),
  }

  /** It may have been withdrawn, or published, while its checks ran. */
  function settleRecheck(job: JobContext<Input>): void {
    const row = packageOf(job)
    if (!isAccepted(row) || row.benchmark_version_no === null) return
    const failed = hasFailedCheck(db, row.id, job.id)
    updatePackage(db, row.id, { quarantined: failed ? 1 : 0, ruleset })
    setVersionStatus(db, row.benchmark_version_no, failed ? 'quarantined' : row.status === 'published' ? 'active' : 'candidate')
  }

  async function runCheck(check: PackageCheck, packageId: string, manifest: PackageManifest, signal: AbortSignal): Promise<CheckResult> {
    const still = stillChecks.find(one => one === check)
    if (still !== undefined) {
      const result = await workers.packages({ kind: 'check', packageId, check: still }, signal)
      const world = check === 'tasks' && manifest.world ? await workers.packages({ kind: 'world', packageId }, signal) : null
      return world ? checkWorld(workers, world, result, signal) : result
    }
    const of = { id: packageId, manifest, signal }
    const scored = check in answerChecks ? answerChecks[check as keyof typeof answerChecks] : null // only where it is one of the keys
    return scored === null ? checkSandbox(workers, of) : scored(workers, of)
  }
}
