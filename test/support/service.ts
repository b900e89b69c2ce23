import { createHeadlessHost } from '../../src/headless/host.ts'
import type { Service, ServiceConfig } from '../../src/service/config.ts'
import { createService } from '../../src/service/create-service.ts'
import type { Clock } from '../../src/service/kernel.ts'
import { readServiceFile, type ServiceFile } from '../../src/service/lifecycle/service-file.ts'
import { clientFor, type TestClient } from './client.ts'
import { prepareData } from './prepared-data.ts'
import { temporaryFolder } from './temporary-folder.ts'

export { clientFor, temporaryFolder, type TestClient }

export interface TestService extends AsyncDisposable {
  readonly dataDir: string
  readonly baseUrl: string
  readonly workspaceId: string
  /** What `service.json` says. */
  readonly file: ServiceFile
  /** As the owner. */
  readonly client: TestClient
  /** As the key named `local`. */
  readonly keyClient: TestClient
  /** Any request, for what the typed client cannot express. */
  fetch(path: string, init?: RequestInit): Promise<globalThis.Response>
  /** Stops the service and starts another on the same data. @param change made to the data in between */
  restart(change?: () => void): Promise<void>
  close(): Promise<void>
}

/**
 * A whole service in this process, on a prepared folder of its own and a free port; by the system's clock unless another is given. A
 * `dataDir` that is given is taken as it is: on an empty one the service does all that a first start does.
 */
export async function startTestService(options: Partial<ServiceConfig> = {}, clock?: Clock): Promise<TestService> {
  const folder = options.dataDir === undefined ? temporaryFolder() : null
  if (folder) prepareData(folder.path)
  const dataDir = options.dataDir ?? folder?.path ?? ''
  const config: ServiceConfig = { dataDir, port: 0, portMayMove: false, rendererDir: null, logLevel: 'warn', ...options }
  let service: Service = await createService(config, createHeadlessHost(dataDir), clock)
  const file = (): ServiceFile => {
    const found = readServiceFile(dataDir)
    if (!found) throw new Error('The service wrote no service.json.')
    return found
  }
  const close = async () => {
    await service.close()
    folder?.remove()
  }
  return {
    dataDir,
    get baseUrl() {
      return service.baseUrl
    },
    workspaceId: service.workspaceId,
    get file() {
      return file()
    },
    get client() {
      return clientFor(service.baseUrl, service.sessionToken, service.workspaceId)
    },
    get keyClient() {
      return clientFor(service.baseUrl, file().api_key, service.workspaceId)
    },
    fetch: (path, init = {}) => {
      const headers = new Headers({ authorization: `Bearer ${service.sessionToken}`, 'x-workspace-id': service.workspaceId })
      for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
      return fetch(service.baseUrl + path, { ...init, headers })
    },
    restart: async change => {
      await service.close()
      change?.()
      service = await createService(config, createHeadlessHost(dataDir), clock)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
