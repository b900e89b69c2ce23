import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** `valid`: as this data folder made it; `missing`: no MAC beside it; `different`: changed, renamed or made in another folder. */
export type BackupProof = 'valid' | 'missing' | 'different'

const keyBytes = 32
const chunkBytes = 1 << 20

/** The file beside a backup. */
export const macFileOf = (backup: string): string => `${backup}.mac`
/** Beside the folder of backups, and in none of them: who copies that folder alone cannot make a MAC. */
const keyFileOf = (backup: string): string => join(dirname(dirname(backup)), 'folder.key')

/**
 * Writes the MAC of a file that is to become a backup: HMAC-SHA-256 over its name and its bytes under the data folder's key.
 * @param file where the bytes are now
 * @param backup path that it gets
 */
export function writeMac(file: string, backup: string): void {
  writeFileSync(macFileOf(backup), `${macOf(file, backup, folderKey(keyFileOf(backup))).toString('base64')}\n`, {
    mode: 0o600,
    flush: true,
  })
}

/** @param file the bytes that are about to be used, which may be a copy of the backup */
export function proofOf(file: string, backup: string): BackupProof {
  if (!existsSync(macFileOf(backup))) return 'missing'
  const key = readKey(keyFileOf(backup))
  if (key === null || !statSync(macFileOf(backup)).isFile()) return 'different'
  const [stated, real] = [Buffer.from(readFileSync(macFileOf(backup), 'latin1').trim(), 'base64'), macOf(file, backup, key)]
  return stated.length === real.length && timingSafeEqual(stated, real) ? 'valid' : 'different'
}

function macOf(file: string, backup: string, key: Uint8Array): Buffer {
  // A name has no slash, so it cannot be continued by bytes of the file.
  const mac = createHmac('sha256', key).update(`${basename(backup)}/`)
  const chunk = Buffer.allocUnsafe(chunkBytes)
  const descriptor = openSync(file, 'r')
  try {
    for (;;) {
      const read = readSync(descriptor, chunk)
      if (read === 0) return mac.digest()
      mac.update(chunk.subarray(0, read))
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Made at the first use, for its owner alone. */
function folderKey(path: string): Buffer {
  const known = readKey(path)
  if (known !== null) return known
  try {
    writeFileSync(path, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    // Another thread made it first.
    if (!existsSync(path)) throw error
  }
  const key = readKey(path)
  if (key === null)
    throw new Error(
      `The key file ${path} does not hold ${keyBytes} bytes in base64. Move it away; backups made so far then count as unproven.`,
    )
  return key
}

/** Null where there is none, or something else in its place. */
function readKey(path: string): Buffer | null {
  if (!existsSync(path)) return null
  const key = Buffer.from(readFileSync(path, 'latin1').trim(), 'base64')
  return key.length === keyBytes ? key : null
}
