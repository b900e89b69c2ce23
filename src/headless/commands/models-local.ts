import { resolve } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { formatBytes } from '../../lib/format/bytes.ts'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'

const Flags = z.object({ add: z.string().optional() })

/** `assay models local`, beside the list that `inspect.ts` declares. */
export function addLocalModels(program: Command, finish: Finish): void {
  const parent = program.commands.find(command => command.name() === 'models')
  if (!parent) throw new Error('The command "models" is declared before its subcommands.')
  parent
    .command('local')
    .configureHelp({ visibleGlobalOptions: () => [...program.options] })
    .description('list the GGUF files on this machine; "assay run --model FILE.gguf" runs one')
    .option('--add <folder>', 'also look in this folder, now and later')
    .action(onService(finish, (session, command) => list(session, parseFlags(Flags, command))))
}

async function list({ client, out }: Session, { add }: z.output<typeof Flags>): Promise<ExitCode> {
  if (add !== undefined)
    await client.callAsOwner('addLocalModelFolder', { body: { path: resolve(add) }, headers: { 'idempotency-key': crypto.randomUUID() } })
  const found = await client.call('listLocalModels', {})
  const { items, others, folders, unread, runtime } = found
  out.body(found)
  out.table(
    ['model', 'size', 'quantization', 'context', 'fits', 'route or file'],
    items.map(({ name, size_bytes, quantization, trained_context_tokens: context, fit, problem, route_id, path }) => [
      name,
      formatBytes(size_bytes),
      quantization ?? '–',
      context === null ? '–' : String(context),
      problem === null ? fit.status : 'damaged',
      route_id ?? path,
    ]),
  )
  if (items.length === 0) out.note('No GGUF models found. Add a folder with --add.')
  for (const { name, problem } of items) if (problem !== null) out.note(`${name}: ${problem}`)
  for (const { path, reason } of others) out.note(`${path}: ${reason}`)
  for (const { path, problem } of folders) if (problem !== null) out.note(`${path}: ${problem}`)
  if (unread > 0) out.note(`${unread} more files were not read yet. Run the command again.`)
  if (items.length > 0 && runtime.status === 'not_installed') out.note('To run them, install the runtime: assay runtime install')
  return exitCodes.passed
}
