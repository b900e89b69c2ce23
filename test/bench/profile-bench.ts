import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { temporaryFolder } from '../support/service.ts'
import { importTasks, registerConnection, tasks } from './prepare.ts'
import { startMeasuredService, startServerProcess } from './processes.ts'
import { measureProduct } from './versus-bench.ts'

const source = fileURLToPath(new URL('../../src/headless/cli.ts', import.meta.url))
const Profile = z.object({
  nodes: z.array(
    z.object({ id: z.int(), callFrame: z.object({ functionName: z.string(), url: z.string() }), children: z.array(z.int()).default([]) }),
  ),
  startTime: z.number(),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
})
type Profile = z.infer<typeof Profile>

/** Threads as the system names them. */
const threadNames: Readonly<Record<string, string>> = {
  'node-MainThread': 'main',
  'run-writer': 'storing',
  WorkerThread: 'scoring',
  'node-V8Worker': 'V8 helpers (garbage, compiling)',
  'libuv-worker': 'libuv pool (files)',
  'v8:ProfEvntProc': 'the profiler',
}
/** Parts below this share of the whole are summed up. */
const least = 0.01

/**
 * Where a sample's processor time goes. The system counts the time of each thread; V8's profile of the thread, taken in the same seconds,
 * shares it out by the code on top of the stack. So the rows add up to the processor time of the process. Of the source, where files have
 * their names; Linux only.
 */
export async function benchProfile(samples: number): Promise<void> {
  const server = await startServerProcess()
  const [folder, profiles] = [temporaryFolder(), temporaryFolder()]
  const service = await startMeasuredService({ entry: source, dataDir: folder.path, profileDir: profiles.path, withUi: false })
  let isStopped = false
  try {
    const connectionId = await registerConnection(service, server.baseUrl)
    const product = { name: 'Assay', service, folder, connectionId, profile: await importTasks(service) }
    for (let warm = 0; warm < 3; warm++) await measureProduct(product, 3 * tasks)
    const from = nowUs()
    const watch = watchThreads(service.pid)
    const { cpuMs } = await measureProduct(product, samples)
    const threads = watch.end()
    const to = nowUs()
    await service.stop()
    isStopped = true
    const perSample: Record<string, number> = {}
    let known = 0
    for (const [thread, used] of Object.entries(threads)) {
      known += used
      const parts = partsOf(readProfiles(profiles.path, thread), from, to)
      for (const [part, share] of Object.entries(parts)) perSample[`${thread}: ${part}`] = (used * share) / samples
    }
    perSample['not seen: threads between their last look and their end'] = Math.max(0, (cpuMs ?? known) - known) / samples
    print(perSample, samples)
  } finally {
    if (!isStopped) await service.stop()
    await server.stop()
    folder.remove()
    profiles.remove()
  }
}

function print(perSample: Readonly<Record<string, number>>, samples: number): void {
  const whole = Object.values(perSample).reduce((sum, ms) => sum + ms, 0)
  const rows: Record<string, number> = {}
  for (const [name, ms] of Object.entries(perSample)) {
    const key = ms / whole < least ? name.replace(/:.*/, ': other') : name
    rows[key] = (rows[key] ?? 0) + ms
  }
  const shown = (ms: number) => ({ 'µs/sample': Number((ms * 1000).toFixed(1)), '%': Number(((100 * ms) / whole).toFixed(1)) })
  const sorted = Object.entries(rows).sort(([, a], [, b]) => b - a)
  console.log(`${samples} samples, Node ${process.version}, processor time by thread and by the code on top of the stack.`)
  console.table(Object.fromEntries([...sorted.map(([name, ms]) => [name, shown(ms)]), ['whole', shown(whole)]]))
}

/** Of the clock that V8's profiles are in, which is the system's. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/** Looks often, as a thread that has nothing to do ends and takes its count along. */
function watchThreads(pid: number) {
  const before = threadTimes(pid)
  const last = new Map(before)
  const look = () => {
    for (const [task, time] of threadTimes(pid)) last.set(task, time)
  }
  const timer = setInterval(look, 50)
  return {
    /** Milliseconds used since, by kind of thread. */
    end: (): Record<string, number> => {
      clearInterval(timer)
      look()
      const used: Record<string, number> = {}
      for (const [task, { name, ms }] of last) used[name] = (used[name] ?? 0) + ms - (before.get(task)?.ms ?? 0)
      return used
    },
  }
}

/** Processor time in milliseconds of each thread. */
function threadTimes(pid: number): Map<string, { readonly name: string; readonly ms: number }> {
  const times = new Map<string, { readonly name: string; readonly ms: number }>()
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const read = (name: string) => readFileSync(`/proc/${pid}/task/${task}/${name}`, 'utf8')
    try {
      const system = read('comm').trim()
      times.set(task, { name: threadNames[system] ?? system, ms: Number(read('schedstat').split(' ')[0]) / 1e6 })
    } catch {
      // It ended between the two reads.
    }
  }
  return times
}

/** Of all threads of a kind. */
function readProfiles(folder: string, thread: string): Profile[] {
  return readdirSync(folder)
    .map(name => Profile.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
    .filter(profile => threadOf(profile) === thread)
}

function threadOf({ nodes }: Profile): string {
  const has = (end: string) => nodes.some(({ callFrame: { url } }) => url.endsWith(end))
  if (has('/workers/run-writer.worker.ts')) return 'storing'
  return has('/headless/cli.ts') ? 'main' : 'scoring'
}

/** Share of each part in the time that a thread was not idle; everything is one part where there is no profile. */
function partsOf(profiles: readonly Profile[], from: number, to: number): Record<string, number> {
  const times: Record<string, number> = {}
  let sum = 0
  for (const { nodes, startTime, samples, timeDeltas } of profiles) {
    const parts = partsOfNodes(nodes)
    let at = startTime
    for (const [i, id] of samples.entries()) {
      const took = timeDeltas[i] ?? 0
      at += took
      const part = parts.get(id)
      if (at < from || at > to || part === undefined || part === 'idle') continue
      times[part] = (times[part] ?? 0) + took
      sum += took
    }
  }
  if (sum === 0) return { all: 1 }
  return Object.fromEntries(Object.entries(times).map(([part, took]) => [part, took / sum]))
}

/** Native functions are part of what called them. */
function partsOfNodes(nodes: Profile['nodes']): Map<number, string> {
  const parents = new Map(nodes.flatMap(({ id, children }) => children.map(child => [child, id])))
  const byId = new Map(nodes.map(node => [node.id, node.callFrame]))
  const partOf = (id: number): string => {
    const frame = byId.get(id)
    const parent = parents.get(id)
    if (!frame || frame.functionName === '(root)') return 'Node itself'
    if (frame.functionName === '(idle)') return 'idle'
    if (frame.functionName === '(garbage collector)') return 'garbage'
    if (frame.functionName === '(program)') return 'outside of JavaScript'
    return frame.url === '' && parent !== undefined ? partOf(parent) : nameOf(frame.url)
  }
  return new Map(nodes.map(({ id }) => [id, partOf(id)]))
}

function nameOf(url: string): string {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (library !== undefined) return library
  const own = /\/(?:src|test)\/([^/]+\/[^/]+)\/?/.exec(url)?.[1]?.replace(/\.\w+$/, '')
  if (own !== undefined) return own
  return url.startsWith('node:') ? url.replace('node:internal/', 'node:').split('/', 1)[0] || 'node' : 'Node itself'
}
