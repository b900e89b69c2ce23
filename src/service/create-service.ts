import { completeSwap, dropSuccessor } from './backups/index.ts'
import type { Service, ServiceConfig } from './config.ts'
import { removePartialExports } from './export-files.ts'
import type { Host } from './host.ts'
import { type Clock, systemClock } from './kernel.ts'
import { lockDataFolder, prepareDataFolder } from './lifecycle/data-folder.ts'
import { type Handover, type Instance, startInstance } from './lifecycle/instance.ts'
import { untilUnlocked } from './lifecycle/until-unlocked.ts'
import { createLog } from './log.ts'

/**
 * Starts the whole service on one data folder.
 * @throws DataFolderInUseError when another service works on it; StorageError when another program holds the database, after the wait; NewerDatabaseError when a newer Assay wrote it;
 * DamagedDatabaseError; MissingDatabaseError.
 */
export async function createService(config: ServiceConfig, host: Host, clock: Clock = systemClock): Promise<Service> {
  prepareDataFolder(config.dataDir)
  const lock = await untilUnlocked(() => lockDataFolder(config.dataDir), {
    waitMs: config.lockWaitMs ?? 0,
    say: line => host.say?.(line),
    stopping: host.stopping,
  })
  const { log, close: closeLog } = createLog(config)
  const failed = Promise.withResolvers<Error>()
  let isClosing = false
  let restarting: Promise<void> = Promise.resolve()
  let instance: Instance

  const start = (where: ServiceConfig, before: Handover | null) => {
    completeSwap(config.dataDir)
    dropSuccessor(config.dataDir)
    removePartialExports(config.dataDir)
    return startInstance({ config: where, host, clock, log, restart, before, isBallastSpent: lock.isBallastSpent && before === null })
  }
  const restart = (change: () => void): void => {
    if (isClosing) return
    restarting = (async () => {
      const before = instance
      const handover = before.handOver()
      await before.close()
      change()
      if (isClosing) return
      // Clients know the address.
      instance = await start({ ...config, port: before.port, portMayMove: false }, handover)
    })().catch((error: unknown) => {
      log.error({ err: error }, 'the service could not start again')
      failed.resolve(error instanceof Error ? error : new Error(String(error)))
    })
  }
  const release = () => {
    closeLog()
    lock.release()
  }
  try {
    instance = await start(config, null)
  } catch (error) {
    release()
    throw error
  }
  return {
    get baseUrl() {
      return instance.baseUrl
    },
    get publicUrl() {
      return instance.publicUrl
    },
    get workspaceId() {
      return instance.workspaceId
    },
    get sessionToken() {
      return instance.sessionToken
    },
    failed: failed.promise,
    createPairingCode: () => instance.createPairingCode(),
    close: async () => {
      if (isClosing) return
      isClosing = true
      await restarting
      await instance.close()
      release()
    },
  }
}
