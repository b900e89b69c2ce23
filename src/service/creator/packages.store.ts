import type { PackageManifest } from '../../contract/creator/manifest.schemas.ts'
import { packageMachine } from '../../contract/creator/package.machine.ts'
import { Package } from '../../contract/creator/packages.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'

export interface NewPackageRow {
  readonly id: string
  readonly workspaceId: string
  readonly manifest: PackageManifest
  readonly skeleton: string
  readonly sha256: string
  readonly content: Uint8Array
  readonly files: Package['files']
  readonly ruleset: number
  readonly uploader: { readonly kind: 'person' | 'key'; readonly id: string; readonly name: string }
  readonly createdAt: string
}

export function insertPackage(db: Database, row: NewPackageRow): void {
  const { manifest, content, uploader } = row
  db.run(
    db.sql.insertInto('creator_packages').values({
      id: row.id,
      workspace_id: row.workspaceId,
      namespace: manifest.namespace,
      name: manifest.name,
      skeleton: row.skeleton,
      version: manifest.version,
      title: manifest.title,
      status: packageMachine.initial,
      ever_accepted: 0,
      quarantined: 0,
      sha256: row.sha256,
      bytes: content.length,
      content,
      files: JSON.stringify(row.files),
      manifest: JSON.stringify(manifest),
      signature: 'none',
      task_count: 0,
      ruleset: row.ruleset,
      job_id: null,
      uploader_kind: uploader.kind,
      uploader_id: uploader.id,
      uploader_name: uploader.name,
      benchmark_version_no: null,
      created_at: row.createdAt,
    }),
  )
}

const columns = [
  'id', 'workspace_id', 'namespace', 'name', 'version', 'title', 'status', 'sha256', 'bytes', 'files', 'manifest', 'signature', 'task_count',
  'job_id', 'uploader_kind', 'uploader_id', 'uploader_name', 'benchmark_version_no', 'created_at', 'ever_accepted', 'quarantined',
] as const // biome-ignore format: a list of words

export type PackageRow = NonNullable<ReturnType<typeof findPackage>>

export function findPackage(db: Database, workspaceId: string, id: string) {
  return db.first(db.sql.selectFrom('creator_packages').select(columns).where('workspace_id', '=', workspaceId).where('id', '=', id))
}

/** Packages of a name's version, oldest first. */
export function packagesNamed(db: Database, { namespace, name, version }: Pick<PackageManifest, 'namespace' | 'name' | 'version'>) {
  return db.all(
    db.sql
      .selectFrom('creator_packages')
      .select(columns)
      .where('namespace', '=', namespace)
      .where('name', '=', name)
      .where('version', '=', version)
      .orderBy('id'),
  )
}

/** A package of the namespace with another name that reads the same. */
export function similarName(db: Database, namespace: string, name: string, skeleton: string): string | null {
  const query = db.sql.selectFrom('creator_packages').select('name')
  return db.first(query.where('namespace', '=', namespace).where('skeleton', '=', skeleton).where('name', '<>', name))?.name ?? null
}

type Change = Partial<{
  job_id: string
  signature: 'none' | 'valid' | 'invalid'
  task_count: number
  quarantined: 0 | 1
  ruleset: number
  benchmark_version_no: number | null
  ever_accepted: 1
}>

export function updatePackage(db: Database, id: string, change: Change): void {
  db.run(db.sql.updateTable('creator_packages').set(change).where('id', '=', id))
}

interface PackagesQuery extends PageQuery {
  readonly namespace?: string | undefined
  readonly status?: Package['status'] | undefined
}

export function listPackages(db: Database, workspaceId: string, { cursor, limit, namespace, status }: PackagesQuery) {
  let select = db.sql.selectFrom('creator_packages').select(columns).where('workspace_id', '=', workspaceId)
  if (namespace !== undefined) select = select.where('namespace', '=', namespace)
  if (status !== undefined) select = select.where('status', '=', status)
  return newestFirst(db, select, 'id', { endpoint: 'listPackages', filters: { workspaceId, namespace, status } }, { cursor, limit }, row =>
    toPackage(db, row),
  )
}

/** Packages whose profiles can be seen: those with a version that was accepted once. */
export function acceptedPackages(db: Database, workspaceId: string): PackageRow[] {
  return db.all(
    db.sql
      .selectFrom('creator_packages')
      .select(columns)
      .where('workspace_id', '=', workspaceId)
      .where('ever_accepted', '=', 1)
      .orderBy('id', 'desc'),
  )
}

/** Packages in use whose checks were those of an earlier ruleset. Those in quarantine wait for an owner. */
export function outdatedPackages(db: Database, ruleset: number): PackageRow[] {
  return db.all(
    db.sql
      .selectFrom('creator_packages')
      .select(columns)
      .where('status', 'in', ['accepted', 'published'])
      .where('quarantined', '=', 0)
      .where('ruleset', '<', ruleset),
  )
}

export function toPackage(db: Database, row: PackageRow): Package {
  const {
    uploader_name,
    uploader_id: _i,
    uploader_kind: _k,
    workspace_id: _w,
    benchmark_version_no,
    ever_accepted: _e,
    task_count,
    quarantined,
    ...rest
  } = row
  return Package.parse({
    ...rest,
    files: JSON.parse(row.files),
    manifest: row.manifest === null ? null : JSON.parse(row.manifest),
    quarantined: quarantined === 1,
    checks: checkCounts(db, row.id),
    profile_ids: benchmark_version_no === null ? [] : profileIds(db, benchmark_version_no),
    tasks: task_count === 0 ? null : task_count,
    uploaded_by: uploader_name,
  })
}

function profileIds(db: Database, versionNo: number): string[] {
  const rows = db.all(db.sql.selectFrom('profiles').select('id').where('version_no', '=', versionNo).orderBy('position'))
  return rows.map(({ id }) => id)
}

export function checkCounts(db: Database, packageId: string): Package['checks'] {
  const rows = db.all(
    db.sql
      .selectFrom('creator_reviews')
      .select(['outcome', e => e.fn.countAll<number>().as('n')])
      .where('id', 'in', e =>
        e
          .selectFrom('creator_reviews')
          .select(latest => latest.fn.max('id').as('id'))
          .where('package_id', '=', packageId)
          .where('kind', '=', 'automated')
          .where('outcome', '<>', 'error')
          .groupBy('check_name'),
      )
      .groupBy('outcome'),
  )
  const count = (outcome: string) => rows.find(row => row.outcome === outcome)?.n ?? 0
  return { pass: count('pass'), warn: count('warn'), fail: count('fail') }
}

/** Whether the workspace has another member who could review. */
export function hasOtherMember(db: Database, workspaceId: string, personId: string): boolean {
  const others = db.sql.selectFrom('members').select('person_id').where('workspace_id', '=', workspaceId).where('person_id', '<>', personId)
  return db.first(others) !== undefined
}
