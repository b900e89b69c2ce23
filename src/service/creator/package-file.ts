import { Readable } from 'node:stream'
import type { Database } from '../../storage/database.ts'
import { readStoredPackage } from '../../storage/reads/creator-package.ts'
import type { FileReply } from '../http/handler.ts'
import type { PackageRow } from './packages.store.ts'

/** A package as it was uploaded, to keep or to upload elsewhere. */
export function packageFile(db: Database, { id, namespace, name, version, sha256 }: PackageRow): FileReply {
  const { content } = readStoredPackage(db, id)
  const isJson = content[0] === 0x7b
  return {
    kind: 'whole',
    contentType: isJson ? 'application/json' : 'application/zip',
    fileName: `${namespace}.${name}-${version}.${isJson ? 'json' : 'zip'}`,
    bytes: content.length,
    etag: `"${sha256}"`,
    open: (from, to) => Readable.from(to < from ? [] : [content.subarray(from, to + 1)]),
  }
}
