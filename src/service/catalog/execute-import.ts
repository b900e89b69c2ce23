import type { BenchmarkVersion } from '../../contract/catalog/benchmarks.schemas.ts'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import type { BenchmarkDefinition } from '../../engine/tasks/definition.ts'
import { sourceRef } from '../../engine/content/benchmarks/source-ref.ts'
import type { AnswerKey } from '../../engine/importing/files/answer-key.ts'
import type { Columns } from '../../engine/importing/files/column-mapping.ts'
import type { ImportCheck } from '../../engine/importing/files/check-import.ts'
import type { RemoteOrder } from '../../engine/importing/media/remote-media.ts'
import { archiveRole, type ImportOrder } from '../../engine/importing/files/import-order.ts'
import { findRecipe } from '../../engine/importing/recipes/recipes.ts'
import type { ImportReceiver, UnpackedFile } from '../../workers/import-pool.ts'
import type { Workers } from '../../workers/pool.ts'
import { type JobContext, JobFailure } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import { endImport, type ImportFacts } from './imports.store.ts'
import type { ImportPlan } from './plan-import.ts'
import { beginVersion, dropStaging, findOwnVersion, finishVersion, stageTaskRows } from './versions.store.ts'

/** What an import needs of others. */
export interface ImportNeeds {
  readonly workers: Pick<Workers, 'readImport' | 'checkScorer'>
  readonly media: Pick<Media, 'record'>
}

/** The part of a job that an import works with. */
export type ImportJob = Pick<JobContext<unknown>, 'signal' | 'progress' | 'commit'>

/**
 * Validates an upload and lands it as a new version, or says why not. A thread reads the files; the tasks are written to an invisible
 * version in small batches.
 * @returns the last write, which ends the import and makes the version visible where it needs one
 * @throws JobFailure when the files are refused
 */
export async function executeImport(
  kernel: Pick<Kernel, 'db' | 'clock'>,
  { workers, media }: ImportNeeds,
  job: ImportJob,
  workspaceId: string,
  plan: ImportPlan,
  begun: ImportFacts,
  remote?: RemoteOrder,
): Promise<() => void> {
  const { db } = kernel
  // In an object, since the compiler does not see that the callback sets it.
  const found: { landing: Landing | null; end: () => void; refusal: JobFailure | null } = { landing: null, end: () => {}, refusal: null }
  let written = 0
  try {
    await workers.readImport(
      { ...plan.order, workspaceId, ...(remote && { remote }) },
      {
        checked: (check, definition, unpacked, previewed) => {
          try {
            const next = beginLanding(kernel, job, workspaceId, plan, begunWith(begun, plan, unpacked), check, definition, () =>
              media.record(previewed, { workspaceId, versionNo: null }),
            )
            if (typeof next === 'function') found.end = next
            else found.landing = next
          } catch (error) {
            if (!(error instanceof JobFailure)) throw error
            // Throwing would end the thread and delay the next import by a thread start.
            found.refusal = error
          }
          return found.landing !== null
        },
        rows: (rows, shown) => {
          const { landing } = found
          if (!landing) throw new Error('Tasks came before it was known what they are.')
          if (shown.length > 0) db.transaction(() => media.record(shown, { workspaceId, versionNo: landing.versionNo }))
          stageTaskRows(db, landing.versionNo, rows, written)
          written += rows.length
          job.progress({ done: written, total: landing.taskCount, message: 'Storing tasks' })
        },
      },
      job.signal,
    )
    const { landing, refusal } = found
    if (refusal) throw refusal
    if (!landing) return found.end
    if (written !== landing.taskCount)
      throw new Error(`${written} tasks were read instead of ${landing.taskCount}: a file changed while it was being imported.`)
    return () => {
      finishVersion(db, landing.versionNo)
      endImport(db, 'land', landing.facts, timestamp(kernel.clock))
    }
  } catch (error) {
    if (found.landing) dropStaging(db, found.landing.versionNo)
    throw error
  }
}

/**
 * Addresses that an import is to fetch media from, in the order of its rows. Nothing is fetched for files that are refused anyway.
 * @throws JobFailure when they are
 */
