import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { RuntimeBackend } from '../../contract/local-models/local-models.schemas.ts'
import { Timestamp } from '../../contract/primitives.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { type LockedPackage, runtimeVersion } from './runtime-lock.ts'
import { tarballName } from './runtime-packages.ts'

/** The install failed, and what to do about it. */
export class RuntimeInstallError extends Error {
  override readonly name = 'RuntimeInstallError'
}

const Installed = z.object({ version: z.string(), backend: RuntimeBackend, installed_at: Timestamp })
export type InstalledRuntime = z.output<typeof Installed>

/** Fetches a package’s tarball to a path that does not exist yet. @throws RuntimeInstallError */
export type FetchTarball = (locked: LockedPackage, path: string) => Promise<void>

/** Tarballs at the same time: most are small, and each takes a connection of its own. */
const atOnce = 6

export const runtimeFolder = (dataDir: string) => join(dataDir, 'runtimes', `llama-${runtimeVersion}`)

/** Null while nothing whole is installed. */
export function installedRuntime(dataDir: string): InstalledRuntime | null {
  try {
    return Installed.parse(JSON.parse(readFileSync(join(runtimeFolder(dataDir), 'runtime.json'), 'utf8')))
  } catch {
    return null
  }
}

export function removeRuntime(dataDir: string): void {
  moveAside(dataDir)
  removeUnfinished(join(dataDir, 'runtimes'))
}

interface InstallOrder {
  readonly dataDir: string
  readonly backend: RuntimeBackend
  readonly packages: readonly LockedPackage[]
  readonly fetchTarball: FetchTarball
  readonly installedAt: string
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number, total: number) => void
  /** Tries what was unpacked, before it takes the place of what was there. @throws RuntimeInstallError */
  readonly tryOut?: (folder: string) => Promise<void>
}

/**
 * Installs the runtime from tarballs whose digests are locked. It is unpacked beside and takes its place in one step, so that an install
 * that is cut off leaves what was there before. No script of a package runs.
 * @throws RuntimeInstallError
 */
export async function installRuntime(order: InstallOrder): Promise<void> {
  const { dataDir, packages, signal } = order
  const folder = join(dataDir, 'runtimes')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeUnfinished(folder)
  const needed = packages.reduce((sum, { bytes, unpackedBytes }) => sum + bytes + unpackedBytes, 0)
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < needed)
    throw new RuntimeInstallError(
      `The runtime needs ${formatBytes(needed)} and ${formatBytes(bavail * bsize)} is free in ${folder}. Free some space and install it again.`,
    )
  const staging = join(folder, `.install-${process.pid}-${Date.now()}`)
  mkdirSync(join(staging, 'tarballs'), { recursive: true, mode: 0o700 })
  try {
    await unpackAll(order, staging)
    signal.throwIfAborted()
    rmSync(join(staging, 'tarballs'), { recursive: true })
    await order.tryOut?.(staging)
    const facts: InstalledRuntime = { version: runtimeVersion, backend: order.backend, installed_at: order.installedAt }
    writeFileSync(join(staging, 'runtime.json'), JSON.stringify(facts), { flush: true })
    moveAside(dataDir)
    renameSync(staging, runtimeFolder(dataDir))
  } catch (error) {
    throw explained(error)
  } finally {
    removeUnfinished(folder)
  }
}

async function unpackAll({ packages, fetchTarball, signal, onProgress }: InstallOrder, staging: string): Promise<void> {
  const total = packages.reduce((sum, { bytes }) => sum + bytes, 0)
  const left = [...packages.entries()]
  let done = 0
  const one = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      signal.throwIfAborted()
      const [no, locked] = next
      const tarball = join(staging, 'tarballs', String(no))
      await fetchTarball(locked, tarball)
      await assertIntegrity(locked, tarball)
      await unpack(tarball, join(staging, 'node_modules', ...locked.path.split('/')))
      rmSync(tarball)
      done += locked.bytes
      onProgress(done, total)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, one))
  } catch (error) {
    // The others end after what they are at.
    left.length = 0
    throw error
  }
}

async function assertIntegrity({ name, version, integrity }: LockedPackage, tarball: string): Promise<void> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(tarball), hash)
  if (`sha512-${hash.digest('base64')}` !== integrity)
    throw new RuntimeInstallError(
      `${name} ${version} is not the file that Assay expects: its SHA-512 differs from the lock. Nothing was installed. Check the registry or the folder that it came from.`,
    )
}

async function unpack(tarball: string, folder: string): Promise<void> {
  // Loaded only here: no start needs it.
  const { extract } = await import('tar')
  mkdirSync(folder, { recursive: true })
  await extract({
    file: tarball,
    cwd: folder,
    strip: 1,
    preserveOwner: false,
    filter: (_path, entry) => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory'),
  })
}

/** A deletion that is cut off leaves nothing that looks installed. */
function moveAside(dataDir: string): void {
  const folder = runtimeFolder(dataDir)
  if (existsSync(folder)) renameSync(folder, join(dataDir, 'runtimes', `.removed-${Date.now()}`))
}

function removeUnfinished(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (name.startsWith('.install-') || name.startsWith('.removed-')) rmSync(join(folder, name), { recursive: true, force: true })
}

function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new RuntimeInstallError('The disk is full, so the runtime was not installed. Free some space and install it again.')
  return error
}

/** Reads tarballs from a folder, for machines without network. */
export function fromFolder(folder: string): FetchTarball {
  return async (locked, path) => {
    const name = tarballName(locked)
    const file = join(folder, name)
    if (!existsSync(file))
      throw new RuntimeInstallError(
        `${name} is missing in ${folder}. Get it with "npm pack ${locked.name}@${locked.version}" on a machine with network.`,
      )
    const { copyFile } = await import('node:fs/promises')
    await copyFile(file, path)
  }
}
