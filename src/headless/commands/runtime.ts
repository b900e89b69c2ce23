import { resolve } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { type LocalRuntime, RuntimeBackend } from '../../contract/local-models/local-models.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { followJob } from '../client/follow-job.ts'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'

const InstallFlags = z.object({ from: z.string().optional(), registry: z.url({ protocol: /^https?$/ }).optional() })

/** `assay runtime install`, `status` and `remove`: what loads GGUF files on this machine. */
export function addRuntime(program: Command, finish: Finish): void {
  const parent = program.command('runtime').description('install, show or remove the runtime that loads GGUF files')
  const help = { visibleGlobalOptions: () => [...program.options] }
  parent
    .command('install')
    .configureHelp(help)
    .argument('[backend]', `${RuntimeBackend.options.join(', ')} (default: metal where there is Metal, else cpu)`)
    .description('download and install the runtime; says size and host first')
    .option('--from <folder>', 'folder with the tarballs, for machines without network')
    .option('--registry <url>', 'npm registry to download from (default: the one that npm is configured for)')
    .action(onService(finish, (session, command) => install(session, command.args[0], parseFlags(InstallFlags, command))))
  parent
    .command('status')
    .configureHelp(help)
    .description('show what is installed')
    .action(onService(finish, async session => show(session, await session.client.call('getLocalRuntime', {}))))
  parent
    .command('remove')
    .configureHelp(help)
    .description('remove the runtime; files of models stay')
    .action(onService(finish, async session => show(session, await session.client.callAsOwner('removeLocalRuntime', {}))))
}

async function install(session: Session, named: string | undefined, { from, registry }: z.output<typeof InstallFlags>): Promise<ExitCode> {
  const { client, out } = session
  const before = await client.call('getLocalRuntime', {})
  const backend = RuntimeBackend.safeParse(named ?? (before.options.some(option => option.backend === 'metal') ? 'metal' : 'cpu'))
  if (!backend.success) throw new UsageError(`"${named}" is no backend. There are ${RuntimeBackend.options.join(', ')}.`)
  const size = before.options.find(option => option.backend === backend.data)
  if (size)
    out.note(
      `node-llama-cpp ${before.version}, ${backend.data}: ${from === undefined ? `downloads ${formatBytes(size.download_bytes)} from ${registry === undefined ? (before.host ?? 'no registry: none is configured') : new URL(registry).host}` : `reads ${from}`}, takes ${formatBytes(size.unpacked_bytes)} on disk.`,
    )
  const begun = await client.callAsOwner('installLocalRuntime', {
    body: { backend: backend.data, from: from === undefined ? null : resolve(from), registry: registry ?? null },
  })
  if (begun.job_id) await followJob(session, begun.job_id, 'Installing the runtime')
  return show(session, await client.call('getLocalRuntime', {}))
}

function show({ out }: Session, runtime: LocalRuntime): ExitCode {
  const { version, backend, status, options, problem } = runtime
  out.body(runtime)
  if (status === 'ready') out.line(`node-llama-cpp ${version} is installed (${backend}).`)
  else if (status === 'installing') out.line(`node-llama-cpp ${version} is being installed.`)
  else
    out.line(
      `No runtime is installed. ${options.length > 0 ? 'Install it with "assay runtime install".' : 'None is built for this machine.'}`,
    )
  if (problem !== null) out.note(problem)
  return problem === null ? exitCodes.passed : exitCodes.error
}
