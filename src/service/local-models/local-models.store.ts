import { LocalModelSettings } from '../../contract/local-models/local-models.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { GgufRead } from '../../workers/gguf-header.ts'

export interface StoredFile {
  readonly path: string
  readonly bytes: number
  readonly modifiedMs: number
  readonly header: GgufRead
  readonly sha256: string | null
  readonly isAdded: boolean
}

/** What was read of the files, by path. */
export function storedFiles(db: Database): Map<string, StoredFile> {
  const rows = db.all(db.sql.selectFrom('local_model_files').select(['path', 'size_bytes', 'modified_ms', 'header', 'sha256', 'is_added']))
  return new Map(
    rows.map(row => [
      row.path,
      {
        path: row.path,
        bytes: row.size_bytes,
        modifiedMs: row.modified_ms,
        header: GgufRead.parse(JSON.parse(row.header)),
        sha256: row.sha256,
        isAdded: row.is_added === 1,
      },
    ]),
  )
}

/** Another file at a path takes the place of the one before, with its identity. */
export function storeFile(db: Database, { path, bytes, modifiedMs, header, isAdded }: Omit<StoredFile, 'sha256'>, now: string): void {
  const values = { size_bytes: bytes, modified_ms: modifiedMs, header: JSON.stringify(header), read_at: now }
  db.run(
    db.sql
      .insertInto('local_model_files')
      .values({ path, ...values, sha256: null, is_added: isAdded ? 1 : 0 })
      .onConflict(conflict =>
        conflict.column('path').doUpdateSet({ ...values, sha256: null, ...(isAdded ? { is_added: 1 as const } : {}) }),
      ),
  )
}

export function markAdded(db: Database, path: string): void {
  db.run(db.sql.updateTable('local_model_files').set({ is_added: 1 }).where('path', '=', path))
}

/** @param of the file as it was read; nothing is stored where it has changed since */
export function storeDigest(db: Database, of: Pick<StoredFile, 'path' | 'bytes' | 'modifiedMs'>, sha256: string): void {
  db.run(
    db.sql
      .updateTable('local_model_files')
      .set({ sha256 })
      .where('path', '=', of.path)
      .where('size_bytes', '=', of.bytes)
      .where('modified_ms', '=', of.modifiedMs),
  )
}

export function listFolders(db: Database): { readonly id: string; readonly path: string }[] {
  return db.all(db.sql.selectFrom('local_model_folders').select(['id', 'path']).orderBy('path'))
}

export function insertFolder(db: Database, folder: { readonly id: string; readonly path: string }, now: string): void {
  db.run(db.sql.insertInto('local_model_folders').values({ ...folder, added_at: now }))
}

export function deleteFolder(db: Database, id: string): void {
  db.run(db.sql.deleteFrom('local_model_folders').where('id', '=', id))
}

export const usualSettings: LocalModelSettings = { context_tokens: 4096, parallel: 4, idle_minutes: 10, cache_type: 'f32', threads: null }

export function readSettings(db: Database): LocalModelSettings {
  const [row] = db.all(db.sql.selectFrom('local_model_settings').select('settings').where('no', '=', 1))
  return row ? LocalModelSettings.parse({ ...usualSettings, ...JSON.parse(row.settings) }) : usualSettings
}

export function writeSettings(db: Database, settings: LocalModelSettings): void {
  const text = JSON.stringify(settings)
  db.run(
    db.sql
      .insertInto('local_model_settings')
      .values({ no: 1, settings: text })
      .onConflict(conflict => conflict.column('no').doUpdateSet({ settings: text })),
  )
}

/** Tokens per second of one request alone. */
export interface Speed {
  readonly prompt: number
  readonly generated: number
  readonly measuredAt: string
}

/** @param loadedWith digest, settings and backend */
export function readSpeed(db: Database, loadedWith: string): Speed | null {
  const [row] = db.all(db.sql.selectFrom('local_model_speeds').selectAll().where('loaded_with', '=', loadedWith))
  return row ? { prompt: row.prompt_tokens_per_second, generated: row.generated_tokens_per_second, measuredAt: row.measured_at } : null
}

export function storeSpeed(db: Database, loadedWith: string, { prompt, generated, measuredAt }: Speed): void {
  const values = { prompt_tokens_per_second: prompt, generated_tokens_per_second: generated, measured_at: measuredAt }
  db.run(
    db.sql
      .insertInto('local_model_speeds')
      .values({ loaded_with: loadedWith, ...values })
      .onConflict(conflict => conflict.column('loaded_with').doUpdateSet(values)),
  )
}
