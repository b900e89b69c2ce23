import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { BenchmarkVersion } from '../../contract/catalog/benchmarks.schemas.ts'
import { notFound } from '../../contract/errors.ts'
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
  /** Of a world only what lists show: `fullProfile` has its tools. */
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
    const parts = partsOf(row.origin, row.slug)
    const versions = (visible.get(row.no) ?? []).map(version => withContent(db, version, parts))
    if (versions.length === 0) return []
    seen.add(row.slug)
    return [{ origin: row.origin, status: row.status, definition: definitionOf(db, row.no, row.definition), versions }]
  })
}

/** A version that is ready never changes, and a listing reads all of them, so each is read and parsed once. */
const read = new WeakMap<Database, Remembered>()

interface Remembered {
  readonly contents: LRUCache<string, Content>
  readonly definitions: Map<number, ReadDefinition>
  readonly full: LRUCache<string, ProfileDefinition>
}

/** Characters of what is remembered of versions, and of whole profiles: of one, its world may have megabytes. */
const [mostOfContents, mostOfProfiles] = [64 * 1024 * 1024, 32 * 1024 * 1024]

/** The part of a version that never changes. */
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
  /** Tells it from a deleted version that had the same number. */
  readonly created_at: string
  readonly status: StoredVersion['status']
}

/** Versions that people see, newest first, by the benchmark. */
function visibleVersions(db: Database, benchmarkNos: readonly number[]): Map<number, VersionRow[]> {
  const rows = db
    .prepare(`select benchmark_no, no, digest, created_at, status from benchmark_versions
       where benchmark_no in (select value from json_each(?)) and state = 'ready' and status is not 'hidden' order by no desc`)
    .all(JSON.stringify(benchmarkNos)) as VersionRow[] // the columns asked for, of a strict table
  return Map.groupBy(rows, row => row.benchmark_no)
}

function withContent(db: Database, { no, digest, created_at: at, status }: VersionRow, parts: RecipeParts | null): StoredVersion {
  const { contents } = readOf(db)
  const key = keyOf({ no, digest, created_at: at })
  const known = contents.get(key)
  if (known) return { ...known, status }
  const version = readVersion(db, no, parts)
  contents.set(key, version)
  return { ...version, status }
}

const keyOf = ({ no, digest, created_at: at }: Pick<VersionRow, 'no' | 'digest' | 'created_at'>): string => `${no} ${digest} ${at}`

/** Reads what a listing needs of each version in a turn of its own: one with a large world takes a tenth of a second. @param slugs of the benchmarks; absent: all */
export async function readAhead(db: Database, workspaceId: string, slugs?: readonly string[]): Promise<void> {
  const { contents } = readOf(db)
  let query = db.sql
    .selectFrom('benchmarks')
    .select(['no', 'slug', 'origin'])
    .where(e => e.or([e('workspace_id', 'is', null), e('workspace_id', '=', workspaceId)]))
  if (slugs) query = query.where('slug', 'in', slugs)
  const found = db.all(query)
  const versions = visibleVersions(
    db,
    found.map(({ no }) => no),
  )
  for (const { no, slug, origin } of found)
    for (const row of versions.get(no) ?? []) {
      if (contents.has(keyOf(row))) continue
      await nextTurn()
      // It may have been deleted meanwhile, and its number given to another.
      if (db.first(db.sql.selectFrom('benchmark_versions').select('no').where('no', '=', row.no).where('created_at', '=', row.created_at)))
        withContent(db, row, partsOf(origin, slug))
    }
}

const partsOf = (origin: StoredBenchmark['origin'], slug: string): RecipeParts | null =>
  origin === 'recipe' ? (findRecipe(slug)?.parts ?? null) : null

/** A profile with all of its world. */
export function fullProfile(db: Database, { no, record }: Pick<StoredVersion, 'no' | 'record'>, id: string): ProfileDefinition {
  const { full } = readOf(db)
  const key = `${keyOf({ no, ...record })} ${id}`
  const known = full.get(key)
  if (known) return known
  const row = db.first(db.sql.selectFrom('profiles').select('definition').where('id', '=', id).where('version_no', '=', no))
  if (!row) throw notFound('profile', id)
  const definition = StoredProfile.parse(JSON.parse(row.definition))
  full.set(key, definition, { size: row.definition.length })
  return definition
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
  const nothing: Remembered = {
    contents: new LRUCache({ maxSize: mostOfContents, sizeCalculation: each => JSON.stringify(each).length }),
    definitions: new Map(),
    full: new LRUCache({ maxSize: mostOfProfiles }),
  }
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
      const definition = StoredProfile.parse(withoutTools(JSON.parse(row.definition)))
      const tasks = definition.only ? countTaskIds(db, versionNo, definition) : (counts[definition.split] ?? 0)
      return { id: row.id, definition, promptDigest: row.prompt_digest, tasks }
    })
}

const WithTools = z.looseObject({
  environment: z.looseObject({
    world: z.looseObject({
      tools: z.array(z.object({ name: z.unknown(), behavior: z.object({ kind: z.unknown(), server: z.unknown().optional() }) })),
    }),
  }),
})
/** What each kind of tool must have. */
const nothingOf = { canned: { results: [] }, function: { source: ' ' }, mcp: { results: [] }, model: {} } as const
const isKind = (kind: unknown): kind is keyof typeof nothingOf => typeof kind === 'string' && Object.hasOwn(nothingOf, kind)

/** Names and kinds of a world's tools stay: their results and sources may be megabytes, and lists show neither. */
function withoutTools(profile: unknown): unknown {
  const parsed = WithTools.safeParse(profile)
  if (!parsed.success) return profile
  const { environment } = parsed.data
  const tools = environment.world.tools.map(({ name, behavior }) => ({
    name,
    behavior: { ...behavior, ...(isKind(behavior.kind) && nothingOf[behavior.kind]) },
  }))
  return { ...parsed.data, environment: { ...environment, world: { ...environment.world, tools } } }
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
