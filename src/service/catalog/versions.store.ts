import { BenchmarkVersion } from '../../contract/catalog/benchmarks.schemas.ts'
import type { BenchmarkContent, BenchmarkDefinition } from '../../engine/tasks/definition.ts'
import { promptDigest } from '../../engine/content/benchmarks/prompt-digest.ts'
import { profileId, sourceRef } from '../../engine/content/benchmarks/source-ref.ts'
import type { Task } from '../../engine/tasks/task.ts'
import type { Database } from '../../storage/database.ts'
import { nextNumber } from '../../storage/row-numbers.ts'
import { withoutFlush } from '../../storage/without-flush.ts'
import { type TaskRow, toTaskRow } from '../../workers/task-row.ts'

interface NewVersion {
  readonly workspaceId: string | null
  readonly origin: 'bundled' | 'recipe' | 'imported'
  readonly definition: BenchmarkDefinition
  readonly content: Pick<BenchmarkContent, 'version' | 'shots'>
  readonly digest: string
  readonly taskCount: number
  readonly files: BenchmarkVersion['files']
  readonly createdAt: string
}

/** Makes an invisible version whose tasks are still to come; answers its number. */
export function beginVersion(db: Database, { workspaceId, origin, definition, content, ...version }: NewVersion): number {
  return db.transaction(() => {
    const { lastInsertRowid: no } = db.run(
      db.sql.insertInto('benchmark_versions').values({
        benchmark_no: benchmarkNoOf(db, { workspaceId, origin, definition, createdAt: version.createdAt }),
        version: content.version,
        source_ref: sourceRef(definition.provider, definition.name, content.version),
        digest: version.digest,
        task_count: version.taskCount,
        files: JSON.stringify(version.files),
        shots: JSON.stringify(content.shots),
        state: 'staging',
        created_at: version.createdAt,
      }),
    )
    for (const [position, profile] of definition.profiles.entries()) {
      db.run(
        db.sql.insertInto('profiles').values({
          id: profileId(definition.slug, content.version, profile.key),
          version_no: no,
          position,
          definition: JSON.stringify(profile),
          prompt_digest: promptDigest(profile, content.shots),
        }),
      )
    }
    return no
  })
}

function benchmarkNoOf(
  db: Database,
  { workspaceId, origin, definition, createdAt }: Pick<NewVersion, 'workspaceId' | 'origin' | 'definition' | 'createdAt'>,
): number {
  const { profiles: _, ...rest } = definition
  const change = {
    origin,
    title: definition.title,
    runner: definition.runner,
    definition: JSON.stringify(rest),
    search: [definition.title, definition.summary, definition.slug, ...definition.capabilities].join(' ').toLowerCase(),
  }
  const known = db.first(
    db.sql
      .selectFrom('benchmarks')
      .select('no')
      .where('slug', '=', definition.slug)
      .where('workspace_id', workspaceId === null ? 'is' : '=', workspaceId),
  )
  if (known) {
    db.run(db.sql.updateTable('benchmarks').set(change).where('no', '=', known.no))
    return known.no
  }
  return db.run(
    db.sql
      .insertInto('benchmarks')
      .values({ ...change, workspace_id: workspaceId, slug: definition.slug, status: 'active', created_at: createdAt }),
  ).lastInsertRowid
}

/** Adds tasks to a version that is still invisible. @param from place of the first of them */
export function addTasks(db: Database, versionNo: number, tasks: readonly Task[], from: number, facetsOf: readonly string[]): void {
  addTaskRows(
    db,
    versionNo,
    tasks.map(task => toTaskRow(task, facetsOf)),
    from,
  )
}

/**
 * The same, of tasks that another thread has made ready, without waiting for the disk each time: the version is invisible until
 * `finishVersion`, and the flush of that transaction takes all earlier ones with it. Not for use inside a transaction.
 */
export function stageTaskRows(db: Database, versionNo: number, rows: readonly TaskRow[], from: number): void {
  withoutFlush(db, () => addTaskRows(db, versionNo, rows, from))
}

