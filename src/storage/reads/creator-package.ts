import { z } from 'zod'
import type { Database } from '../database.ts'
import { decodeTask } from '../task-content.ts'

const ContentRow = z.object({ content: z.instanceof(Uint8Array) })
const Row = z.object({ content: z.instanceof(Uint8Array), public_key: z.string().nullable(), workspace_id: z.string() })

/** The bytes of a package and the key of its namespace. */
export function readStoredPackage(
  db: Database,
  id: string,
): { readonly content: Buffer; readonly publicKey: string | null; readonly workspaceId: string } {
  const row = Row.parse(
    db
      .prepare(
        `select p.content, n.public_key, p.workspace_id from creator_packages p join creator_namespaces n on n.name = p.namespace where p.id = ?`,
      )
      .get(id),
  )
  return { content: Buffer.from(row.content), publicKey: row.public_key, workspaceId: row.workspace_id }
}

/** The bytes of the package that a benchmark version was made from; null where it was not made from one. */
export function readPackageOfVersion(db: Database, versionNo: number): Buffer | null {
  const row = db.prepare('select content from creator_packages where benchmark_version_no = ?').get(versionNo)
  return row === undefined ? null : Buffer.from(ContentRow.parse(row).content)
}

/**
 * The fields of every task in the other sources of a workspace.
 * @param slug of the package, whose own versions do not count; neither do withdrawn ones
 */
export function* otherTasks(db: Database, workspaceId: string, slug: string): Generator<Readonly<Record<string, string>>> {
  const rows = db
    .prepare(
      `select t.content from tasks t join benchmark_versions v on v.no = t.version_no join benchmarks b on b.no = v.benchmark_no
       where v.state = 'ready' and (v.status is null or v.status <> 'retired') and (b.workspace_id = ? or b.workspace_id is null) and b.slug <> ?`,
    )
    .iterate(workspaceId, slug)
  for (const row of rows) yield decodeTask(ContentRow.parse(row).content).fields
}
