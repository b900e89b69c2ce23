import { rmSync } from 'node:fs'
import { z } from 'zod'
import { ApiError } from '../../contract/errors.ts'
import { profileId } from '../../engine/content/benchmarks/source-ref.ts'
import { isLog } from '../../engine/importing/answers/open-answers.ts'
import type { AnswerGroup, AnswerReceiver, LogBenchmark, OpenedAnswerFiles } from '../../workers/answer-pool.ts'
import { type CatalogProfile, countDownloads, describeKept } from '../catalog/index.ts'
import type { JobContext, JobHandler } from '../jobs/index.ts'
import { guarded } from '../../lib/guarded.ts'
import { mixedScriptsCaution } from '../../lib/format/mixed-scripts.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { ImportedRun } from '../runs/index.ts'
import { answerOrder, AnswerImportInput, mediaFolder, readImport } from './answer-order.ts'
import { answersDigest } from './answers-digest.ts'
import type { AnswersDependencies } from './answers.service.ts'
import { type AnswerImportFacts, endAnswerImport, saveAnswerImport, type StoredAnswerImport } from './answers.store.ts'
import { compareWithLog, type RunPair } from './compare-with-log.ts'
import { announcedBenchmark, besideKnown, type LogLanding, landLog } from './land-log.ts'

/** Written once the runs are there: a stop from then on continues with their grading. */
const Checkpoint = z.object({
  pairs: z.array(
    z.object({
      /** Absent in checkpoints of older versions, whose pairs are of every run. */
      run_id: z.string().optional(),
      log: z.string(),
      metric: z.string().nullable(),
      reason: z.string().nullable(),
      release: z.string().nullish(),
    }),
  ),
})

export function answerImportJob(
  kernel: Kernel,
  dependencies: AnswersDependencies,
  folderOf: (id: string) => string,
): JobHandler<AnswerImportInput> {
  const { db, clock } = kernel
  const { keptDownloads } = dependencies
  const stored = (id: string): StoredAnswerImport => readImport(db, id)
  /** What an import that failed has downloaded is kept for the next try. */
  const removeFiles = ({ workspaceId, record: { id }, status }: StoredAnswerImport): void => {
    const media = mediaFolder(folderOf(id))
    if (status === 'failed' && countDownloads(media) > 0)
      guarded(
        () => keptDownloads.keep(workspaceId, id, media),
        error => kernel.log.error({ err: error }, 'downloads of a failed import could not be kept'),
      )()
    rmSync(folderOf(id), { recursive: true, force: true })
  }
  const dropRuns = (record: AnswerImportFacts): void => {
    for (const { run_id } of record.runs) dependencies.runs.imported.drop(run_id)
  }

  return {
    kind: 'answer_import',
    input: AnswerImportInput,
    lane: 'imports',
    concurrency: 1,
    run: async job => {
      const { import_id: id } = job.input
      const known = Checkpoint.safeParse(job.checkpoint)
      const pairs = known.success ? known.data.pairs : await storeAnswers(kernel, dependencies, job, stored(id), folderOf(id), dropRuns)
      removeFiles(stored(id))
      if (pairs === null) return
      const { record } = stored(id)
      for (const [i, { run_id }] of record.runs.entries()) {
        job.progress({ done: i, total: record.runs.length, message: 'Grading' })
        await dependencies.runs.imported.ended(run_id, job.signal)
      }
      if (job.signal.aborted) return
      const compared = await compareWithLog(kernel, record, pairs, profilesOf(dependencies, stored(id)))
      return () => endAnswerImport(db, 'land', { ...record, ...compared }, timestamp(clock))
    },
    ended: ({ input }, { message }) => {
      const { record } = stored(input.import_id)
      dropRuns(record)
      const errors = [{ file: record.files[0]?.name ?? '', line: null, message }]
      const failed = sayingKept({ ...record, runs: [], errors, error_count: 1 }, folderOf(record.id))
      endAnswerImport(db, 'fail', failed, timestamp(clock))
      db.afterCommit(() => removeFiles(stored(input.import_id)))
    },
  }
}

/** The record of a failed import, which says whether downloads are kept. */
function sayingKept(record: AnswerImportFacts, folder: string): AnswerImportFacts {
  const kept = countDownloads(mediaFolder(folder))
  return kept === 0 ? record : { ...record, warnings: [...record.warnings, describeKept(kept)] }
}

