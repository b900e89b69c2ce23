import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { temporaryFolder } from './temporary-folder.ts'

/** A PostgreSQL server of a test's own, on a free port of this machine. */
export interface Postgres {
  /** Of an empty database. */
  readonly url: string
  /** Runs a statement; answers the rows as text. */
  query(sql: string): string
  /** Ends it as a power failure would, and starts it on what was on the disk. */
  crashAndRestart(): Promise<void>
  /** Ends it as a power failure would; resolves when it is gone. */
  crash(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** Where Debian puts the programs of its newest version; null where there is none. */
function programs(): string | null {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return null
  const versions = readdirSync(root)
    .map(Number)
    .sort((a, b) => b - a)
  return versions.map(version => join(root, String(version), 'bin')).find(dir => existsSync(join(dir, 'initdb'))) ?? null
}

/** PostgreSQL refuses to run as root. */
function account(): { uid: number; gid: number } | null {
  const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()]
  if (uid !== 0) return { uid, gid }
  const id = (flag: string) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  const [user, group] = [id('-u'), id('-g')]
  return user.status === 0 ? { uid: Number(user.stdout), gid: Number(group.stdout) } : null
}

/** Why tests with PostgreSQL are skipped on this machine; null where it is installed. */
export const postgresMissing: string | null =
  programs() === null
    ? 'PostgreSQL is not installed (apt-get install postgresql)'
    : account() === null
      ? 'PostgreSQL refuses to run as root and there is no user "postgres"'
      : null

export async function startPostgres(): Promise<Postgres> {
  const [bin, user] = [programs(), account()]
  if (bin === null || user === null) throw new Error(String(postgresMissing))
  const folder = temporaryFolder()
  chownSync(folder.path, user.uid, user.gid)
  const data = join(folder.path, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'assay', '--no-sync', '--no-instructions', '-E', 'UTF8'], {
    ...user,
    cwd: folder.path,
    stdio: 'pipe',
  })
  const port = await freePort()
  let child: ChildProcess | null = null
  const start = async () => {
    const server = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder.path, '-c', 'listen_addresses=127.0.0.1', '-c', 'autovacuum_naptime=5s'],
      { ...user, cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    child = server
    await new Promise<void>((resolve, reject) => {
      let printed = ''
      createInterface({ input: server.stderr }).on('line', line => {
        printed += `${line}\n`
        if (line.includes('database system is ready to accept connections')) resolve()
      })
      server.once('exit', code => reject(new Error(`PostgreSQL ended with code ${code}: ${printed}`)))
    })
  }
  const stop = async (signal: NodeJS.Signals) => {
    const server = child
    child = null
    if (!server || server.exitCode !== null) return
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }
  await start()
  const query = (sql: string) =>
    execFileSync(join(bin, 'psql'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'assay', '-d', 'postgres', '-tAc', sql], {
      ...user,
      cwd: folder.path,
      encoding: 'utf8',
    }).trim()
  // SIGQUIT is what `pg_ctl -m immediate` sends.
  const crash = () => stop('SIGQUIT')
  return {
    url: `postgres://assay@127.0.0.1:${port}/postgres`,
    query,
    start,
    crash,
    crashAndRestart: async () => {
      await crash()
      await start()
    },
    close: async () => {
      await stop('SIGINT')
      folder.remove()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port was given.')
  return address.port
}
