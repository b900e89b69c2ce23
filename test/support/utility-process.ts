import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { StartNodeProcess } from '../../src/service/host.ts'

const port = fileURLToPath(new URL('utility-port.ts', import.meta.url))

interface ForkOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdio?: string
  readonly disclaim?: boolean
}

/**
 * Plays Electron's utility process with plain Node: the script is given `process.parentPort`, no standard input, and none of Node's
 * switches.
 */
export class UtilityProcess extends EventEmitter {
  static readonly forked: ForkOptions[] = []
  static readonly running = new Set<UtilityProcess>()
  static fork(script: string, args: readonly string[], options: ForkOptions): UtilityProcess {
    UtilityProcess.forked.push(options)
    return new UtilityProcess(
      fork(script, [...args], {
        env: { ...(options.env ?? process.env) },
        ...(options.cwd !== undefined && { cwd: options.cwd }),
        execArgv: ['--import', port],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    )
  }

  readonly #child: ChildProcess
  constructor(child: ChildProcess) {
    super()
    this.#child = child
    child.on('spawn', () => this.emit('spawn'))
    child.on('message', message => this.emit('message', message))
    UtilityProcess.running.add(this)
    child.on('exit', code => {
      UtilityProcess.running.delete(this)
      this.emit('exit', code ?? 0)
    })
  }
  /** As Electron has it: unknown until it was started, and once it has ended. */
  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined
  }
  /** As Electron has it: asks the process to end. */
  kill(): boolean {
    return this.#child.kill()
  }
  postMessage(message: object): void {
    if (this.#child.connected) this.#child.send(message)
  }
}

/** The same as the port that the service is given. */
export const startUtility: StartNodeProcess = (script, events) => {
  const child = UtilityProcess.fork(script, [], { env: { ASSAY_SANDBOX: '1' } })
  child.on('message', message => events.message(message))
  child.on('exit', code => events.end(`It ended with code ${code}.`))
  return {
    post: message => child.postMessage(Object(message)),
    kill: () => child.pid !== undefined && process.kill(child.pid, 'SIGKILL'),
  }
}
