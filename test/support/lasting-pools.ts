import { createRequire } from 'node:module'
import { bindTo, newBinding } from './bound-database.ts'
import { notedFile } from './note-statements.ts'

/** Not imported by name, which would be this module where it takes the place of the package. */
const original = createRequire(import.meta.url)('piscina') as typeof import('piscina') // require knows no types

/** Milliseconds, at least, for which a thread waits for its next task. */
const leastIdleMs = 30_000
const noting = new URL('note-statements.ts', import.meta.url).href
const binding = new URL('bound-database.ts', import.meta.url).href

type Options = NonNullable<ConstructorParameters<typeof original.Piscina>[0]>

/** Pools that a closed service has left with nothing to do, by what they were made with. */
const free = new Map<string, LastingPool[]>()

/** What two pools must have in common to stand in for each other, apart from the database; null where one may not. */
function kindOf({ taskQueue: _, workerData, ...bounds }: Options): string | null {
  const data: unknown = workerData ?? {}
  if (typeof data !== 'object' || data === null || Object.keys(data).some(name => name !== 'databasePath')) return null
  // Threads take the environment as it is when they start.
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
  return JSON.stringify([bounds, 'databasePath' in data, environment])
}

/** What the self-tests of sandboxes found in this process, by all that they depend on; each takes two seconds of processor time. */
const examinations = new Map<string, Promise<unknown>>()

/** What two examinations of sandboxes with the same outcome have in common; null for any other task, and where each is to be made. */
function examinationOf({ filename, workerData }: Options, task: unknown): string | null {
  const data: unknown = workerData
  if (typeof task !== 'object' || task === null || !('kind' in task) || task.kind !== 'examine') return null
  const isOwn = typeof data === 'object' && data !== null && 'channel' in data && data.channel === null
  return isOwn ? JSON.stringify([filename, process.env]) : null
}

function databaseOf({ workerData }: Options): string | null {
  const data: unknown = workerData
  if (typeof data !== 'object' || data === null || !('databasePath' in data)) return null
  return String(data.databasePath)
}

class LastingPool extends original.Piscina {
  readonly #options: Options
  readonly #kind: string | null
  readonly #bound: SharedArrayBuffer
  /** What its threads may still have open, under the same name, when something else has taken its place. */
  readonly #served = new Set<string | null>()
  #tasks = 0

  constructor(options: Options) {
    const kind = kindOf(options)
    const bound = newBinding()
    const preloads = [
      ...(process.env[notedFile] === undefined ? [] : ['--import', noting]),
      ...(kind !== null && databaseOf(options) !== null ? ['--import', binding] : []),
    ]
    super({
      ...options,
      idleTimeout: Math.max(options.idleTimeout ?? 0, leastIdleMs),
      ...(kind !== null && databaseOf(options) !== null && { workerData: { bound } }),
      ...(preloads.length > 0 && { execArgv: preloads }),
    })
    this.#options = options
    this.#kind = kind
    this.#bound = bound
  }

  mayServe(database: string | null): boolean {
    return database === null || !this.#served.has(database)
  }

  bind(database: string | null): void {
    this.#served.add(database)
    bindTo(this.#bound, database ?? '')
  }

  override run(...args: Parameters<InstanceType<typeof original.Piscina>['run']>): Promise<unknown> {
    const examination = examinationOf(this.#options, args[0])
    if (examination === null) return this.#run(...args)
    const found = examinations.get(examination) ?? this.#run(...args)
    examinations.set(examination, found)
    found.catch(() => examinations.delete(examination))
    return found
  }

  async #run(...args: Parameters<InstanceType<typeof original.Piscina>['run']>): Promise<unknown> {
    this.#tasks++
    try {
      return await super.run(...args)
    } finally {
      this.#tasks--
    }
  }

  override async destroy(): Promise<void> {
    if (this.#kind === null || this.#tasks > 0) return super.destroy()
    // The first listener serves the queue that the pool was made with; the others are those of who had it.
    for (const listener of this.listeners('error').slice(1)) this.off('error', listener as () => void) // as they were given to `on`
    const idle = free.get(this.#kind) ?? []
    free.set(this.#kind, idle)
    if (!idle.includes(this)) idle.push(this)
  }
}

/**
 * Takes the place of `piscina` under test, where starting threads would be a third of the processor time, at 0.1 to 0.6 s each. Threads
 * outlast their short pauses, and the pools of a service that has closed serve the next one of this process.
 */
export const Piscina = new Proxy(LastingPool, {
  construct: (_, [options]: [Options]) => {
    const database = databaseOf(options)
    const idle = free.get(kindOf(options) ?? '') ?? []
    const at = idle.findIndex(pool => pool.mayServe(database))
    const [pool = new LastingPool(options)] = at < 0 ? [] : idle.splice(at, 1)
    pool.bind(database)
    return pool
  },
})