/** Reads the files and makes the runs. Null where the import has come to its end without any: it failed, or was only a preview. */
async function storeAnswers(
  kernel: Kernel,
  dependencies: AnswersDependencies,
  job: JobContext<AnswerImportInput>,
  importing: StoredAnswerImport,
  folder: string,
  dropRuns: (record: AnswerImportFacts) => void,
): Promise<readonly RunPair[] | null> {
  const { workspaceId, principalId, form, record: begun } = importing
  const { db } = kernel
  const { catalog, quotes, runs, workers } = dependencies
  const format = begun.format ?? 'jsonl'
  const asked = form.profile_id === undefined ? null : catalog.profile(workspaceId, form.profile_id)
  if (!isLog(format) && !asked?.version) throw new ApiError('not_found', `The profile "${form.profile_id ?? ''}" is gone.`)
  // What an earlier attempt left half stored.
  job.commit(() => {
    dropRuns(begun)
    saveAnswerImport(db, { ...begun, runs: [] })
  })

  let found: OpenedAnswerFiles | null = null
  let landings: readonly LogLanding[] = []
  let record: AnswerImportFacts = { ...begun, runs: [] }
  const begunRuns: { readonly run: ImportedRun; readonly group: AnswerGroup }[] = []
  let stored = 0
  const profileFor = ({ profileKey, benchmark }: AnswerGroup): CatalogProfile => {
    const landing = landings[benchmark ?? -1] ?? null
    const id = asked ? asked.profile.id : profileId(landing?.benchmark.slug ?? '', versionOf(landing), profileKey)
    const profile = catalog.profile(workspaceId, id)
    if (!profile) throw new Error(`The profile ${id} is not there.`)
    return profile
  }
  const beginRun = (group: AnswerGroup): { run: ImportedRun; taskNos: readonly number[] } => {
    const entry = profileFor(group)
    if (!entry.version) throw new Error(`The profile ${entry.profile.id} has no data.`)
    const all = catalog.taskIds(entry.version.no, entry.definition)
    const tasks = group.taskIndexes.flatMap(index => all[index] ?? [])
    const selection = { entry, version: entry.version, tasks, epochs: group.epochs, model: group.model, metrics: group.metrics }
    const run = job.commit(() => {
      const quote = quotes.freezeImported(workspaceId, selection)
      const about = landings.length > 1 ? `, ${landings[group.benchmark ?? -1]?.benchmark.title ?? ''}` : ''
      const name = `${form.name ?? `${group.model}, imported`}${about}`.slice(0, 200)
      const made = runs.imported.begin({ workspaceId, principalId, name, quote, digest: answersDigest(record.files) })
      record = {
        ...record,
        profile_id: record.profile_id ?? entry.profile.id,
        runs: [...record.runs, { run_id: made.id, model: group.model, profile_id: entry.profile.id }],
      }
      saveAnswerImport(db, record)
      return made
    })
    return { run, taskNos: all.map(({ no }) => no) }
  }

  /** What the thread is to read next; null where the import has come to its end. */
  const openFiles: AnswerReceiver['opened'] = files => {
    const benchmarks = files.benchmarks.map(besideKnown)
    const warnings = [...files.facts.warnings, ...renamed(files.benchmarks, benchmarks)]
    const opened = { ...files, benchmarks, facts: { ...files.facts, warnings } }
    found = opened
    record = { ...record, ...factsOf(opened) }
    const isFaulty = opened.facts.problemCount > 0
    // Figures alone are kept in the record, and become no run.
    if (isFaulty || form.dry_run || opened.facts.figures) {
      const event = isFaulty ? 'fail' : form.dry_run ? 'preview' : 'land'
      const last = isFaulty ? sayingKept(record, folder) : record
      job.commit(() => endAnswerImport(db, event, last, timestamp(kernel.clock)))
      return null
    }
    job.commit(() => saveAnswerImport(db, record))
    for (const benchmark of opened.benchmarks)
      landings = [...landings, landLog(kernel, dependencies.media, workspaceId, benchmark, record.files)]
    record = { ...record, benchmarks: landings.map(({ benchmark }) => benchmark) }
    return { tasksOf: landings.flatMap(({ needsTasks }, i) => (needsTasks ? [i] : [])) }
  }
  let current: ReturnType<typeof beginRun> | null = null
  const storeCells: AnswerReceiver['answers'] = (group, cells) => {
    if (begunRuns.length === 0)
      job.commit(() => {
        for (const landing of landings) landing.finish()
      })
    const of = found?.groups[group]
    if (!of) throw new Error(`There is no group ${group}.`)
    if (!current) {
      current = beginRun(of)
      begunRuns.push({ run: current.run, group: of })
    }
    const { run, taskNos } = current
    job.commit(() => run.add(cells.map(({ taskIndex, ...cell }) => ({ ...cell, taskNo: taskNos[taskIndex] ?? -1 }))))
    stored += cells.length
    job.progress({ done: stored, total: found?.facts.rows.matched ?? null, message: 'Storing outputs' })
  }
  const allowed = form.fetch_media
  try {
    await workers.readAnswers(
      {
        order: answerOrder(importing, folder, asked),
        version: asked?.version ? { no: asked.version.no, scope: asked.definition } : null,
        ...(allowed && { remote: { allowed, folder: form.dry_run ? null : mediaFolder(folder) } }),
      },
      {
        opened: openFiles,
        tasks: (benchmark, rows, media) => landings[benchmark]?.add(rows, media),
        answers: storeCells,
        groupEnd: () => {
          current = null
        },
      },
      job.signal,
    )
  } catch (error) {
    for (const landing of landings) landing.drop()
    throw error
  }
  if (begunRuns.length === 0) return null
  const pairs = begunRuns.flatMap(({ run, group }) => group.pairs.map(pair => ({ run_id: run.id, ...pair })))
  job.commit(
    () => {
      for (const { run } of begunRuns) runs.imported.open(run.no)
    },
    { pairs },
  )
  return pairs
}

