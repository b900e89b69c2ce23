import { startTestService, type TestService } from '../../support/service.ts'

/** What the parent may ask of this process, one at a time. */
export type HostRequest = { readonly kind: 'start' } | { readonly kind: 'stop' }

export interface Started {
  readonly baseUrl: string
  readonly workspaceId: string
  readonly sessionToken: string
}

export type HostReply = { readonly ok: true; readonly started: Started | null } | { readonly ok: false; readonly error: string }

const rendererDir = new URL('../../../out/renderer', import.meta.url).pathname
let service: TestService | null = null

/** Starts a service on an empty data folder in place of the former one. */
async function start(): Promise<Started> {
  await service?.close()
  service = await startTestService({ rendererDir, logLevel: 'error' })
  return { baseUrl: service.baseUrl, workspaceId: service.workspaceId, sessionToken: service.file.session_token }
}

async function stop(): Promise<null> {
  await service?.close()
  service = null
  return null
}

process.on('message', (request: HostRequest) => {
  void (request.kind === 'start' ? start() : stop())
    .then((started): HostReply => ({ ok: true, started }))
    .catch((error: unknown): HostReply => ({ ok: false, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }))
    .then(reply => process.send?.(reply))
})
// The parent is gone: so are its tests.
process.on('disconnect', () => void stop().finally(() => process.exit()))