export async function mediaToFetch(
  kernel: Pick<Kernel, 'db' | 'clock'>,
  { workers }: Pick<ImportNeeds, 'workers'>,
  { signal }: Pick<ImportJob, 'signal'>,
  order: ImportOrder,
  plan: ImportPlan,
  begun: ImportFacts,
): Promise<readonly string[]> {
  const found: { check: ImportCheck | null; wanted: readonly string[] } = { check: null, wanted: [] }
  const checked: ImportReceiver['checked'] = (check, _definition, _unpacked, _media, wanted) => {
    Object.assign(found, { check, wanted })
    return false
  }
  await workers.readImport(order, { checked, rows: () => {} }, signal)
  const { check, wanted } = found
  if (check) {
    const facts = withCheck(begun, plan, check)
    const refused = check.problemCount > 0 ? facts : refusedFile(plan, facts)
    if (refused) throw refusedBy(kernel, refused)
  }
  return wanted
}

/** The facts of an import that is refused since a file is not the one that its recipe knows; null: it is not. */
function refusedFile(plan: ImportPlan, facts: ImportFacts): ImportFacts | null {
  const other = plan.refusesOthers ? facts.files.find(file => file.checksum === 'differs_from_upstream') : undefined
  return other ? withFault(facts, otherFile(plan, other), other.name) : null
}

/** A version that is still invisible, and what the record will say once it is not. */
interface Landing {
  readonly versionNo: number
  readonly taskCount: number
  readonly facts: ImportFacts
}

/**
 * The last write where the import comes to its end without a new version: it was only a preview, or the content is there already.
 * @throws JobFailure when the files are refused
 */
function beginLanding(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  job: ImportJob,
  workspaceId: string,
  plan: ImportPlan,
  begun: ImportFacts,
  check: ImportCheck,
  definition: BenchmarkDefinition | null,
  keepPreview: () => void,
): Landing | (() => void) {
  const facts = withCheck(begun, plan, check)
  const end = (event: 'preview' | 'land', more: Partial<ImportFacts>) => () => endImport(db, event, { ...facts, ...more }, timestamp(clock))
  const refuse = (refused: ImportFacts): never => {
    throw refusedBy({ db, clock }, refused)
  }
  if (check.problemCount > 0 || !definition) return refuse(facts)
  const other = refusedFile(plan, facts)
  if (other) return refuse(other)

  const present = findOwnVersion(db, workspaceId, plan.slug, { digest: check.digest })
  if (plan.dryRun) {
    const preview = end('preview', present ? { already_present: true, source_ref: present.sourceRef } : {})
    return () => {
      keepPreview()
      preview()
    }
  }
  if (present) return end('land', { already_present: true, source_ref: present.sourceRef })
  const version = plan.version ?? check.digest.slice(0, 12)
  if (findOwnVersion(db, workspaceId, plan.slug, { version }))
    return refuse(
      withFault(
        facts,
        `${plan.slug} already has a version "${version}" with other content, and versions never change. Choose another version.`,
      ),
    )

  const taskCount = check.taskCounts.test + check.taskCounts.canonical
  const versionNo = job.commit(() =>
    beginVersion(db, {
      workspaceId,
      origin: plan.origin,
      definition,
      content: { version, shots: check.shots },
      digest: check.digest,
      taskCount,
      files: facts.files,
      createdAt: timestamp(clock),
    }),
  )
  return { versionNo, taskCount, facts: { ...facts, source_ref: sourceRef(definition.provider, definition.name, version) } }
}

/** Why an import is refused; it then ends with every error in its record. */
function refusedBy({ db, clock }: Pick<Kernel, 'db' | 'clock'>, refused: ImportFacts): JobFailure {
  const { errors, error_count } = refused
  const others =
    error_count > 1
      ? ` ${error_count === 2 ? 'There is 1 more error' : `There are ${error_count - 1} more errors`}; the import lists them.`
      : ''
  const message = `${errors[0]?.message ?? 'The files could not be imported.'}${others}`
  return new JobFailure('validation_error', message, () => endImport(db, 'fail', refused, timestamp(clock)))
}

export function withFault(facts: ImportFacts, message: string, file = facts.files[0]?.name ?? ''): ImportFacts {
  return { ...facts, errors: [{ file, line: null, message }], error_count: 1 }
}

