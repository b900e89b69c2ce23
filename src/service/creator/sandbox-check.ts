import { codeLanguages } from '../../engine/grading/scorers/code/code-scorers.ts'
import { hasFunctions } from '../../engine/execution/environments/worlds/world-family.ts'
import { packageMetrics } from '../../engine/importing/packages/package-benchmark.ts'
import { checkResult, type CheckResult } from '../../engine/importing/packages/package-task.ts'
import type { ScoredPackage, ScoringWorkers } from './score-answers.ts'

type SandboxWorkers = ScoringWorkers

/** Other work of the machine makes a program seem slow, so the fastest of these tries counts. */
const tries = 3

/**
 * Whether the package's code can be run here, closed off from network and files (each sandbox proves that by its probes before it is
 * chosen), and whether each reference solution ends within the package's own limit.
 */
export async function checkSandbox(workers: SandboxWorkers, of: ScoredPackage): Promise<CheckResult> {
  const { manifest, signal, id: packageId } = of
  const world = manifest.world ? await workers.packages({ kind: 'world', packageId }, signal) : null
  const languages = world
    ? hasFunctions(world)
      ? (['javascript'] as const)
      : []
    : codeLanguages(manifest.profiles.flatMap(({ metrics }) => metrics))
  if (languages.length === 0) return checkResult('sandbox', 'not_applicable', `No ${world ? 'tool' : 'scorer'} runs code.`)
  const { chosen } = await workers.sandbox()
  const missing = languages.filter(language => chosen[language] === null)
  if (missing.length > 0)
    throw new Error(`This machine has no sandbox for ${missing.join(' and ')}, so the package cannot be checked here.`)
  const limit = world ? null : (manifest.sandbox?.timeout_ms ?? null)
  const names = languages.join(', ')
  if (limit === null)
    return checkResult('sandbox', 'pass', 'The sandbox is closed off from network and files. The package states no time limit.', {
      languages: names,
      limit_ms: null,
    })
  const profile = manifest.profiles.findIndex(({ metrics }) => codeLanguages(metrics).length > 0)
  const metrics = packageMetrics({ metrics: manifest.profiles[profile]?.metrics ?? [] })
  const slow: string[] = []
  let slowest = 0
  for (let from = 0, total = 1; from < total; from++) {
    const page = await workers.packages({ kind: 'answers', packageId, profile, answer: 'reference', from, count: 1 }, signal)
    total = page.total
    const [asked] = page.inputs
    if (!asked?.input) continue
    let ms = Number.POSITIVE_INFINITY
    for (let at = 0; at < tries && ms > limit / 2; at++) {
      const begun = performance.now()
      await workers.score(metrics, [{ ...asked.input, countTokens: false }])
      ms = Math.min(ms, performance.now() - begun)
      signal.throwIfAborted()
    }
    slowest = Math.max(slowest, ms)
    if (ms > limit) slow.push(asked.id)
  }
  const figures = { languages: names, slowest_ms: Math.round(slowest), limit_ms: limit }
  if (slow.length > 0)
    return checkResult(
      'sandbox',
      'fail',
      `${slow.length} reference solutions take longer than the package’s limit of ${limit} ms. Raise "timeout_ms" or make them faster.`,
      figures,
      slow,
    )
  if (slowest > limit / 2)
    return checkResult(
      'sandbox',
      'warn',
      `The slowest reference solution takes ${Math.round(slowest)} ms, more than half of the limit of ${limit} ms.`,
      figures,
    )
  return checkResult('sandbox', 'pass', 'The sandbox is closed off from network and files, and the references run in time.', figures)
}
