import { sql } from 'kysely'
import { z } from 'zod'
import { BenchmarkVersion } from '../../contract/index.ts'
import type { ProfileDefinition } from '../../engine/tasks/definition.ts'
import type { Shot, Task } from '../../engine/tasks/task.ts'
import type { RecipeParts } from '../../engine/importing/recipes/recipe.ts'
import { findRecipe } from '../../engine/importing/recipes/recipes.ts'
import type { Database } from '../../storage/database.ts'
import { describeParts } from './count-parts.ts'
import { StoredDefinition, StoredProfile, StoredShots } from '../../engine/tasks/definition.schemas.ts'

export interface StoredVersion {
  readonly no: number
  /** Of its own, where a package gives it; null: its benchmark's. */
  readonly status: StoredBenchmark['status'] | null
  readonly record: BenchmarkVersion
  readonly shots: readonly Shot[]
  readonly profiles: readonly { readonly id: string; readonly definition: ProfileDefinition; readonly promptDigest: string }[]
}

export interface StoredBenchmark {
  readonly origin: 'bundled' | 'recipe' | 'imported'
  readonly status: 'candidate' | 'active' | 'quarantined' | 'retired'
  readonly definition: StoredDefinition
  /** Newest first; at least one. */
  readonly versions: readonly StoredVersion[]
}

const Files = BenchmarkVersion.shape.files

/** Every benchmark with data that the workspace can see; a workspace's own hides a bundled one of the same slug. */
export function visibleBenchmarks(db: Database, workspaceId: string, slug?: string): StoredBenchmark[] {
  let query = db.sql
    .selectFrom('benchmarks')
    .select(['no', 'workspace_id', 'slug', 'origin', 'status', 'definition'])
    .where(e => e.or([e('workspace_id', 'is', null), e('workspace_id', '=', workspaceId)]))
    .orderBy('workspace_id', e => e.desc().nullsLast())
  if (slug !== undefined) query = query.where('slug', '=', slug)
  const seen = new Set<string>()
  return db.all(query).flatMap(row => {
    if (seen.has(row.slug)) return []
    const versions = versionsOf(db, row.no, row.origin === 'recipe' ? (findRecipe(row.slug)?.parts ?? null) : null)
    if (versions.length === 0) return []
    seen.add(row.slug)
    return [{ origin: row.origin, status: row.status, definition: StoredDefinition.parse(JSON.parse(row.definition)), versions }]
  })
}

/** A version that is ready never changes, and a listing reads all of them, so each is read and parsed once. */
const read = new WeakMap<Database, Map<string, Content>>()

/** What of a version never changes. */
type Content = Omit<StoredVersion, 'status'>

function versionsOf(db: Database, benchmarkNo: number, parts: RecipeParts | null): StoredVersion[] {
  const known = read.get(db) ?? new Map<string, Content>()
  read.set(db, known)
  const rows = db
    .prepare(`select no, digest, status from benchmark_versions
       where benchmark_no = ? and state = 'ready' and status is not 'hidden' order by no desc`)
    .all(benchmarkNo) as { no: number; digest: string; status: StoredVersion['status'] }[] // the columns asked for, of a strict table
  return rows.map(({ no, digest, status }) => {
    const version = known.get(`${no} ${digest}`) ?? readVersion(db, no, parts)
    known.set(`${no} ${digest}`, version)
    return { ...version, status }
  })
}

function readVersion(db: Database, no: number, parts: RecipeParts | null): Content {
  const row = db.first(db.sql.selectFrom('benchmark_versions').selectAll().where('no', '=', no))
  if (!row) throw new RangeError(`There is no version ${no}.`)
  return {
    no: row.no,
    shots: StoredShots.parse(JSON.parse(row.shots)),
    profiles: profilesOf(db, row.no),
    record: {
      version: row.version,
      source_ref: row.source_ref,
      digest: row.digest,
      task_counts: countTasks(db, row.no, row.task_count),
      parts: parts && describeParts(parts, countParts(db, row.no, parts.by)),
      files: Files.parse(JSON.parse(row.files)),
      created_at: row.created_at,
    },
  }
}

function profilesOf(db: Database, versionNo: number): StoredVersion['profiles'] {
  return db
    .all(
      db.sql.selectFrom('profiles').select(['id', 'definition', 'prompt_digest']).where('version_no', '=', versionNo).orderBy('position'),
    )
    .map(row => ({ id: row.id, definition: StoredProfile.parse(JSON.parse(row.definition)), promptDigest: row.prompt_digest }))
}

function countParts(db: Database, versionNo: number, by: string): Map<string, number> {
  const rows = db.all(
    db.sql
      .selectFrom('tasks')
      .select(e => [e.fn<string>('json_extract', ['facets', e.val(`$.${by}`)]).as('part'), e.fn.countAll<number>().as('n')])
      .where('version_no', '=', versionNo)
      .groupBy('part'),
  )
  return new Map(rows.map(row => [row.part, row.n]))
}

const Count = z.int()

/** By an index of the canonical ones: reading all tasks would stop the loop for a second where there are a million. */
function countTasks(db: Database, versionNo: number, tasks: number): Record<string, number> {
  const row = db.first(
    db.sql
      .selectFrom('tasks')
      .select(e => e.fn.countAll<number>().as('n'))
      .where('version_no', '=', versionNo)
      // Literally, as the index needs it.
      .where('split', '=', sql.lit<'canonical'>('canonical')),
  )
  const canonical = Count.parse(row?.n)
  const counts: Readonly<Record<Task['split'], number>> = { canonical, test: tasks - canonical }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
