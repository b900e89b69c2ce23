import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import type { Host } from '../host.ts'
import type { Kernel } from '../kernel.ts'
import { replacePrivateFile } from './replace-private-file.ts'
import { replaceSecret, type StoredSecret, storedSecrets } from './stored-secrets.store.ts'

const Sealed = z.strictObject({
  sealed_at: z.string(),
  waiting: z.array(z.string()).describe('SHA-256 of what could not be decrypted then, with its place. Only these are tried again.'),
})

/** Outside the database, which may be replaced by an older or an edited one whose secrets must not be taken for those of an earlier version. */
const fileIn = (dataDir: string) => join(dataDir, 'secrets-sealed.json')

/** At the first start of this version: seals the secrets that earlier ones stored to their places. Later ones are never sealed afterwards. */
export async function sealFormerSecrets(
  dataDir: string,
  db: Database,
  { secrets }: Pick<Host, 'secrets'>,
  { clock, log }: Pick<Kernel, 'clock' | 'log'>,
): Promise<void> {
  const path = fileIn(dataDir)
  const allowed = existsSync(path) ? waitingIn(path) : null
  if (allowed?.length === 0) return
  const waiting: string[] = []
  const sealed: StoredSecret[] = []
  for (const { cipher, place } of storedSecrets(db)) {
    const digest = digestOf({ cipher, place })
    if (allowed && !allowed.includes(digest)) continue
    try {
      const renewed = await secrets.sealFormer(cipher, place)
      if (renewed) sealed.push({ cipher: renewed, place })
    } catch (error) {
      waiting.push(digest)
      log.warn(
        { err: error, table: place.table, id: place.rowId },
        'a stored secret cannot be decrypted, so it was not sealed to its place',
      )
    }
  }
  db.transaction(() => {
    for (const { cipher, place } of sealed) replaceSecret(db, place, cipher)
  })
  replacePrivateFile(path, `${JSON.stringify({ sealed_at: clock.now().toISOString(), waiting } satisfies z.infer<typeof Sealed>)}\n`)
}

/** A file that cannot be read allows nothing. */
function waitingIn(path: string): readonly string[] {
  try {
    return Sealed.parse(JSON.parse(readFileSync(path, 'utf8'))).waiting
  } catch {
    return []
  }
}

function digestOf({ cipher, place }: StoredSecret): string {
  return createHash('sha256').update(JSON.stringify(place)).update(cipher).digest('hex')
}
