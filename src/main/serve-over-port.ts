import type { ParentPort } from 'electron'
import type { Service, ServiceConfig } from '../service/config.ts'
import type { Host, NodeProcessEvents, SecretBox, StartNodeProcess } from '../service/host.ts'
import { type FromService, readMessage, receivedError, type SecretRequest, sendableError, type ToService } from './service-messages.ts'

type Port = Pick<ParentPort, 'postMessage' | 'on'>

/**
 * Runs the service for the main process: starts it when told its configuration, lends it the keychain and the sandbox processes of the
 * main process, and closes it when told. The process ends once it is closed.
 */
export function serveOverPort(port: Port, createService: (config: ServiceConfig, host: Host) => Promise<Service>): void {
  const post = (message: FromService): void => port.postMessage(message)
  const secrets = lentSecrets(post)
  const processes = lentProcesses(post)
  let service: Promise<Service> | null = null

  async function start(config: ServiceConfig): Promise<void> {
    service = createService(config, { kind: 'desktop', secrets: secrets.box, startProcess: processes.start })
    try {
      const { baseUrl, publicUrl, workspaceId, sessionToken, failed } = await service
      failed
        .then(error => post({ kind: 'failed', error: sendableError(error) }))
        .catch((error: unknown) => console.error('The failure of the service could not be told.', error))
      post({ kind: 'ready', service: { baseUrl, publicUrl, workspaceId, sessionToken } })
    } catch (error) {
      post({ kind: 'not-started', error: sendableError(error) })
    }
  }

  async function close(): Promise<void> {
    try {
      const running = await service?.catch(() => null)
      await running?.close()
      post({ kind: 'closed', error: null })
    } catch (error) {
      post({ kind: 'closed', error: sendableError(error) })
    }
  }

  port.on('message', ({ data }) => {
    const message = readMessage<ToService>(data)
    if (message.kind === 'start') void start(message.config)
    else if (message.kind === 'close') void close()
    else if (message.kind === 'secret' || message.kind === 'secret-failed') secrets.answered(message)
    else processes.told(message)
  })
}

type SecretAnswer = Extract<ToService, { kind: 'secret' | 'secret-failed' }>

function lentSecrets(post: (message: FromService) => void): { readonly box: SecretBox; readonly answered: (answer: SecretAnswer) => void } {
  const waiting = new Map<number, PromiseWithResolvers<string | Uint8Array | null>>()
  let last = 0
  const ask = (request: SecretRequest): Promise<string | Uint8Array | null> => {
    last += 1
    const answer = Promise.withResolvers<string | Uint8Array | null>()
    waiting.set(last, answer)
    post({ kind: 'secret', id: last, request })
    return answer.promise
  }
  const text = (value: string | Uint8Array | null): string => {
    if (typeof value !== 'string') throw new TypeError('The keychain answered bytes for a text.')
    return value
  }
  const bytes = (value: string | Uint8Array | null): Uint8Array => {
    if (!(value instanceof Uint8Array)) throw new TypeError('The keychain answered a text for bytes.')
    return value
  }
  return {
    box: {
      unavailableReason: async () => {
        const reason = await ask({ method: 'unavailableReason' })
        return reason === null ? null : text(reason)
      },
      encrypt: async (plain, place) => bytes(await ask({ method: 'encrypt', plain, place })),
      decrypt: async (cipher, place) => text(await ask({ method: 'decrypt', cipher, place })),
      sealFormer: async (cipher, place) => {
        const sealed = await ask({ method: 'sealFormer', cipher, place })
        return sealed === null ? null : bytes(sealed)
      },
    },
    answered: answer => {
      const asked = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (answer.kind === 'secret') asked?.resolve(answer.value)
      else asked?.reject(receivedError(answer.error))
    },
  }
}

type ProcessNews = Extract<ToService, { kind: 'process-message' | 'process-end' }>

function lentProcesses(post: (message: FromService) => void): {
  readonly start: StartNodeProcess
  readonly told: (news: ProcessNews) => void
} {
  const running = new Map<number, NodeProcessEvents>()
  let last = 0
  return {
    start: (script, events) => {
      last += 1
      const id = last
      running.set(id, events)
      post({ kind: 'process-start', id, script })
      return {
        post: data => post({ kind: 'process-post', id, data }),
        kill: () => post({ kind: 'process-kill', id }),
      }
    },
    told: news => {
      const events = running.get(news.id)
      if (news.kind === 'process-message') return events?.message(news.data)
      running.delete(news.id)
      events?.end(news.detail)
    },
  }
}