function mappingOf(mapping: OpenedAnswerFiles['facts']['mapping']): AnswerImportFacts['mapping'] {
  if (mapping === null) return null
  const { scores, ...columns } = mapping
  return { ...columns, ...(scores && { scores: scores.map(one => ({ ...one })) }) }
}

function versionOf(landing: LogLanding | null): string | null {
  return landing?.benchmark.source_ref?.split('/').at(-1) ?? null
}

function renamed(before: readonly LogBenchmark[], after: readonly LogBenchmark[]): string[] {
  return before.flatMap(({ definition: { slug } }, i) => {
    const { definition } = after[i] ?? {}
    if (!definition || definition.slug === slug) return []
    return [
      `"${slug}" is a benchmark that Assay knows. The tasks of the log, with the prompts as they were sent, are "${definition.title}" beside it.`,
    ]
  })
}

function factsOf({ facts, benchmarks }: OpenedAnswerFiles): Partial<AnswerImportFacts> {
  const names = new Set([...benchmarks.map(({ definition }) => definition.title), ...facts.models.map(({ model }) => model)])
  return {
    benchmarks: benchmarks.map(announcedBenchmark),
    rows: facts.rows,
    tasks: facts.tasks,
    columns: [...facts.columns],
    mapping: mappingOf(facts.mapping),
    preview: [...facts.preview],
    unmatched: [...facts.unmatched],
    missing_tasks: [...facts.missingTasks],
    errors: [...facts.problems],
    error_count: facts.problemCount,
    warnings: [...facts.warnings, ...[...names].flatMap(name => mixedScriptsCaution(name) ?? [])],
    models: [...facts.models],
    ...(facts.remote && { remote_media: facts.remote.hosts.map(host => ({ ...host })), remote_hosts: facts.remote.hostCount }),
    ...(facts.figures && { figures: [...facts.figures] }),
  }
}

/** The profile of each run. */
function profilesOf(
  { catalog }: AnswersDependencies,
  { workspaceId, record }: StoredAnswerImport,
): ReadonlyMap<string, CatalogProfile | null> {
  return new Map(
    record.runs.map(({ run_id, profile_id: own }) => {
      const id = own ?? record.profile_id
      return [run_id, id === null ? null : catalog.profile(workspaceId, id)]
    }),
  )
}
