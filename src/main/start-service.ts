import { app, utilityProcess } from 'electron'
import type { ServiceConfig } from '../service/config.ts'
import type { Host, NodeProcess, SecretBox } from '../service/host.ts'
import {
  type FromService,
  readMessage,
  receivedError,
  type SecretRequest,
  sendableError,
  type ServiceFacts,
  type ToService,
} from './service-messages.ts'

/** The service as the shell uses it. Its address stays; its session changes when it starts again. */
export interface DesktopService extends ServiceFacts {
  /** Resolves when the service cannot be started again; then nothing more is served. */
  readonly failed: Promise<Error>
  /** Stops the service; resolves when its process is gone. Safe to call twice. */
  readonly close: () => Promise<void>
  /** Calls back after each start that a crash made necessary, with what ended the process before it. */
  readonly onRestart: (callback: (ended: string) => void) => void
}

/** Starts the service, in a process of its own: `StartService` of index.ts. */
export type StartService = (config: ServiceConfig, host: Host) => Promise<DesktopService>

/** Crashes within this many milliseconds of each other count together, and so many of them end the attempts. */
const rowMs = 5 * 60_000
const mostCrashes = 3
/** How long a service that starts after a crash waits for what the dead one still holds, in milliseconds. */
const lockWaitMs = 10_000

/** Runs the service in a utility process, so that its work holds up neither menus nor input, and starts it again when it crashes. */
export function serviceIn(script: string): StartService {
  return async (config, host) => {
    const failed = Promise.withResolvers<Error>()
    const restarted: ((ended: string) => void)[] = []
    let isClosing = false
    let crashes: number[] = []
    let current = startChild(script, config, host)
    let facts = await current.ready
    // Pages and links keep their address.
    const again: ServiceConfig = { ...config, port: Number(new URL(facts.baseUrl).port), portMayMove: false, lockWaitMs }

    function watch(child: ServiceChild): void {
      child.failed.then(failed.resolve, failed.reject)
      child.ended
        .then(ended => {
          if (!isClosing) return restart(ended)
        })
        .catch((error: unknown) => failed.resolve(error instanceof Error ? error : new Error(String(error))))
    }

    async function restart(ended: string): Promise<void> {
      console.error(`The service ended: ${ended} It is started again.`)
      const now = Date.now()
      crashes = [...crashes.filter(at => now - at < rowMs), now]
      if (crashes.length > mostCrashes)
        throw new Error(`The service ended ${crashes.length} times within ${rowMs / 60_000} minutes, the last time so: ${ended}`)
      current = startChild(script, again, host)
      facts = await current.ready
      watch(current)
      for (const callback of restarted) callback(ended)
    }

    watch(current)
    return {
      get baseUrl() {
        return facts.baseUrl
      },
      get publicUrl() {
        return facts.publicUrl
      },
      get workspaceId() {
        return facts.workspaceId
      },
      get sessionToken() {
        return facts.sessionToken
      },
      failed: failed.promise,
      onRestart: callback => void restarted.push(callback),
      close: () => {
        isClosing = true
        return current.close()
      },
    }
  }
}

/** One process of the service. */
interface ServiceChild {
  readonly ready: Promise<ServiceFacts>
  readonly failed: Promise<Error>
  /** Resolves to how it ended. */
  readonly ended: Promise<string>
  readonly close: () => Promise<void>
}

function startChild(script: string, config: ServiceConfig, host: Host): ServiceChild {
  const child = utilityProcess.fork(script, [], { serviceName: 'Assay service', stdio: app.isPackaged ? 'ignore' : 'inherit' })
  const ready = Promise.withResolvers<ServiceFacts>()
  const failed = Promise.withResolvers<Error>()
  const ended = Promise.withResolvers<string>()
  const closed = Promise.withResolvers<void>()
  // Who waits for one of them may not wait for the other.
  ready.promise.catch(() => undefined)
  closed.promise.catch(() => undefined)
  const post = (message: ToService): void => child.postMessage(message)
  const processes = new Map<number, NodeProcess>()
  let isClosing = false

  child.on('message', data => {
    const message = readMessage<FromService>(data)
    if (message.kind === 'ready') ready.resolve(message.service)
    else if (message.kind === 'not-started') ready.reject(receivedError(message.error))
    else if (message.kind === 'failed') failed.resolve(receivedError(message.error))
    else if (message.kind === 'closed') {
      if (message.error === null) closed.resolve()
      else closed.reject(receivedError(message.error))
      child.kill()
    } else if (message.kind === 'secret') void answerSecret(host.secrets, message.id, message.request, post)
    else if (message.kind === 'process-start') startFor(message.id, message.script)
    else if (message.kind === 'process-post') processes.get(message.id)?.post(message.data)
    else processes.get(message.id)?.kill()
  })

  function startFor(id: number, script: string): void {
    const started = host.startProcess?.(script, {
      message: data => post({ kind: 'process-message', id, data }),
      end: detail => {
        processes.delete(id)
        post({ kind: 'process-end', id, detail })
      },
    })
    if (started) processes.set(id, started)
  }

  child.once('exit', code => {
    for (const started of processes.values()) started.kill()
    const how = `its process ended with code ${code}.`
    ready.reject(new Error(`The service could not start: ${how}`))
    // Of one that is gone there is nothing left to close.
    closed.resolve()
    ended.resolve(how)
  })
  child.once('spawn', () => post({ kind: 'start', config }))
  return {
    ready: ready.promise,
    failed: failed.promise,
    ended: ended.promise,
    close: () => {
      if (!isClosing) {
        isClosing = true
        post({ kind: 'close' })
      }
      return closed.promise
    },
  }
}

async function answerSecret(secrets: SecretBox, id: number, request: SecretRequest, post: (message: ToService) => void): Promise<void> {
  try {
    post({ kind: 'secret', id, value: await answerOf(secrets, request) })
  } catch (error) {
    post({ kind: 'secret-failed', id, error: sendableError(error) })
  }
}

function answerOf(secrets: SecretBox, request: SecretRequest): Promise<string | Uint8Array | null> {
  if (request.method === 'unavailableReason') return secrets.unavailableReason()
  if (request.method === 'encrypt') return secrets.encrypt(request.plain, request.place)
  return secrets[request.method](request.cipher, request.place)
}
