import { z } from 'zod'
import { type PackageCheck, packageChecks, packageMachine, PackageManifest, Uuid } from '../../contract/index.ts'
import { codeLanguages } from '../../engine/grading/scorers/code/code-scorers.ts'
import { checkTrivialAnswers, type TrivialScore } from '../../engine/importing/packages/checks/answers.ts'
import { packageMetrics } from '../../engine/importing/packages/package-benchmark.ts'
import { checkResult, type CheckResult } from '../../engine/importing/packages/package-task.ts'
import { stillChecks } from '../../engine/importing/packages/run-check.ts'
import { transition } from '../../storage/transition.ts'
import type { AnswerKind } from '../../workers/packages-task.ts'
import type { Workers } from '../../workers/pool.ts'
import { createPrivateBenchmark, ownVersionNo, setVersionStatus } from '../catalog/index.ts'
import type { JobContext, JobHandler } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findPackage, type PackageRow, updatePackage } from './packages.store.ts'
import { hasFailedCheck, insertReview } from './reviews.store.ts'

/** Raised whenever a check could come to another outcome. */
export const ruleset = 1

const Input = z.strictObject({ package_id: Uuid })
type Input = z.infer<typeof Input>
const Checkpoint = z.array(z.enum(packageChecks))

/** Answers scored in one go. */
const batch = 200
const at = { table: 'creator_packages', column: 'status' } as const

/** Whether people may quote it, apart from a quarantine. */
export function isAccepted({ status }: Pick<PackageRow, 'status'>): boolean {
  return status === 'accepted' || status === 'published'
}

type CheckWorkers = Pick<Workers, 'packages' | 'score' | 'sandbox'>

/**
 * Runs the checks of a package one after the other, each stored when it ends. A new package gets its profiles when none failed; an accepted
 * or published one is checked again, which begins or ends its quarantine.
 */