function addTaskRows(db: Database, versionNo: number, rows: readonly TaskRow[], from: number): void {
  const insert = db.prepare(
    `insert into tasks (no, version_no, position, task_id, split, preview, input_characters, choices, capabilities, depends_on, facets, shape, content)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  db.transaction(() => {
    const first = nextNumber(db, 'tasks')
    for (const [i, row] of rows.entries()) {
      const { taskId, split, preview, inputCharacters, choices, capabilities, dependsOn, facets, shape, content } = row
      insert.run(
        first + i,
        versionNo,
        from + i,
        taskId,
        split,
        preview,
        inputCharacters,
        choices,
        capabilities,
        dependsOn,
        facets,
        shape,
        content,
      )
    }
  })
}

/** Makes a version visible: from here on it is immutable. */
export function finishVersion(db: Database, versionNo: number): void {
  db.run(db.sql.updateTable('benchmark_versions').set({ state: 'ready' }).where('no', '=', versionNo).where('state', '=', 'staging'))
}

/** The version behind a source ref of a workspace's own; hidden ones too. */
export function ownVersionNo(db: Database, workspaceId: string, ref: string): number | null {
  const row = db.first(
    db.sql
      .selectFrom('benchmark_versions')
      .innerJoin('benchmarks', 'benchmarks.no', 'benchmark_versions.benchmark_no')
      .select('benchmark_versions.no')
      .where('benchmarks.workspace_id', '=', workspaceId)
      .where('benchmark_versions.source_ref', '=', ref)
      .where('benchmark_versions.state', '=', 'ready'),
  )
  return row?.no ?? null
}

/** Says what may be done with a version that a package gives. Its content never changes. */
export function setVersionStatus(
  db: Database,
  versionNo: number,
  status: 'hidden' | 'candidate' | 'active' | 'quarantined' | 'retired',
): void {
  db.run(db.sql.updateTable('benchmark_versions').set({ status }).where('no', '=', versionNo))
}

/** Removes a version that nothing can refer to, since it was never shown. */
export function dropHidden(db: Database, versionNo: number): void {
  db.transaction(() => {
    db.run(db.sql.updateTable('benchmark_versions').set({ state: 'staging' }).where('no', '=', versionNo).where('status', '=', 'hidden'))
    dropStaging(db, versionNo)
  })
}

/** Removes what a stop or a failure left half done. */
export function dropStaging(db: Database, versionNo?: number): void {
  let query = db.sql.deleteFrom('benchmark_versions').where('state', '=', 'staging')
  if (versionNo !== undefined) query = query.where('no', '=', versionNo)
  db.transaction(() => {
    db.run(query)
    db.run(db.sql.deleteFrom('benchmarks').where('no', 'not in', db.sql.selectFrom('benchmark_versions').select('benchmark_no')))
  })
}

/** Versions of a workspace's benchmark by what makes them the same: their content, or their name; any version where neither is given. */
export function findOwnVersion(
  db: Database,
  workspaceId: string,
  slug: string,
  { digest, version }: { readonly digest?: string; readonly version?: string },
): { readonly sourceRef: string } | null {
  let query = db.sql
    .selectFrom('benchmark_versions')
    .innerJoin('benchmarks', 'benchmarks.no', 'benchmark_versions.benchmark_no')
    .select('benchmark_versions.source_ref as sourceRef')
    .where('benchmarks.workspace_id', '=', workspaceId)
    .where('benchmarks.slug', '=', slug)
    .where('benchmark_versions.state', '=', 'ready')
  if (digest !== undefined) query = query.where('benchmark_versions.digest', '=', digest)
  if (version !== undefined) query = query.where('benchmark_versions.version', '=', version)
  return db.first(query) ?? null
}

/** The version that an import extends, with the files that it was made of. */
export function findBase(
  db: Database,
  workspaceId: string,
  slug: string,
  ref: string,
): { readonly no: number; readonly files: BenchmarkVersion['files'] } | null {
  const row = db.first(
    db.sql
      .selectFrom('benchmark_versions')
      .innerJoin('benchmarks', 'benchmarks.no', 'benchmark_versions.benchmark_no')
      .select(['benchmark_versions.no', 'benchmark_versions.files'])
      .where('benchmarks.workspace_id', '=', workspaceId)
      .where('benchmarks.slug', '=', slug)
      .where('benchmark_versions.source_ref', '=', ref)
      .where('benchmark_versions.state', '=', 'ready'),
  )
  return row ? { no: row.no, files: BenchmarkVersion.shape.files.parse(JSON.parse(row.files)) } : null
}

/** Whether a benchmark that ships with Assay is there in a version. */
export function hasBundledVersion(db: Database, slug: string, version: string): boolean {
  const query = db.sql
    .selectFrom('benchmark_versions')
    .innerJoin('benchmarks', 'benchmarks.no', 'benchmark_versions.benchmark_no')
    .select('benchmark_versions.no')
    .where('benchmarks.workspace_id', 'is', null)
    .where('benchmarks.slug', '=', slug)
    .where('benchmark_versions.version', '=', version)
    .where('benchmark_versions.state', '=', 'ready')
  return db.first(query) !== undefined
}
