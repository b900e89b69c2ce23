import { createHash } from 'node:crypto'
import type { BenchmarkVersion } from '../../contract/index.ts'
import type { BenchmarkContent, BenchmarkDefinition, ProfileDefinition } from '../../engine/benchmarks/definition.ts'
import type { Shot, Task } from '../../engine/tasks/task.ts'
import type { Database } from '../../storage/database.ts'
import { encodeTask } from '../../storage/task-content.ts'

export interface NewVersion {
  readonly workspaceId: string | null
  readonly origin: 'bundled' | 'recipe' | 'imported'
  readonly definition: BenchmarkDefinition
  readonly content: Pick<BenchmarkContent, 'version' | 'shots'>
  readonly digest: string
  readonly taskCount: number
  readonly files: BenchmarkVersion['files']
  readonly createdAt: string
}

export function sourceRef(definition: Pick<BenchmarkDefinition, 'provider' | 'name'>, version: string): string {
  return `eval://${definition.provider}/${definition.name}/${version}`
}

/** SHA-256 over what decides a prompt and its answer: the same digest means the same question was asked. */
export function promptDigest(profile: ProfileDefinition, shots: readonly Shot[]): string {
  const { systemPrompt, promptTemplate, shotTemplate, generation } = profile
  return createHash('sha256')
    .update(JSON.stringify([systemPrompt, promptTemplate, shotTemplate, shots.slice(0, profile.shots), generation]))
    .digest('hex')
}

/** Makes an invisible version whose tasks are still to come; answers its number. */
export function beginVersion(db: Database, version: NewVersion): number {
  return db.transaction(() => {
    const benchmarkNo = benchmarkNoOf(db, version)
    const { lastInsertRowid: no } = db.run(
      db.sql.insertInto('benchmark_versions').values({
        benchmark_no: benchmarkNo,
        version: version.content.version,
        source_ref: sourceRef(version.definition, version.content.version),
        digest: version.digest,
        task_count: version.taskCount,
        files: JSON.stringify(version.files),
        shots: JSON.stringify(version.content.shots),
        state: 'staging',
        created_at: version.createdAt,
      }),
    )
    for (const [position, profile] of version.definition.profiles.entries()) {
      db.run(
        db.sql.insertInto('profiles').values({
          id: `${version.definition.slug}@${version.content.version}:${profile.key}`,
          version_no: no,
          position,
          definition: JSON.stringify(profile),
          prompt_digest: promptDigest(profile, version.content.shots),
        }),
      )
    }
    return no
  })
}

function benchmarkNoOf(db: Database, { workspaceId, origin, definition, createdAt }: NewVersion): number {
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
    db.sql.insertInto('benchmarks').values({ ...change, workspace_id: workspaceId, slug: definition.slug, status: 'active', created_at: createdAt }),
  ).lastInsertRowid
}

/** Adds tasks to a version that is still invisible. @param from place of the first of them */
export function addTasks(db: Database, versionNo: number, tasks: readonly Task[], from: number, facetsOf: readonly string[]): void {
  const insert = db.prepare(
    `insert into tasks (version_no, position, task_id, split, preview, input_characters, choices, capabilities, depends_on, facets, content)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  db.transaction(() => {
    for (const [i, task] of tasks.entries()) {
      const input = Object.values(task.fields).join(' ')
      insert.run(
        versionNo,
        from + i,
        task.id,
        task.split,
        previewOf(input),
        input.length,
        task.choices?.length ?? null,
        JSON.stringify(task.capabilities),
        JSON.stringify(task.dependsOn),
        JSON.stringify(facets(task, facetsOf)),
        encodeTask(task),
      )
    }
  })
}

/** At most 120 characters and at most half of the input, so that a preview never gives a whole task away. */
export function previewOf(input: string): string {
  return input.slice(0, Math.min(120, Math.floor(input.length / 2))).toWellFormed()
}

function facets(task: Task, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = task.metadata[name]
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)]] : []
    }),
  )
}

/** Makes a version visible: from here on it is immutable. */
export function finishVersion(db: Database, versionNo: number): void {
  db.run(db.sql.updateTable('benchmark_versions').set({ state: 'ready' }).where('no', '=', versionNo).where('state', '=', 'staging'))
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
