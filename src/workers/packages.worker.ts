import { readFile } from 'node:fs/promises'
import { inputOf } from '../engine/content/benchmarks/task-preview.ts'
import { answerAsBaseline, majorityTarget } from '../engine/execution/baselines/answer-as-baseline.ts'
import { renderPrompt } from '../engine/execution/samples/render-prompt.ts'
import type { ScoreInput } from '../engine/grading/scorers/scorer.ts'
import { evenedInput } from '../engine/importing/packages/checks/duplicates.ts'
import { checkSignature } from '../engine/importing/packages/checks/signature.ts'
import { openPackage, PackageFault, sha256 } from '../engine/importing/packages/open-package.ts'
import { packageBenchmark, packageSlug } from '../engine/importing/packages/package-benchmark.ts'
import { checkResult } from '../engine/importing/packages/package-task.ts'
import { shotsOf } from '../engine/importing/packages/read-package-tasks.ts'
import { type ReadPackage, readPackage, runStillCheck, stillChecks } from '../engine/importing/packages/run-check.ts'
import { otherTasks, readStoredPackage } from '../storage/reads/creator-package.ts'
import { openDatabase } from '../storage/database.ts'
import { databasePath } from './database-path.ts'
import type { AnswerKind, PackageAnswers, PackageTask } from './packages-task.ts'

/** The package looked at last: its checks come one after the other. */
let last: { readonly id: string; readonly publicKey: string | null; readonly workspaceId: string; readonly read: ReadPackage } | null = null

async function stored(id: string) {
  if (last?.id === id) return last
  const db = openDatabase(databasePath(), { readonly: true })
  try {
    const { content, publicKey, workspaceId } = readStoredPackage(db, id)
    last = { id, publicKey, workspaceId, read: await readPackage(openPackage(content)) }
    return last
  } finally {
    db.close()
  }
}

/** Everything about packages that takes long or reads what others wrote. */
export default async function packages(task: PackageTask): Promise<PackageAnswers[keyof PackageAnswers]> {
  switch (task.kind) {
    case 'open':
      return open(await readFile(task.path))
    case 'dry_run':
      return dryRun(await readFile(task.path), task.workspaceId, task.publicKey)
    case 'check': {
      const { read, publicKey, workspaceId } = await stored(task.packageId)
      return runStillCheck(task.check, read, {
        publicKey,
        knownElsewhere: () => knownElsewhere(workspaceId, packageSlug(read.opened.manifest)),
      })
    }
    case 'signature': {
      const { read, publicKey } = await stored(task.packageId)
      return checkSignature(read.opened, publicKey).signature
    }
    case 'answers': {
      const { read } = await stored(task.packageId)
      return answersOf(read, task.answer, task.from, task.count)
    }
    case 'sample': {
      const { read } = await stored(task.packageId)
      return sampleOf(read, task.count, task.seed)
    }
    case 'content': {
      const { read } = await stored(task.packageId)
      const { tasks } = read.read
      const { manifest } = read.opened
      const [test, canonical] = [tasks.filter(({ split }) => split === 'test'), tasks.filter(({ split }) => split === 'canonical')]
      const shots = shotsOf(tasks).slice(0, Math.max(...manifest.profiles.map(profile => profile.shots)))
      return { definition: packageBenchmark(manifest, read.chance), tasks: [...test, ...canonical], shots, chance: read.chance }
    }
  }
}

function open(bytes: Buffer): PackageAnswers['open'] {
  try {
    const { manifest, files } = openPackage(bytes)
    return { ok: true, manifest, files, sha256: sha256(bytes), content: bytes }
  } catch (error) {
    if (error instanceof PackageFault) return { ok: false, check: error.check, message: error.message }
    throw error
  }
}

async function dryRun(bytes: Buffer, workspaceId: string, publicKey: string | null): Promise<PackageAnswers['dry_run']> {
  const opened = open(bytes)
  if (!opened.ok) return { manifest: null, checks: [checkResult(opened.check, 'fail', opened.message)] }
  const read = await readPackage(openPackage(bytes))
  const slug = packageSlug(opened.manifest)
  return {
    manifest: opened.manifest,
    checks: stillChecks.map(check => runStillCheck(check, read, { publicKey, knownElsewhere: () => knownElsewhere(workspaceId, slug) })),
  }
}

function knownElsewhere(workspaceId: string, slug: string): (evened: string) => boolean {
  const db = openDatabase(databasePath(), { readonly: true })
  try {
    const known = new Set<string>()
    for (const fields of otherTasks(db, workspaceId, slug)) {
      known.add(evenedInput(inputOf({ fields })))
      const [first] = Object.values(fields)
      if (first !== undefined) known.add(evenedInput(first))
    }
    return evened => known.has(evened)
  } finally {
    db.close()
  }
}

/** Tasks of the test split as the first profile shows them, chosen by digest. */
function sampleOf({ opened, read }: ReadPackage, count: number, seed: number): PackageAnswers['sample'] {
  const asked = read.tasks.filter(({ split }) => split === 'test')
  const [profile] = packageBenchmark(opened.manifest, null).profiles
  if (!profile) throw new RangeError('The package has no profile.')
  const { systemPrompt, promptTemplate, shotTemplate, shots } = profile
  const recipe = { systemPrompt, promptTemplate, shotTemplate, shots: shotsOf(read.tasks).slice(0, shots) }
  const chosen = asked
    .map(task => ({ task, rank: sha256(Buffer.from(`${seed} ${task.id}`)) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
  return {
    total: asked.length,
    items: chosen.map(({ task }) => {
      const { id, targets, metadata } = task
      const reference = metadata['reference_output']
      const messages = renderPrompt(recipe, task).map(({ role, content }) => ({ role, content }))
      return { id, messages, targets: [...targets], reference: typeof reference === 'string' ? reference : null }
    }),
  }
}

/** A strategy's answer to each task of the test split, for the scorers; null where it has none. */
function answersOf({ opened, read }: ReadPackage, answer: AnswerKind, from: number, count: number): PackageAnswers['answers'] {
  const asked = read.tasks.filter(({ split }) => split === 'test')
  const majority = answer === 'majority' ? majorityTarget(asked) : null
  const [profile] = packageBenchmark(opened.manifest, null).profiles
  if (!profile) throw new RangeError('The package has no profile.')
  const { systemPrompt, promptTemplate } = profile
  const inputs = asked.slice(from, from + count).map((task): { id: string; input: ScoreInput | null } => {
    const { targets, choices, metadata } = task
    const isOpen = targets.length === 0
    const prompt = renderPrompt({ systemPrompt, promptTemplate, shotTemplate: null, shots: [] }, task)
    const routed = (route: string) => answerAsBaseline(route, { task, prompt, seed: 1, epoch: 1, majorityTarget: majority })
    const output = ((): string | null => {
      switch (answer) {
        case 'empty':
          return ''
        case 'echo':
          return routed('assay/echo')
        case 'reference':
          return typeof metadata['reference_output'] === 'string' || !isOpen ? routed('assay/oracle-100') : null
        case 'first':
          return isOpen ? null : routed('assay/first-option')
        case 'random':
          return isOpen ? null : routed('assay/random')
        case 'majority':
          return isOpen ? null : routed('assay/majority')
      }
    })()
    return { id: task.id, input: output === null ? null : { output, targets, ...(choices ? { choices } : {}), metadata } }
  })
  return { inputs, total: asked.length }
}
