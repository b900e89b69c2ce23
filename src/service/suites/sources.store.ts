import { z } from 'zod'
import { parseAlias } from '../../engine/content/benchmarks/source-ref.ts'
import type { Database } from '../../storage/database.ts'
import { findVersion } from '../catalog/index.ts'

/** A benchmark version that tasks are selected from. */
export interface Source {
  readonly no: number
  readonly sourceRef: string
  readonly digest: string
  readonly slug: string
  readonly title: string
  readonly status: 'candidate' | 'active' | 'quarantined' | 'retired'
  /** Whether every workspace can see it. */
  readonly shared: boolean
  /** Ids of its profiles, in their order. */
  readonly profileIds: readonly string[]
}

export interface SourceTask {
  readonly no: number
  readonly taskId: string
  readonly split: 'test' | 'canonical'
  readonly capabilities: readonly string[]
  readonly dependsOn: readonly string[]
}

/** The source behind an identity or alias that the workspace can see; null when there is none. */
export function findSource(db: Database, workspaceId: string, ref: string): Source | null {
  const found = findVersion(db, workspaceId, parseAlias(ref) ?? { sourceRef: ref })
  if (!found) return null
  const row = db.first(
    db.sql
      .selectFrom('benchmark_versions')
      .innerJoin('benchmarks', 'benchmarks.no', 'benchmark_versions.benchmark_no')
      .select(['benchmark_versions.digest', 'benchmarks.slug', 'benchmarks.title', 'benchmarks.status', 'benchmarks.workspace_id'])
      .where('benchmark_versions.no', '=', found.no),
  )
  if (!row) return null
  const profiles = db.all(db.sql.selectFrom('profiles').select('id').where('version_no', '=', found.no).orderBy('position'))
  return {
    no: found.no,
    sourceRef: found.source_ref,
    digest: row.digest,
    slug: row.slug,
    title: row.title,
    status: row.status,
    shared: row.workspace_id === null,
    profileIds: profiles.map(profile => profile.id),
  }
}

const Row = z.object({
  no: z.int(),
  task_id: z.string(),
  split: z.enum(['test', 'canonical']),
  capabilities: z.string(),
  depends_on: z.string(),
})
const Strings = z.array(z.string())

/** Those of the tasks that the version has, by id. */
export function findTasks(db: Database, versionNo: number, taskIds: readonly string[]): Map<string, SourceTask> {
  const select = db.prepare('select no, task_id, split, capabilities, depends_on from tasks where version_no = ? and task_id = ?')
  return new Map(
    taskIds.flatMap(id => {
      const found = select.get(versionNo, id)
      if (found === undefined) return []
      const { no, task_id: taskId, split, capabilities, depends_on: dependsOn } = Row.parse(found)
      return [
        [id, { no, taskId, split, capabilities: Strings.parse(JSON.parse(capabilities)), dependsOn: Strings.parse(JSON.parse(dependsOn)) }],
      ]
    }),
  )
}
