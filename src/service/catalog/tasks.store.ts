import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { TaskMetadata } from '../../contract/catalog/tasks.schemas.ts'
import type { TaskScope } from '../../engine/tasks/definition.ts'
import type { Task } from '../../engine/tasks/task.ts'
import type { Database } from '../../storage/database.ts'
import type { Tables } from '../../storage/schema/tables.ts'
import { decodeTask } from '../../storage/task-content.ts'

const Strings = z.array(z.string())
const TaskRow = z.object({ content: z.instanceof(Uint8Array) })

export function taskIds(db: Database, versionNo: number, scope: TaskScope): { no: number; taskId: string }[] {
  return db.all(
    db.sql
      .selectFrom('tasks')
      .select(['no', 'task_id as taskId'])
      .where('version_no', '=', versionNo)
      .where(e => inScope(e, scope))
      .orderBy('position'),
  )
}

/** How many tasks `taskIds` would name. */
export function countTaskIds(db: Database, versionNo: number, scope: TaskScope): number {
  const counted = db.first(
    db.sql
      .selectFrom('tasks')
      .select(e => e.fn.countAll<number>().as('n'))
      .where('version_no', '=', versionNo)
      .where(e => inScope(e, scope)),
  )
  return counted?.n ?? 0
}

function inScope(e: ExpressionBuilder<Tables, 'tasks'>, { split, only }: TaskScope): Expression<SqlBool> {
  const isOfSplit = e('split', '=', split)
  if (!only) return isOfSplit
  return e.and([isOfSplit, e(e.fn<string>('json_extract', ['facets', e.val(`$.${only.by}`)]), 'in', [...only.values])])
}

/** In the order asked. @throws Error naming a number that does not exist: a run froze it, so it must. */
export function loadTasks(db: Database, numbers: readonly number[]): Task[] {
  const select = db.prepare('select content from tasks where no = ?')
  return numbers.map(no => {
    const row = TaskRow.safeParse(select.get(no))
    if (!row.success) throw new Error(`Task ${no} is gone.`)
    return decodeTask(row.data.content)
  })
}

/** The version behind an identity that the workspace can see; its own before a bundled one. An alias is by slug, or by a name that one source has. */
export function findVersion(db: Database, workspaceId: string, ref: { sourceRef: string } | { name: string; version: string }) {
  let query = db.sql
    .selectFrom('benchmark_versions')
    .innerJoin('benchmarks', 'benchmarks.no', 'benchmark_versions.benchmark_no')
    .select(['benchmark_versions.no', 'benchmark_versions.source_ref', 'benchmarks.slug', 'benchmarks.workspace_id'])
    .where('benchmark_versions.state', '=', 'ready')
    .where(sql<boolean>`benchmark_versions.status is not 'hidden'`)
    .where(e => e.or([e('benchmarks.workspace_id', 'is', null), e('benchmarks.workspace_id', '=', workspaceId)]))
    .orderBy('benchmarks.workspace_id', e => e.desc().nullsLast())
  query =
    'sourceRef' in ref
      ? query.where('benchmark_versions.source_ref', '=', ref.sourceRef)
      : query
          .where('benchmark_versions.version', '=', ref.version)
          .where(e => e.or([e('benchmarks.slug', '=', ref.name), e(sql`json_extract(benchmarks.definition, '$.name')`, '=', ref.name)]))
  const [first, second] = db.all(query.limit(2))
  if ('sourceRef' in ref || second?.workspace_id !== first?.workspace_id) return first
  // Packages of two namespaces may share a name, which then stands for neither; a slug has its namespace and stands for one.
  return [first, second].find(one => one?.slug === ref.name)
}

export interface TasksQuery {
  readonly limit: number
  readonly offset: number
  readonly split?: 'test' | 'canonical' | undefined
}

/** @param found positions of the tasks that a search matched; null where none was made */
export function listTasks(
  db: Database,
  version: { no: number; source_ref: string },
  { limit, offset, split }: TasksQuery,
  found: readonly number[] | null,
): { items: TaskMetadata[]; total: number } {
  let matching = db.sql.selectFrom('tasks').where('version_no', '=', version.no)
  // Literally, as the index of canonical tasks needs it.
  if (split) matching = matching.where('split', '=', sql.lit(split))
  if (found) matching = matching.where('position', 'in', sql<number>`(select value from json_each(${JSON.stringify(found)}))`)
  const total = db.first(matching.select(e => e.fn.countAll<number>().as('n')))?.n ?? 0
  const rows = db.all(
    matching
      .select(['task_id', 'split', 'position', 'preview', 'input_characters', 'choices', 'capabilities', 'depends_on'])
      .orderBy('position')
      .limit(limit)
      .offset(offset),
  )
  const items = rows.map(row => ({
    task_id: row.task_id,
    source_ref: version.source_ref,
    split: row.split,
    position: row.position,
    preview: row.preview,
    input_characters: row.input_characters,
    choices: row.choices,
    capabilities: Strings.parse(JSON.parse(row.capabilities)),
    depends_on: Strings.parse(JSON.parse(row.depends_on)),
  }))
  return { items, total }
}