/** Parts that came out of archives are replaced by their contents, each with its own checksum; the archives stay in the list. */
function begunWith(begun: ImportFacts, plan: ImportPlan, unpacked: readonly UnpackedFile[]): ImportFacts {
  if (unpacked.length === 0 && plan.base.length === 0) return begun
  const brought = new Set([...begun.files, ...unpacked].map(({ role }) => role))
  const parts = unpacked.map(file => ({ ...file, checksum: 'unknown_upstream' as const }))
  return { ...begun, files: [...begun.files, ...parts, ...plan.base.filter(({ role }) => !brought.has(role) && role !== archiveRole)] }
}

/** What the record says once every row was looked at. */
function withCheck(begun: ImportFacts, plan: ImportPlan, check: ImportCheck): ImportFacts {
  const upstream = new Map((plan.recipe === null ? null : findRecipe(plan.recipe))?.files.map(({ role, sha256 }) => [role, sha256]))
  const files = begun.files.map(file =>
    plan.base.includes(file)
      ? file
      : { ...file, checksum: checksumOf(file.sha256, check.contentSha256.get(file.role) ?? null, upstream.get(file.role) ?? null) },
  )
  return {
    ...begun,
    files,
    rows: check.rows,
    columns: [...check.columns],
    column_samples: [...check.columnSamples],
    mapping: check.settled && toMapping(check.settled),
    preview: [...check.preview],
    splits: [...check.splits],
    answer_key: check.answerKey && toAnswerKey(check.answerKey),
    errors: check.problems.map(({ file, line, message, missingColumn }) => ({
      file,
      line,
      message,
      ...(missingColumn && { missing_column: missingColumn }),
    })),
    error_count: check.problemCount,
    left_out: [...check.leftOut],
    left_out_count: check.leftOutCount,
    evaluators: check.judged.map(one => ({ ...one })),
    choices: check.choices.map(one => ({ ...one })),
    media: check.media,
    remote_media: check.remote.map(one => ({ ...one })),
    remote_hosts: check.remoteHosts,
    warnings: [...begun.warnings, ...check.warnings, ...files.flatMap(differenceWarning)],
    slug: plan.slug,
  }
}

function toMapping({ input, target, choices, id, groups, dependsOn, cluster, date, split, media }: Columns): ImportRecord['mapping'] {
  const [only, ...more] = choices ?? []
  return {
    input,
    target,
    choices: only === undefined ? null : more.length === 0 ? only : [only, ...more],
    id,
    groups: [...groups],
    depends_on: dependsOn,
    cluster,
    date,
    ...(media.length > 0 && { media: Object.fromEntries(media.map(({ field, column }) => [field, column])) }),
    split: split && {
      column: split.column,
      ...(split.tasks && { tasks: [...split.tasks] }),
      ...(split.examples && { examples: [...split.examples] }),
    },
  }
}

function toAnswerKey({ form, chosenBy, readings }: AnswerKey): ImportRecord['answer_key'] {
  return { form, chosen_by: chosenBy, readings: readings.map(reading => ({ form: reading.form, examples: [...reading.examples] })) }
}

function checksumOf(uploaded: string, content: string | null, upstream: string | null): BenchmarkVersion['files'][number]['checksum'] {
  if (upstream === null) return 'unknown_upstream'
  return upstream === uploaded || upstream === content ? 'matches_upstream' : 'differs_from_upstream'
}

function differenceWarning({ name, checksum }: BenchmarkVersion['files'][number]): string[] {
  if (checksum !== 'differs_from_upstream') return []
  return [`"${name}" is not the file that upstream published: its checksum differs. Scores on it cannot be compared with published ones.`]
}

function otherFile({ recipe }: ImportPlan, { name, role, sha256 }: BenchmarkVersion['files'][number]): string {
  const known = (recipe === null ? null : findRecipe(recipe))?.files.find(file => file.role === role)?.sha256
  return `"${name}" is not the file that the recipe knows: its SHA-256 is ${sha256} and should be ${known}. It may have been changed on its server or on the way, so nothing was imported. If you trust it, download it yourself and import it here.`
}
