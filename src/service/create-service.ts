import { createThrottle, usualKeyRate } from './auth/index.ts'
import { createLog } from './log.ts'
import { createApp } from './app.ts'
import type { Service, ServiceConfig } from './config.ts'
import type { Host } from './host.ts'
import { type Doorway, doorwayOn } from './http/doorway.ts'
import { createHttpServer } from './http/server.ts'
import { touchDatabase } from './lifecycle/probe.store.ts'
import { tidyOperations } from './http/idempotency.store.ts'
import { type Clock, idsFrom, type Kernel, systemClock, timestamp } from './kernel.ts'
import { lockDataFolder, prepareDataFolder } from './lifecycle/data-folder.ts'
import { establishIdentity } from './lifecycle/first-start.ts'
import { listen } from './lifecycle/listen.ts'
import { openData } from './lifecycle/open-data.ts'
import { createStorageHealth } from './lifecycle/storage-health.ts'
import { removeServiceFile, writeServiceFile } from './lifecycle/service-file.ts'
import { appVersion } from './version.ts'

const week = 7 * 24 * 3600 * 1000

/**
 * Starts the whole service on one data folder.
 * @throws DataFolderInUseError when another service works on it; NewerDatabaseError when a newer Assay wrote it;
 * DamagedDatabaseError.
 */
export async function createService(config: ServiceConfig, host: Host, clock: Clock = systemClock): Promise<Service> {
  prepareDataFolder(config.dataDir)
  const lock = lockDataFolder(config.dataDir)
  const undo: (() => void | Promise<void>)[] = [() => lock.release()]
  const unwind = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const { log, close } = createLog(config)
    undo.push(close)
    const { db, migrated } = openData(config.dataDir, clock.now())
    undo.push(() => db.close())
    if (migrated.from !== migrated.to) log.info(migrated, 'schema brought up to date')
    tidyOperations(db, new Date(clock.now().getTime() - week).toISOString())

    const storage = createStorageHealth(
      config.dataDir,
      () => clock.now(),
      () => touchDatabase(db, timestamp(clock)),
    )
    undo.push(() => storage.close())
    const throttle = createThrottle(() => clock.now().getTime(), config.keyRate ?? usualKeyRate)
    let open: Doorway | undefined
    const doorway = () => {
      if (!open) throw new Error('The service does not listen yet.')
      return open
    }
    const kernel: Kernel = { config, host, db, clock, ids: idsFrom(clock), log, throttle, storage, doorway }
    const identity = establishIdentity(kernel)
    const http = await createHttpServer(kernel)
    const app = await createApp(kernel, http)
    undo.push(() => app.close())
    undo.push(() => http.close())
    open = doorwayOn(await listen(http, config), config.remote)
    const { baseUrl, publicUrl } = open
    const sessionToken = app.sessions.openHostSession(identity.personId)
    writeServiceFile(config.dataDir, {
      base_url: baseUrl,
      workspace_id: identity.workspaceId,
      api_key: identity.localKey,
      session_token: sessionToken,
      pid: process.pid,
      version: appVersion,
      started_at: timestamp(clock),
    })
    undo.push(() => removeServiceFile(config.dataDir))
    app.start()
    log.info({ baseUrl, dataDir: config.dataDir }, 'service ready')
    return {
      baseUrl,
      publicUrl,
      workspaceId: identity.workspaceId,
      sessionToken,
      createPairingCode: () => app.sessions.createPairingCode(identity.personId),
      close: unwind,
    }
  } catch (error) {
    await unwind()
    throw error
  }
}
