import { randomUUID } from 'node:crypto'
import { PassThrough, Writable } from 'node:stream'
import { BroadcastChannel } from 'node:worker_threads'
import type { StartLocked } from '../engine/grading/sandbox/locked-program.ts'
import type { NodeProcess, StartNodeProcess } from './node-process.ts'
import { FromSandbox, type FromBroker, type ToBroker } from './sandbox-messages.ts'

/** The main thread's side: it starts the processes that the code thread asks for, and passes on what is said. */
export interface SandboxBroker {
  /** Name of the channel that the code thread asks on. */
  readonly channel: string
  /** Kills what still runs. */
  close(): void
}

/** @param relay script of the process, `sandbox-relay.worker` */
export function openSandboxBroker(start: StartNodeProcess, relay: string): SandboxBroker {
  const name = `assay-sandbox-${randomUUID()}`
  const channel = open<ToBroker, FromBroker>(name, message => {
    const { id, ...order } = message
    if (order.kind === 'begin') processes.set(id, begin(id))
    const running = processes.get(id)
    if (order.kind === 'kill') running?.kill()
    else running?.post(order)
  })
  const processes = new Map<string, NodeProcess>()

  function begin(id: string): NodeProcess {
    let said: Extract<FromSandbox, { kind: 'ended' }> | null = null
    const started = start(relay, {
      message: data => {
        const parsed = FromSandbox.safeParse(data)
        if (!parsed.success) said = { kind: 'ended', detail: 'It sent something that is no message.', by: 'code', code: null }
        else if (parsed.data.kind === 'ended') said = parsed.data
        else return channel.post({ id, ...parsed.data })
        // It waits to be ended, so that nothing that it has said is lost with it.
        started.kill()
      },
      end: detail => {
        processes.delete(id)
        channel.post({ id, ...(said ?? { kind: 'ended', detail, by: 'outside', code: null }) })
      },
    })
    return started
  }

  return {
    channel: name,
    close: () => {
      for (const running of processes.values()) running.kill()
      channel.close()
    },
  }
}

/** The code thread's side: starts processes by way of the broker. */
export function startByBroker(name: string): StartLocked {
  const ends = new Map<string, (message: FromSandbox) => void>()
  const channel = open<FromBroker, ToBroker>(name, ({ id, ...message }) => ends.get(id)?.(message))
  return program => {
    const id = randomUUID()
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const gone = Promise.withResolvers<Extract<FromSandbox, { kind: 'ended' }>>()
    ends.set(id, message => {
      if (message.kind === 'output') stdout.write(message.bytes)
      else if (message.kind === 'complaint') stderr.write(message.text)
      else {
        ends.delete(id)
        stdout.end()
        stderr.end()
        gone.resolve(message)
      }
    })
    channel.post({ id, kind: 'begin', program })
    const stdin = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        channel.post({ id, kind: 'input', text })
        done()
      },
    })
    return {
      stdin,
      stdout,
      stderr,
      kill: () => channel.post({ id, kind: 'kill' }),
      onEnd: tell => void gone.promise.then(({ detail, by, code }) => tell({ detail, by, code })),
    }
  }
}

/** A channel between the threads of this process. It keeps none of them alive. */
function open<In, Out>(name: string, receive: (message: In) => void): { post(message: Out): void; close(): void } {
  const channel = new BroadcastChannel(name)
  // Both ends are ours, and of the same build; what comes from outside was parsed before.
  channel.onmessage = ({ data }) => receive(data as In)
  channel.unref()
  let closed = false
  return {
    post: message => {
      // A process may end after its service was closed.
      if (!closed) channel.postMessage(message)
    },
    close: () => {
      closed = true
      channel.close()
    },
  }
}
