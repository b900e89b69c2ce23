import { setImmediate } from 'node:timers/promises'
import type { BenchmarkVersion } from '../../contract/index.ts'
import type { BenchmarkDefinition } from '../../engine/benchmarks/definition.ts'
import { sourceRef } from '../../engine/benchmarks/source-ref.ts'
import { inputOf } from '../../engine/benchmarks/task-preview.ts'
import { checkImport, type ImportCheck, importedTasks } from '../../engine/importers/check-import.ts'
import type { Task } from '../../engine/tasks/task.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { endImport, type ImportFacts } from './imports.store.ts'
import type { ImportPlan } from './plan-import.ts'
import { addTasks, beginVersion, dropStaging, facetNames, findOwnVersion, finishVersion } from './versions.store.ts'

/** Tasks written in one go: few enough that nobody waits for them. */
const batchSize = 64
const previewCharacters = 4000

/**
 * Validates an upload and lands it as a new version, or says why not. The tasks are written to an invisible version in small batches;
 * one last transaction makes it visible and ends the import.
 * @throws the signal's reason when it was stopped half way; the import then has no end yet
 */
export async function carryOutImport(
  kernel: Kernel,
  workspaceId: string,
  plan: ImportPlan,
  begun: ImportFacts,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = kernel
  const check = await checkImport(plan.sources, plan.shots, { signal })
  const facts = withCheck(begun, plan, check)
  const end = (event: 'fail' | 'preview' | 'land', more: Partial<ImportFacts> = {}) =>
    endImport(db, event, { ...facts, ...more }, timestamp(clock))
  if (check.problemCount > 0) return end('fail')

  const present = findOwnVersion(db, workspaceId, plan.slug, { digest: check.digest })
  if (plan.dryRun) return end('preview', present ? { already_present: true, source_ref: present.sourceRef } : {})
  if (present) return end('land', { already_present: true, source_ref: present.sourceRef })
  const version = plan.version ?? check.digest.slice(0, 12)
  if (findOwnVersion(db, workspaceId, plan.slug, { version }))
    return end(
      'fail',
      fault(
        facts,
        `${plan.slug} already has a version "${version}" with other content, and versions never change. Choose another version.`,
      ),
    )

  const definition = withChance(plan.definition(check.preview[0]?.task.choices != null), check.chanceLevel)
  const taskCount = check.taskCounts.test + check.taskCounts.canonical
  const versionNo = beginVersion(db, {
    workspaceId,
    origin: plan.origin,
    definition,
    content: { version, shots: check.shots },
    digest: check.digest,
    taskCount,
    files: facts.files,
    createdAt: timestamp(clock),
  })
  try {
    const written = await writeTasks(kernel, versionNo, importedTasks(plan.sources), facetNames(definition), signal)
    if (written !== taskCount)
      throw new Error(`${written} tasks were read instead of ${taskCount}: a file changed while it was being imported.`)
    db.transaction(() => {
      finishVersion(db, versionNo)
      end('land', { source_ref: sourceRef(definition.provider, definition.name, version) })
    })
  } catch (error) {
    dropStaging(db, versionNo)
    throw error
  }
}

async function writeTasks(
  { db }: Kernel,
  versionNo: number,
  tasks: AsyncIterable<Task>,
  facets: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let written = 0
  let batch: Task[] = []
  const flush = async () => {
    addTasks(db, versionNo, batch, written, facets)
    written += batch.length
    batch = []
    await setImmediate()
    signal.throwIfAborted()
  }
  for await (const task of tasks) {
    batch.push(task)
    if (batch.length >= batchSize) await flush()
  }
  await flush()
  return written
}

/** What the record says once every row was looked at. */
function withCheck(begun: ImportFacts, plan: ImportPlan, check: ImportCheck): ImportFacts {
  const files = begun.files.map((file, i) => ({
    ...file,
    checksum: checksumOf(file.sha256, check.contentSha256[i] ?? null, plan.files[i]?.upstreamSha256 ?? null),
  }))
  return {
    ...begun,
    files,
    rows: check.rows,
    columns: [...check.columns],
    preview: check.preview.map(({ line, task }) => ({
      line,
      task_id: task.id,
      input: shorten(inputOf(task)),
      targets: task.targets.map(shorten),
      choices: task.choices && task.choices.map(shorten),
    })),
    errors: check.problems.map(({ file, line, message }) => ({ file, line, message })),
    error_count: check.problemCount,
    warnings: [...begun.warnings, ...check.warnings, ...files.flatMap(differenceWarning)],
    slug: plan.slug,
  }
}

function checksumOf(uploaded: string, content: string | null, upstream: string | null): BenchmarkVersion['files'][number]['checksum'] {
  if (upstream === null) return 'unknown_upstream'
  return upstream === uploaded || upstream === content ? 'matches_upstream' : 'differs_from_upstream'
}

function differenceWarning({ name, checksum }: BenchmarkVersion['files'][number]): string[] {
  if (checksum !== 'differs_from_upstream') return []
  return [`"${name}" is not the file that upstream published: its checksum differs. Scores on it cannot be compared with published ones.`]
}

/** Blind guessing depends on the choices, which only the data tell. */
function withChance(definition: BenchmarkDefinition, chanceLevel: number | null): BenchmarkDefinition {
  return { ...definition, profiles: definition.profiles.map(profile => ({ ...profile, chanceLevel: profile.chanceLevel ?? chanceLevel })) }
}

function fault(facts: ImportFacts, message: string): Partial<ImportFacts> {
  return { errors: [{ file: facts.files[0]?.name ?? '', line: null, message }], error_count: 1 }
}

function shorten(text: string): string {
  return text.length > previewCharacters ? `${text.slice(0, previewCharacters).toWellFormed()}…` : text
}
