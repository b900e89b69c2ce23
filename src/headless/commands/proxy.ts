import type { Command } from 'commander'
import { z } from 'zod'
import type { ProxySetting } from '../../contract/network/proxy.schemas.ts'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'

const Flags = z.object({ except: z.string().optional() })
type Flags = z.output<typeof Flags>

/** `assay proxy`: shows or sets through which proxy servers are called. */
export function addProxy(program: Command, finish: Finish): void {
  program
    .command('proxy')
    .argument('[proxy]', 'address of an HTTP proxy, "none", or "environment" for HTTPS_PROXY, HTTP_PROXY and NO_PROXY')
    .description('show through which proxy servers are called, or set it; this machine is never called through one')
    .option('--except <hosts>', 'hosts, addresses and ranges that are called directly, separated by commas')
    .action(onService(finish, (session, command) => proxy(session, command.args[0], parseFlags(Flags, command))))
}

async function proxy({ client, out }: Session, chosen: string | undefined, { except }: Flags): Promise<ExitCode> {
  if (except !== undefined && (chosen === undefined || chosen === 'none' || chosen === 'environment'))
    throw new UsageError('--except goes with the address of a proxy')
  const setting =
    chosen === undefined
      ? await client.call('getProxy', {})
      : await client.callAsOwner('setProxy', {
          body:
            chosen === 'none' || chosen === 'environment'
              ? { mode: chosen }
              : { mode: 'proxy', url: chosen, except: (except ?? '').split(/[\s,]+/).filter(host => host !== '') },
        })
  out.body(setting)
  out.line(describe(setting))
  return exitCodes.passed
}

const sources = { option: 'by --proxy, which counts before the setting', setting: 'by the setting', environment: 'by the environment' }

function describe({ in_use: { from, http, https, except } }: ProxySetting): string {
  const lines = [`https: ${https ?? 'no proxy'}`, `http: ${http ?? 'no proxy'}`, `set ${sources[from]}`]
  if (except.length > 0) lines.push(`called directly: ${except.join(', ')}`)
  return lines.join('\n')
}