export function createPackageChecks(kernel: Pick<Kernel, 'db' | 'clock' | 'ids'>, workers: CheckWorkers): JobHandler<Input> {
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
      const { definition, tasks, shots } = await workers.packages({ kind: 'content', packageId: row.id }, job.signal)
      await createPrivateBenchmark(kernel, row.workspace_id, { definition, tasks, shots, version: row.version }, made =>
        job.commit(() => {
          const no = ownVersionNo(db, row.workspace_id, made.sourceRef)
          if (no === null) throw new Error(`The version ${made.sourceRef} is missing right after it was made.`)
          setVersionStatus(db, no, 'hidden')
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

  function runCheck(check: PackageCheck, packageId: string, manifest: PackageManifest, signal: AbortSignal): Promise<CheckResult> {
    const still = stillChecks.find(one => one === check)
    if (still !== undefined) return workers.packages({ kind: 'check', packageId, check: still }, signal)
    switch (check) {
      case 'trivial_answers':
        return checkTrivial(packageId, manifest, signal)
      case 'reference':
        return checkReference(packageId, manifest, signal)
      case 'determinism':
        return checkDeterminism(packageId, manifest, signal)
      default:
        return checkSandbox(packageId, manifest, signal)
    }
  }

  /** Value of the primary metric for each task to which the strategy has an answer. */
  async function scoresOf(packageId: string, manifest: PackageManifest, answer: AnswerKind, signal: AbortSignal) {
    const [profile] = manifest.profiles
    const metrics = packageMetrics({ metrics: profile?.metrics ?? [] })
    const primary = metrics.findIndex(metric => metric.primary)
    const found: { id: string; value: number | null; text: string; ms: number }[] = []
    for (let from = 0, total = 1; from < total; from += batch) {
      const page = await workers.packages({ kind: 'answers', packageId, answer, from, count: batch }, signal)
      total = page.total
      const asked = page.inputs.flatMap(({ id, input }) => (input ? [{ id, input: { ...input, countTokens: false } }] : []))
      if (asked.length === 0) continue
      const begun = performance.now()
      const rows = await workers.score(
        metrics,
        asked.map(({ input }) => input),
      )
      const ms = (performance.now() - begun) / asked.length
      for (const [i, { scores }] of rows.entries()) {
        const text = JSON.stringify(scores.map(score => [score.value, score.class]))
        found.push({ id: asked[i]?.id ?? '', value: scores[primary]?.value ?? null, text, ms })
      }
      signal.throwIfAborted()
    }
    return found
  }

  async function checkTrivial(packageId: string, manifest: PackageManifest, signal: AbortSignal): Promise<CheckResult> {
    const { chance } = await workers.packages({ kind: 'content', packageId }, signal)
    const scores: TrivialScore[] = []
    for (const strategy of ['random', 'first', 'majority', 'empty', 'echo'] as const) {
      const found = await scoresOf(packageId, manifest, strategy, signal)
      scores.push({ strategy, right: found.reduce((sum, { value }) => sum + (value ?? 0), 0), scored: found.length })
    }
    return checkTrivialAnswers(scores, chance)
  }

  async function checkReference(packageId: string, manifest: PackageManifest, signal: AbortSignal): Promise<CheckResult> {
    const first = await scoresOf(packageId, manifest, 'reference', signal)
    if (first.length === 0)
      return checkResult(
        'reference',
        'warn',
        'No task has a target or a reference solution, so nothing shows that the tasks can be solved.',
        { tasks: 0 },
      )
    const others = [await scoresOf(packageId, manifest, 'reference', signal), await scoresOf(packageId, manifest, 'reference', signal)]
    const wrong = first.filter(({ value }) => value !== 1).map(({ id }) => id)
    const differing = first.filter(({ text }, i) => others.some(other => other[i]?.text !== text)).map(({ id }) => id)
    const figures = { tasks: first.length, right: first.length - wrong.length, differing: differing.length, times: 3 }
    if (wrong.length > 0)
      return checkResult(
        'reference',
        'fail',
        `The reference answer of ${wrong.length} of ${first.length} tasks does not score 1. Correct the reference, the target or the scorer.`,
        figures,
        wrong,
      )
    if (differing.length > 0)
      return checkResult(
        'reference',
        'fail',
        `The reference answers of ${differing.length} tasks score differently from time to time.`,
        figures,
        differing,
      )
    return checkResult('reference', 'pass', `The reference answers of all ${first.length} tasks score 1, three times.`, figures)
  }

  async function checkDeterminism(packageId: string, manifest: PackageManifest, signal: AbortSignal): Promise<CheckResult> {
    const first = await scoresOf(packageId, manifest, 'echo', signal)
    const second = await scoresOf(packageId, manifest, 'echo', signal)
    const differing = first.filter(({ text }, i) => second[i]?.text !== text).map(({ id }) => id)
    const figures = { outputs: first.length, differing: differing.length }
    return differing.length > 0
      ? checkResult(
          'determinism',
          'fail',
          `${differing.length} outputs got different scores when they were scored twice.`,
          figures,
          differing,
        )
      : checkResult('determinism', 'pass', 'The same outputs got the same scores twice.', figures)
  }

  async function checkSandbox(packageId: string, manifest: PackageManifest, signal: AbortSignal): Promise<CheckResult> {
    const languages = codeLanguages(manifest.profiles.flatMap(({ metrics }) => metrics))
    if (languages.length === 0) return checkResult('sandbox', 'not_applicable', 'No scorer runs code.')
    const { chosen } = await workers.sandbox()
    const missing = languages.filter(language => chosen[language] === null)
    if (missing.length > 0)
      throw new Error(`This machine has no sandbox for ${missing.join(' and ')}, so the package cannot be checked here.`)
    const limit = manifest.sandbox?.timeout_ms ?? null
    const found = await scoresOf(packageId, manifest, 'reference', signal)
    const ms = Math.max(0, ...found.map(one => one.ms))
    const figures = { languages: languages.join(', '), mean_ms: Math.round(ms), limit_ms: limit }
    if (limit !== null && ms > limit)
      return checkResult(
        'sandbox',
        'fail',
        `Reference solutions take ${Math.round(ms)} ms on average, longer than the limit of ${limit} ms.`,
        figures,
      )
    if (limit !== null && ms > limit / 2)
      return checkResult('sandbox', 'warn', `Reference solutions take more than half of the limit of ${limit} ms.`, figures)
    return checkResult('sandbox', 'pass', 'The sandbox is closed off from network and files, and the references run in time.', figures)
  }
}
