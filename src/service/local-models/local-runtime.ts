import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { ApiError, invalidField } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { type LocalRuntime, RuntimeBackend, type RuntimeInstall } from '../../contract/local-models/local-models.schemas.ts'
import { download } from '../../engine/clients/http/download.ts'
import { npmRegistry } from '../../engine/clients/http/npm-registry.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { type Jobs, JobFailure } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { NetworkLog } from '../network/index.ts'
import { type FetchTarball, fromFolder, installedRuntime, installRuntime, removeRuntime, RuntimeInstallError } from './install-runtime.ts'
import { runtimeVersion } from './runtime-lock.ts'
import { backendsFor, packagesFor, tarballPath } from './runtime-packages.ts'

const Input = z.strictObject({
  backend: RuntimeBackend,
  from: z.string().nullable(),
  registry: z.string().nullable().default(null),
  workspaceId: z.string(),
})

const deadlineMs = 30 * 60_000
const idleTimeoutMs = 30_000
const { platform, arch } = process

export interface LocalRuntimeService {
  read(): Promise<LocalRuntime>
  /** In the background. */
  install(workspaceId: string, owner: JobOwner, order: RuntimeInstall): Promise<LocalRuntime>
  remove(): Promise<LocalRuntime>
}

export interface LocalRuntimeDependencies {
  readonly jobs: Jobs
  readonly network: Pick<NetworkLog, 'meterFor' | 'proxies'>
  /** Ends the processes that use the runtime. */
  readonly unload: () => Promise<void>
  /** @throws RuntimeInstallError where what was unpacked does not load */
  readonly tryOut: (folder: string, backend: RuntimeBackend) => Promise<void>
}

/** The runtime of local models: installed when somebody wants it, from files whose digests Assay ships. */
export function createLocalRuntime(kernel: Kernel, { jobs, network, unload, tryOut }: LocalRuntimeDependencies): LocalRuntimeService {
  const { config, db, clock } = kernel
  const read = async (): Promise<LocalRuntime> => {
    const registry = await npmRegistry()
    const installed = installedRuntime(config.dataDir)
    const job = jobs.latest('runtime_install')
    const isOpen = jobs.open('runtime_install').length > 0
    return {
      version: runtimeVersion,
      status: isOpen ? 'installing' : installed ? 'ready' : 'not_installed',
      backend: installed?.backend ?? null,
      installed_at: installed?.installed_at ?? null,
      host: registry === null ? null : new URL(registry).host,
      options: backendsFor(platform, arch).map(backend => {
        const packages = packagesFor(backend, platform, arch) ?? []
        return {
          backend,
          download_bytes: packages.reduce((sum, { bytes }) => sum + bytes, 0),
          unpacked_bytes: packages.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0),
        }
      }),
      job_id: job?.id ?? null,
      problem: job?.state === 'failed' ? (job.error?.message ?? null) : null,
    }
  }
  const fromRegistry = async (workspaceId: string, named: string | null, signal: AbortSignal): Promise<FetchTarball> => {
    const registry = named === null ? await npmRegistry() : named.replace(/\/?$/, '/')
    if (registry === null)
      throw new RuntimeInstallError(
        'No registry is configured and npm is not installed. Name one with the option --registry, or install from a folder with --from.',
      )
    // Wherever it lies: the owner's own npm uses it, nothing but a path is sent there, and what comes back must be what the lock says.
    const addressPolicy = { proxies: network.proxies(), refusal: () => null, hostRefusal: () => null }
    return async (locked, path) => {
      const url = new URL(tarballPath(locked), registry).href
      const result = await download(url, path, {
        addressPolicy,
        redirectHosts: [],
        maxBytes: locked.bytes + 1024,
        deadlineMs,
        idleTimeoutMs,
        signal,
        traffic: network.meterFor(workspaceId),
        onProgress: () => {},
      })
      signal.throwIfAborted()
      if (!result.ok)
        throw new RuntimeInstallError(
          `${locked.name} could not be downloaded: ${result.why} Try again, or install from a folder with the option --from.`,
        )
    }
  }
  jobs.register({
    kind: 'runtime_install',
    input: Input,
    lane: 'runtime-installs',
    concurrency: 1,
    run: async ({ input: { backend, from, registry, workspaceId }, signal, progress }) => {
      const packages = packagesFor(backend, platform, arch)
      if (!packages) throw unavailableBackend(backend)
      await unload()
      try {
        await installRuntime({
          dataDir: config.dataDir,
          backend,
          packages,
          signal,
          installedAt: timestamp(clock),
          fetchTarball: from === null ? await fromRegistry(workspaceId, registry, signal) : fromFolder(from),
          onProgress: (done, total) => progress({ done, total, message: `${formatBytes(done)} of ${formatBytes(total)}` }),
          tryOut: folder => tryOut(folder, backend),
        })
      } catch (error) {
        if (error instanceof RuntimeInstallError) throw new JobFailure('unavailable', error.message, () => {})
        throw error
      }
    },
    retried: () => {},
  })
  return {
    read,
    install: async (workspaceId, owner, { backend, from, registry }) => {
      if (!packagesFor(backend, platform, arch)) throw unavailableBackend(backend)
      if (from !== null && !isAbsolute(from)) throw invalidField(['body', 'from'], 'must be an absolute path')
      db.transaction(() => {
        if (jobs.open('runtime_install').length === 0)
          jobs.enqueue('runtime_install', { workspaceId: null, owner, input: { backend, from, registry, workspaceId }, subject: null })
      })
      return read()
    },
    remove: async () => {
      if (jobs.open('runtime_install').length > 0)
        throw new ApiError('conflict', 'The runtime is being installed. Wait until it is there, or cancel the job, then remove it.')
      void unload()
      removeRuntime(config.dataDir)
      return read()
    },
  }
}

function unavailableBackend(backend: RuntimeBackend): ApiError {
  const there = backendsFor(platform, arch)
  const choice = there.length === 0 ? 'There is none for it.' : `Choose ${there.join(', ')}.`
  return invalidField(['body', 'backend'], `"${backend}" is not built for this machine (${platform} ${arch}). ${choice}`)
}
