import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'

/** Bytes of the key: AES-256 takes 32. */
const keyLength = 32

export interface KeyFile {
  readonly path: string
  /** Whether a missing file is made. A file that the user named is not: a typing mistake would make a second key. */
  readonly create: boolean
}

/**
 * Reads the data key: 32 bytes in base64 on one line, in a file that only its owner can read.
 * @throws Error that says what is wrong with the file and how to mend it.
 */
export async function loadDataKey(file: KeyFile): Promise<Buffer> {
  try {
    return await readKey(file.path)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
    if (!file.create)
      throw new Error(
        `The secret key file ${file.path} does not exist. Make it with: (umask 077; openssl rand -base64 32 > ${file.path})`,
        { cause: error },
      )
  }
  try {
    return await createKey(file.path)
  } catch (error) {
    // Another process made it first.
    if (isCode(error, 'EEXIST')) return readKey(file.path)
    throw error
  }
}

async function readKey(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error(`The secret key file ${path} is not a file.`)
    // Windows keeps no such bits; there the profile folder's own access list guards the file.
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
      throw new Error(
        `The secret key file ${path} can be used by other users (mode ${(stat.mode & 0o777).toString(8).padStart(4, '0')}). Run: chmod 600 ${path}. If others may have read it, replace the provider keys it protects.`,
      )
    }
    const text = (await file.readFile('latin1')).trim()
    const key = Buffer.from(text, 'base64')
    // Node's decoder skips what is not base64; writing the bytes out again shows whether it skipped anything.
    if (key.length !== keyLength || key.toString('base64') !== text) {
      throw new Error(
        `The secret key file ${path} does not hold a key: it takes ${keyLength} bytes in base64 on one line, as "openssl rand -base64 ${keyLength}" writes them.`,
      )
    }
    return key
  } finally {
    await file.close()
  }
}

/** Writes the key whole before it has its name, so that neither a crash nor another process meets half a key. */
async function createKey(path: string): Promise<Buffer> {
  const key = randomBytes(keyLength)
  const partial = `${path}.${randomUUID()}`
  try {
    const file = await open(partial, 'wx', 0o600)
    try {
      await file.writeFile(`${key.toString('base64')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    // Unlike a rename, a link fails where the name is taken.
    await link(partial, path)
    return key
  } finally {
    await rm(partial, { force: true })
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
