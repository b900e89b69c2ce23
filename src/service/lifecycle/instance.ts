import type { Logger } from 'pino'
import { createThrottle, usualKeyRate } from '../auth/index.ts'
import { createApp } from '../app.ts'
import { type Background, closeInReverse } from '../background.ts'
import type { Service, ServiceConfig } from '../config.ts'
import type { Host } from '../host.ts'
import { tidyOperations } from '../http/idempotency.store.ts'
import { createConnectionLimits } from '../http/connection-limits.ts'
import { type AccessPolicy, accessPolicyOn } from '../http/access-policy.ts'
import { createSecretValues } from '../http/typed-text.ts'
import { createReadTurns } from '../http/read-turns.ts'
import { createWorkLimits } from '../http/work-limits.ts'
import { createHttpServer } from '../http/server.ts'
import { type Clock, idsFrom, type Kernel, timestamp } from '../kernel.ts'
import { appVersion } from '../version.ts'
import { callsPath } from '../runs/index.ts'
import { followCommits } from '../storage/index.ts'
import { type Ballast, ballastIn } from './ballast.ts'
import { establishIdentity, isLocalKey } from './first-start.ts'
import { listen } from './listen.ts'
import { openData } from './open-data.ts'
import { processStart } from './process-start.ts'
import { touchDatabase } from './probe.store.ts'
import { sealFormerSecrets } from './seal-former-secrets.ts'
import { removeServiceFile, writeServiceFile } from './service-file.ts'
import { storageFault } from '../../storage/storage-fault.ts'
import { createStorageHealth, usualKeepFree } from './storage-health.ts'
import { untilUnlocked } from './until-unlocked.ts'

const week = 7 * 24 * 3600 * 1000
/** Of one key or session: each may have dozens of megabytes, and a client may open two hundred connections. */
const mostLargeBodies = 4

/** The service from opening its database to closing it. */
export interface Instance extends Omit<Service, 'failed'> {
  readonly port: number
  /** What clients keep when another instance replaces it. */
  handOver(): Handover
}

export interface Handover {
  readonly sessionToken: string
  /** Null once it was revoked: it must not work again. */
  readonly localKey: string | null
}

export interface InstanceOptions {
  readonly config: ServiceConfig
  readonly host: Host
  readonly clock: Clock
  readonly log: Logger
  readonly restart: Kernel['restart']
  /** Of the one before, after a restart. */
  readonly before: Handover | null
  /** The ballast was given up already, so that the folder could be locked. */
  readonly isBallastSpent: boolean
}

/**
 * Opens the database of a folder that is locked, and serves it. On a full disk the ballast is given up, so that people can read and delete
 * what is there.
 */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { config, host, log } = options
  const ballast = ballastIn(config.dataDir)
  const open = async (isBallastSpent: boolean): Promise<Instance> => {
    try {
      return await openInstance(options, ballast, isBallastSpent)
    } catch (error) {
      if (storageFault(error) !== 'full' || !ballast.drop()) throw error
      log.warn({ err: error }, 'the disk is full: the ballast is given up')
      return openInstance(options, ballast, true)
    }
  }
  return untilUnlocked(() => open(options.isBallastSpent), { waitMs: config.lockWaitMs ?? 0, say: sayer(options), stopping: host.stopping })
}

/** Tells the person at the console, and the log. */
function sayer({ host, log }: Pick<InstanceOptions, 'host' | 'log'>): (line: string) => void {
  return line => {
    log.info(line)
    host.say?.(line)
  }
}

async function openInstance(
  { config, host, clock, log, restart, before }: InstanceOptions,
  ballast: Ballast,
  isBallastSpent: boolean,
): Promise<Instance> {
  const parts: Background[] = []
  const unwind = () => closeInReverse(parts.splice(0), log)
  try {
    const { db, migrated } = openData(config.dataDir, clock.now(), sayer({ host, log }))
    parts.push(db)
    if (migrated.from !== migrated.to) log.info(migrated, 'schema brought up to date')
    const { file: commits, lost } = followCommits(db, callsPath(config.dataDir), () => clock.now())
    parts.push(commits)
    if (lost) {
      log.error(lost, 'changes are missing from the database')
      host.say?.(lost.message)
    }
    await sealFormerSecrets(config.dataDir, db, host, { clock, log })
    tidyOperations(db, new Date(clock.now().getTime() - week).toISOString())

    const storage = createStorageHealth({
      dataDir: config.dataDir,
      databasePath: db.path,
      keepFree: config.keepFree ?? usualKeepFree,
      ballast,
      isBallastSpent,
      now: () => clock.now(),
      probe: () => touchDatabase(db, timestamp(clock)),
      withoutWaiting: db.withoutWaiting,
    })
    parts.push(storage)
    const throttle = createThrottle(() => clock.now().getTime(), config.keyRate ?? usualKeyRate)
    let open: AccessPolicy | undefined
    const accessPolicy = () => {
      if (!open) throw new Error('The service does not listen yet.')
      return open
    }
    const kernel: Kernel = {
      config,
      host,
      db,
      clock,
      ids: idsFrom(clock),
      log,
      throttle,
      connections: createConnectionLimits(),
      storage,
      secrets: createSecretValues(),
      reads: createReadTurns(() => performance.now(), threadTime),
      writes: createReadTurns(() => performance.now(), threadTime),
      work: createWorkLimits(),
      bodies: createWorkLimits(mostLargeBodies),
      accessPolicy,
      restart,
    }
    const identity = establishIdentity(kernel, before?.localKey ?? null)
    const http = await createHttpServer(kernel)
    const app = await createApp(kernel, http)
    parts.push(...Object.values(app.background), { close: () => http.close() })
    open = accessPolicyOn(await listen(http, config), config.remote)
    const { baseUrl, publicUrl, port } = open
    const sessionToken = app.sessions.openHostSession(identity.personId, before?.sessionToken)
    writeServiceFile(config.dataDir, {
      base_url: baseUrl,
      workspace_id: identity.workspaceId,
      api_key: identity.localKey,
      session_token: sessionToken,
      pid: process.pid,
      version: appVersion,
      started_at: timestamp(clock),
      process_start: processStart(process.pid),
    })
    parts.push({ close: () => removeServiceFile(config.dataDir) })
    const keptKey = () => {
      try {
        return isLocalKey(kernel, identity.localKey) ? identity.localKey : null
      } catch (error) {
        log.error({ err: error }, 'whether the key "local" was revoked could not be read, so it gets a new token')
        return null
      }
    }
    for (const part of Object.values(app.background)) part.start?.()
    log.info({ baseUrl, dataDir: config.dataDir }, 'service ready')
    return {
      baseUrl,
      publicUrl,
      port,
      workspaceId: identity.workspaceId,
      sessionToken,
      handOver: () => ({ sessionToken, localKey: keptKey() }),
      createPairingCode: () => app.sessions.createPairingCode(identity.personId),
      close: unwind,
    }
  } catch (error) {
    await unwind()
    throw error
  }
}

/** Milliseconds of processor time that this thread has used. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
