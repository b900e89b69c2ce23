import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { firstSeat, type ForkServer, openForkServer } from './fork-server.ts'
import { linuxBounds, type SandboxFiles, type Tier } from './tier.ts'

const startMs = 10_000
/** Sandboxed processes that are forked from one start of Python. */
const seats = 32

/** The system's Python behind Linux namespaces. @returns why there is none as a text */
export async function linuxTier(files: SandboxFiles): Promise<Tier | string> {
  if (process.platform !== 'linux') return 'It needs Linux.'
  const python = await findPython()
  if (python === null) return 'There is no Python 3.8 or newer on this machine. Install the package "python3".'
  const { memory, disk, processorSeconds } = linuxBounds
  const program = `${files.linux}\n${files.harness}\nfork_server(${seats}, ${memory}, ${disk}, ${processorSeconds})\n`
  const stdio = Array.from({ length: firstSeat + seats }, () => 'pipe' as const)
  let server: ForkServer | null = null
  const open = new Set<ForkServer>()
  const begin = () => {
    // Its own group, so that nothing it signals by group reaches us.
    const child = spawn(python.path, ['-I', '-S', '-B', '-c', program], { cwd: '/', env: {}, stdio, detached: true })
    const begun = openForkServer(child, seats, startMs)
    open.add(begun)
    child.on('close', () => open.delete(begun))
    return begun
  }
  return {
    id: 'linux',
    title: 'Linux namespaces with the system’s Python',
    protects:
      'Files, network, other processes, environment and devices of this machine are not there for the code: it has separate namespaces, an empty root with Python’s library read-only, 64 MiB in memory to write to, no capability, and no system call for sockets, new processes, programs, mounts, tracing or kernel keys. Each check has processes of its own. Memory, processor time and open files are limited.',
    limits: 'The kernel is shared: a flaw in Linux itself could be used. Timing of the machine can be observed.',
    language: 'python',
    interpreter: `Python ${python.version}`,
    bounds: linuxBounds,
    start: role => {
      if (!server?.hasSeat()) server = begin()
      return server.start(role)
    },
    renew: () => {
      server?.retire()
      server = null
    },
    close: async () => {
      server = null
      await Promise.all([...open].map(one => one.close()))
    },
  }
}

const question = 'import sys; print(sys.executable); print("%d.%d.%d" % sys.version_info[:3])'

/** The first usable interpreter; asked for its own path, since what is on the PATH may be a script that chooses one. */
async function findPython(): Promise<{ readonly path: string; readonly version: string } | null> {
  for (const name of ['/usr/bin/python3', 'python3', '/usr/local/bin/python3']) {
    try {
      const { stdout } = await promisify(execFile)(name, ['-I', '-S', '-c', question], { timeout: 10_000 })
      const [path = '', version = ''] = stdout.trim().split('\n')
      const [major, minor] = version.split('.').map(Number)
      if (path !== '' && major === 3 && (minor ?? 0) >= 8) return { path, version }
    } catch {
      // Not here, or not able to run: the next one is tried.
    }
  }
  return null
}
