import { realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import type { ModelRoute } from '../../contract/catalog/models.schemas.ts'
import { ConnectionLimits } from '../../contract/connections/connections.schemas.ts'
import { invalidField, notFound } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import {
  type LocalModel,
  type LocalModelFolder,
  type LocalModels,
  LocalModelSettings,
  type RuntimeBackend,
} from '../../contract/local-models/local-models.schemas.ts'
import type { ModelClient } from '../../engine/clients/model-client.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { messageOf } from '../../lib/message-of.ts'
import { startLlama } from '../../workers/llama-process.ts'
import type { Workers } from '../../workers/pool.ts'
import { JobFailure, type Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { NetworkLog } from '../network/index.ts'
import { whyUnread } from './find-files.ts'
import { type FileModel, fitOf, groupFiles } from './group-files.ts'
import { installedRuntime, RuntimeInstallError, runtimeFolder } from './install-runtime.ts'
import { createLoadedModels, type ModelToLoad } from './loaded-models.ts'
import { createLocalModelClient } from './local-model-client.ts'
import {
  deleteFolder,
  insertFolder,
  listFolders,
  markAdded,
  readSettings,
  type Speed,
  storeDigest,
  storedFiles,
  type StoredFile,
  writeSettings,
} from './local-models.store.ts'
import { changeOf, describeKind, digestOf, locationOf, memory, realFolder, sha256Of, slugOf, subjectOf, withParts } from './model-facts.ts'
import { createFileLook } from './look-for-files.ts'
import { createLocalRuntime, type LocalRuntimeService } from './local-runtime.ts'
import { createSpeeds } from './warm-up.ts'
import { runtimeVersion } from './runtime-lock.ts'

/** Bytes below which a model is computed faster by one thread than several wait for each other. */
const smallBytes = 64_000_000

const IdentityInput = z.strictObject({ path: z.string() })

/** A model of a file, as runs take it. */
export interface LocalRoute {
  readonly route: ModelRoute
  /** Names what answers are cached under: another runtime or context may answer otherwise. */
  readonly cacheName: string
  readonly limits: ConnectionLimits
  /** Null until it was measured, which this begins in the background. */
  speed(): Speed | null
  open(): ModelClient
}

export interface LocalModelsService {
  readonly runtime: LocalRuntimeService
  list(): Promise<LocalModels>
  /** In the background; answers what is known. @throws ApiError validation_error where it is not a file that can be a model */
  identify(owner: JobOwner, path: string): Promise<LocalModel>
  addFolder(path: string): Promise<LocalModelFolder>
  /** @throws ApiError not_found */
  removeFolder(id: string): Promise<LocalModels>
  change(settings: { readonly [K in keyof LocalModelSettings]?: LocalModelSettings[K] | undefined }): LocalModelSettings
  /** Models whose identity is known and whose files are there. */
  routes(): LocalRoute[]
  close(): Promise<void>
}

export interface LocalModelsDependencies {
  readonly jobs: Jobs
  readonly network: Pick<NetworkLog, 'meterFor' | 'proxies'>
  readonly workers: Pick<Workers, 'readGguf'>
}

/** GGUF files of this machine as models: finding, identity, and the processes that compute them. */
export function createLocalModels(kernel: Kernel, { jobs, network, workers }: LocalModelsDependencies): LocalModelsService {
  const { db, clock, config, ids, host } = kernel
  const settings = () => readSettings(db)
  const loaded = createLoadedModels({ freeBytes: () => memory().freeBytes, idleMs: () => settings().idle_minutes * 60_000 })
  const start = (folder: string, backend: RuntimeBackend, model: FileModel | null) => {
    const { context_tokens: contextTokens, parallel: sequences, cache_type: cacheType, threads } = settings()
    const most = Math.max(1, availableParallelism() - 1)
    const load = {
      modules: realpathSync(join(folder, 'node_modules')),
      backend,
      modelPath: model && realFolder(model.path),
      contextTokens,
      sequences,
      cacheType,
      threads: threads ?? (model && model.bytes < smallBytes ? 1 : most),
    }
    return startLlama({ load, files: model?.files.map(({ path }) => realFolder(path)) ?? [], startProcess: host.startProcess })
  }
  const runtime = createLocalRuntime(kernel, {
    jobs,
    network,
    unload: loaded.unloadAll,
    tryOut: async (folder, backend) => {
      const trial = start(folder, backend, null)
      try {
        const { backend: got } = await trial.loaded
        if (backend !== 'cpu' && got !== backend)
          throw new RuntimeInstallError(`This machine has no device for ${backend}. Install the runtime for cpu.`)
      } catch (error) {
        if (error instanceof RuntimeInstallError) throw error
        throw new RuntimeInstallError(`The runtime does not load on this machine: ${messageOf(error)}`)
      } finally {
        trial.kill()
      }
    },
  })

  const speeds = createSpeeds(db, loaded, () => timestamp(clock))

  const fileLook = createFileLook(kernel, workers)

  const routeOf = (model: FileModel): LocalRoute | null => {
    const sha256 = digestOf(model)
    if (sha256 === null) return null
    const { facts, path } = model
    const used = settings()
    const installed = installedRuntime(config.dataDir)
    const fit = fitFor(model)
    const reason = installed
      ? fit.status === 'no'
        ? `The model needs ${formatBytes(fit.needed_bytes)} and this machine has ${formatBytes(memory().totalBytes)} of memory. Choose a smaller quantization, or lower the context length of local models.`
        : model.problem
      : `The runtime for GGUF files is not installed. Install it on the page Models, or with "assay runtime install".`
    const name = `${slugOf(model.name)}@${sha256.slice(0, 12)}`
    const cacheName = `gguf:${sha256}:llama-${runtimeVersion}:${installed?.backend ?? 'none'}:${used.cache_type}`
    const key = `${sha256} ${used.context_tokens} ${used.parallel} ${used.cache_type} ${used.threads} ${installed?.backend ?? 'none'}`
    const limits = ConnectionLimits.parse({ max_concurrency: used.parallel })
    const toLoad: ModelToLoad = {
      key,
      neededBytes: fit.needed_bytes,
      start: () => start(runtimeFolder(config.dataDir), installed?.backend ?? 'cpu', model),
    }
    const environment = {
      model: { name: model.name, sha256, quantization: facts.quantization },
      runtime: `node-llama-cpp ${runtimeVersion}`,
      key_value_type: used.cache_type,
      sampler: { top_k: 0, top_p: 1, min_p: 0 },
    }
    return {
      cacheName,
      limits,
      speed: () => (reason === null ? speeds.of(toLoad) : null),
      route: {
        route_id: `local/${name}`,
        title: model.name,
        provider: 'GGUF file',
        model: name,
        kind: 'local',
        is_model: true,
        summary: `${[facts.quantization, facts.architecture, formatBytes(model.bytes)].filter(Boolean).join(', ')}, runs on this machine from ${path}.`,
        capabilities: [...(facts.hasTemplate ? ['chat'] : []), 'completion', 'loglikelihood', 'loglikelihood_rolling'],
        rates: { input_microusd_per_million: '0', output_microusd_per_million: '0' },
        efforts: [],
        limits: {
          context_tokens: fit.context_tokens,
          max_output_tokens: null,
          max_concurrency: used.parallel,
          requests_per_minute: null,
          tokens_per_minute: null,
        },
        availability:
          reason === null
            ? { status: 'ready', reasons: [] }
            : { status: installed ? 'unavailable' : 'runner_unavailable', reasons: [reason] },
      },
      open: () => {
        speeds.stop(key)
        return createLocalModelClient({
          loaded,
          model: toLoad,
          environment,
          changed: () => changeOf(model),
          hasTemplate: facts.hasTemplate,
        })
      },
    }
  }
  const fitFor = (model: FileModel) => {
    return fitOf(model, settings(), memory())
  }
  const shown = (model: FileModel): LocalModel => {
    const { facts } = model
    const sha256 = digestOf(model)
    const job = jobs.of({ type: 'local_model', id: subjectOf(model.path) }, ['model_identity'])
    return {
      name: model.name,
      path: model.path,
      location: model.location,
      architecture: facts.architecture,
      parameters: facts.parameters,
      quantization: facts.quantization,
      trained_context_tokens: facts.contextTokens,
      chat_template: facts.hasTemplate,
      size_bytes: model.bytes,
      files: model.files.length,
      fit: fitFor(model),
      sha256,
      route_id: routeOf(model)?.route.route_id ?? null,
      job_id: sha256 === null ? (job?.id ?? null) : null,
      problem: model.problem ?? (sha256 === null && job?.state === 'failed' ? (job.error?.message ?? null) : null),
      loaded: sha256 === null ? null : loaded.describe(sha256),
    }
  }
  const stored = (path: string): FileModel | null => {
    const files = [...storedFiles(db).values()].map(file => ({ ...file, location: locationOf(file.path), givenName: null }))
    return groupFiles(files).models.find(model => model.files.some(file => file.path === path)) ?? null
  }
  const list = async (): Promise<LocalModels> => {
    const { models, others, folders, unread } = await fileLook.read()
    const digests = storedFiles(db)
    const current = models.map(model => ({
      ...model,
      files: model.files.map(file => ({ ...file, sha256: digests.get(file.path)?.sha256 ?? null })),
    }))
    return { items: current.map(shown), others, folders, unread, settings: settings(), runtime: await runtime.read() }
  }

  jobs.register({
    kind: 'model_identity',
    input: IdentityInput,
    lane: 'model-identities',
    concurrency: 1,
    run: async ({ input: { path }, signal, progress }) => {
      const model = stored(path)
      if (!model) throw new JobFailure('not_found', `${path} is no longer a model. Choose it again.`, () => {})
      let done = 0
      const digests = new Map<StoredFile, string>()
      for (const file of model.files) {
        if (file.sha256 !== null) continue
        const before = done
        const digest = await sha256Of(file.path, signal, bytes => progress({ done: (done = before + bytes), total: model.bytes })).catch(
          (error: unknown) => {
            signal.throwIfAborted()
            throw new JobFailure('conflict', `${file.path}: ${whyUnread(error)}`, () => {})
          },
        )
        if (changeOf(model) !== null)
          throw new JobFailure('conflict', `${file.path} was changed while it was read. Choose it again.`, () => {})
        digests.set(file, digest)
      }
      return () => {
        for (const [file, digest] of digests) storeDigest(db, file, digest)
      }
    },
    retried: () => {},
  })

  return {
    runtime,
    list,
    identify: async (owner, path) => {
      if (!isAbsolute(path)) throw invalidField(['body', 'path'], 'must be an absolute path')
      const facts = await stat(path).catch((error: unknown) => {
        throw invalidField(['body', 'path'], `${path}: ${whyUnread(error)}`)
      })
      if (!facts.isFile()) throw invalidField(['body', 'path'], `${path} is no file. Add a folder with "assay models local --add".`)
      await withParts(path, async part => {
        const size = await stat(part).catch(() => null)
        if (!size) return
        const known = storedFiles(db).get(part)
        if (known?.bytes !== size.size || known.modifiedMs !== size.mtimeMs)
          await fileLook.readHeader({ path: part, bytes: size.size, modifiedMs: size.mtimeMs })
      })
      fileLook.forget()
      const header = storedFiles(db).get(path)?.header
      if (header && !header.ok) throw invalidField(['body', 'path'], `${path}: ${header.reason}`)
      const model = stored(path)
      if (!model)
        throw invalidField(
          ['body', 'path'],
          `${path} is no model: ${header?.ok ? describeKind(header.facts.kind) : 'it could not be read.'}`,
        )
      if (model.problem !== null) throw invalidField(['body', 'path'], `${path}: ${model.problem}`)
      const subject = { type: 'local_model', id: subjectOf(model.path) }
      db.transaction(() => {
        for (const file of model.files) markAdded(db, file.path)
        if (digestOf(model) !== null || jobs.open('model_identity').some(job => job.subject?.id === subject.id)) return
        jobs.enqueue('model_identity', { workspaceId: null, owner, input: { path: model.path }, subject })
      })
      return shown(model)
    },
    addFolder: async path => {
      if (!isAbsolute(path)) throw invalidField(['body', 'path'], 'must be an absolute path')
      const facts = await stat(path).catch((error: unknown) => {
        throw invalidField(['body', 'path'], `${path}: ${whyUnread(error)}`)
      })
      if (!facts.isDirectory()) throw invalidField(['body', 'path'], `${path} is no folder. Choose a folder, or run the file itself.`)
      const known = listFolders(db).find(folder => folder.path === path)
      const folder = known ?? { id: ids.next(), path }
      if (!known) db.transaction(() => insertFolder(db, folder, timestamp(clock)))
      fileLook.forget()
      const found = (await fileLook.read()).folders.find(({ id }) => id === folder.id)
      return found ?? { ...folder, location: 'added', models: 0, problem: null }
    },
    removeFolder: async id => {
      if (!listFolders(db).some(folder => folder.id === id)) throw notFound('folder', id)
      db.transaction(() => deleteFolder(db, id))
      fileLook.forget()
      return list()
    },
    change: changed => {
      const next = LocalModelSettings.parse({ ...settings(), ...changed })
      db.transaction(() => writeSettings(db, next))
      return next
    },
    routes: () => {
      const files = [...storedFiles(db).values()].filter(file => file.sha256 !== null)
      const { models } = groupFiles(files.map(file => ({ ...file, location: locationOf(file.path), givenName: null })))
      const routes = models.filter(model => changeOf(model) === null).flatMap(model => routeOf(model) ?? [])
      // The same bytes at two places are one model.
      return [...new Map(routes.map(route => [route.route.route_id, route])).values()]
    },
    close: async () => {
      speeds.stopAll()
      await loaded.unloadAll()
    },
  }
}
