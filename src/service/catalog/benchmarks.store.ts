import { sql } from 'kysely'
import { z } from 'zod'
import { BenchmarkVersion } from '../../contract/catalog/benchmarks.schemas.ts'
import type { ProfileDefinition } from '../../engine/tasks/definition.ts'
import type { Shot, Task } from '../../engine/tasks/task.ts'
import type { RecipeParts } from '../../engine/importing/recipes/recipe.ts'
import { findRecipe } from '../../engine/importing/recipes/recipes.ts'
import type { Database } from '../../storage/database.ts'
import type { Filing } from '../../storage/reads/filed-items.ts'
import { describeParts } from './count-parts.ts'
import { countTaskIds } from './tasks.store.ts'
import { StoredDefinition, StoredProfile, StoredShots } from '../../engine/tasks/definition.schemas.ts'

/** A profile of a version. */
interface StoredProfileOf {
  readonly id: string
  readonly definition: ProfileDefinition
  readonly promptDigest: string
  /** How many tasks it asks. */
  readonly tasks: number
}

export interface StoredVersion {
  readonly no: number
  /** Of its own, where a package gives it; null: its benchmark's. */
  readonly status: StoredBenchmark['status'] | null
  readonly record: BenchmarkVersion
  readonly shots: readonly Shot[]
  readonly profiles: readonly StoredProfileOf[]
}

export interface StoredBenchmark {
  readonly origin: 'bundled' | 'recipe' | 'imported'
  readonly status: 'candidate' | 'active' | 'quarantined' | 'retired'
  readonly definition: StoredDefinition
  /** Newest first; at least one. */
  readonly versions: readonly StoredVersion[]
}

const Files = BenchmarkVersion.shape.files

/** Whether a benchmark, by its slug, is in the folder and archived as asked for. */
export function filedBenchmarks(db: Database, workspaceId: string, { archived = 'any', folder }: Filing): (slug: string) => boolean {
  const rows = db.all(
    db.sql
      .selectFrom('item_marks')
      .select(['id', 'folder', 'archived_at'])
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', 'benchmark'),
  )
  const marks = new Map(rows.map(row => [row.id, row]))
  return slug => {
    const mark = marks.get(slug)
    const isArchived = (mark?.archived_at ?? null) !== null
    return (archived === 'any' || isArchived === (archived === 'true')) && (folder === undefined || mark?.folder === folder)
  }
}

/** Every benchmark with data that the workspace can see; a workspace's own hides a bundled one of the same slug. */
export function visibleBenchmarks(db: Database, workspaceId: string, slug?: string): StoredBenchmark[] {
  let query = db.sql
    .selectFrom('benchmarks')
    .select(['no', 'workspace_id', 'slug', 'origin', 'status', 'definition'])
    .where(e => e.or([e('workspace_id', 'is', null), e('workspace_id', '=', workspaceId)]))
    .orderBy('workspace_id', e => e.desc().nullsLast())
  if (slug !== undefined) query = query.where('slug', '=', slug)
  const rows = db.all(query)
  const visible = visibleVersions(
    db,
    rows.map(row => row.no),
  )
  const seen = new Set<string>()
  return rows.flatMap(row => {
    if (seen.has(row.slug)) return []
    const parts = row.origin === 'recipe' ? (findRecipe(row.slug)?.parts ?? null) : null
    const versions = (visible.get(row.no) ?? []).map(version => withContent(db, version, parts))
    if (versions.length === 0) return []
    seen.add(row.slug)
    return [{ origin: row.origin, status: row.status, definition: definitionOf(db, row.no, row.definition), versions }]
  })
}

/** A version that is ready never changes, and a listing reads all of them, so each is read and parsed once. */
const read = new WeakMap<Database, { readonly contents: Map<string, Content>; readonly definitions: Map<number, ReadDefinition> }>()

/** What of a version never changes. */
type Content = Omit<StoredVersion, 'status'>

/** A benchmark's definition as last read; a new version may change it. */
interface ReadDefinition {
  readonly json: string
  readonly definition: StoredDefinition
}

interface VersionRow {
  readonly benchmark_no: number
  readonly no: number
  readonly digest: string
  readonly status: StoredVersion['status']
}

/** Versions that people see, newest first, by the benchmark. */
function visibleVersions(db: Database, benchmarkNos: readonly number[]): Map<number, VersionRow[]> {
  const rows = db
    .prepare(`select benchmark_no, no, digest, status from benchmark_versions
       where benchmark_no in (select value from json_each(?)) and state = 'ready' and status is not 'hidden' order by no desc`)
    .all(JSON.stringify(benchmarkNos)) as VersionRow[] // the columns asked for, of a strict table
  return Map.groupBy(rows, row => row.benchmark_no)
}

function withContent(db: Database, { no, digest, status }: VersionRow, parts: RecipeParts | null): StoredVersion {
  const { contents } = readOf(db)
  const version = contents.get(`${no} ${digest}`) ?? readVersion(db, no, parts)
  contents.set(`${no} ${digest}`, version)
  return { ...version, status }
}

function definitionOf(db: Database, benchmarkNo: number, json: string): StoredDefinition {
  const { definitions } = readOf(db)
  const known = definitions.get(benchmarkNo)
  if (known?.json === json) return known.definition
  const definition = StoredDefinition.parse(JSON.parse(json))
  definitions.set(benchmarkNo, { json, definition })
  return definition
}

function readOf(db: Database) {
  const known = read.get(db)
  if (known) return known
  const nothing = { contents: new Map<string, Content>(), definitions: new Map<number, ReadDefinition>() }
  read.set(db, nothing)
  return nothing
}

function readVersion(db: Database, no: number, parts: RecipeParts | null): Content {
  const row = db.first(db.sql.selectFrom('benchmark_versions').selectAll().where('no', '=', no))
  if (!row) throw new RangeError(`There is no version ${no}.`)
  const counts = countTasks(db, row.no, row.task_count)
  return {
    no: row.no,
    shots: StoredShots.parse(JSON.parse(row.shots)),
    profiles: profilesOf(db, row.no, counts),
    record: {
      version: row.version,
      source_ref: row.source_ref,
      digest: row.digest,
      task_counts: counts,
      parts: parts && describeParts(parts, countParts(db, row.no, parts.by)),
      files: Files.parse(JSON.parse(row.files)),
      created_at: row.created_at,
    },
  }
}

function profilesOf(db: Database, versionNo: number, counts: Readonly<Record<string, number>>): StoredVersion['profiles'] {
  return db
    .all(
      db.sql.selectFrom('profiles').select(['id', 'definition', 'prompt_digest']).where('version_no', '=', versionNo).orderBy('position'),
    )
    .map(row => {
      const definition = StoredProfile.parse(JSON.parse(row.definition))
      const tasks = definition.only ? countTaskIds(db, versionNo, definition) : (counts[definition.split] ?? 0)
      return { id: row.id, definition, promptDigest: row.prompt_digest, tasks }
    })
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
