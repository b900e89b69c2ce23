import type { Command } from 'commander'
import { z } from 'zod'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'
import { argumentOf } from './arguments.ts'
import { keyIn } from './connections.ts'

const Flags = z.object({ keyEnv: z.string().optional(), publicKeyEnv: z.string().optional() })

/** `assay traces`: the connections to services that hold traces. */
export function addTraces(program: Command, finish: Finish): void {
  program
    .command('traces')
    .description('connections to services that hold traces')
    .command('reconnect')
    .configureHelp({ visibleGlobalOptions: () => [...program.options] })
    .argument('<integration>', 'id of the integration')
    .description('replace its key: after it was refused, or to rotate it')
    .option('--key-env <name>', 'environment variable with the new key; a key in an option would be visible to other programs')
    .option('--public-key-env <name>', 'environment variable with the new public key, where the service has a pair of keys')
    .action(onService(finish, (session, command) => reconnect(session, argumentOf(command, 0), parseFlags(Flags, command))))
}

async function reconnect({ client, out }: Session, id: string, { keyEnv, publicKeyEnv }: z.output<typeof Flags>): Promise<ExitCode> {
  if (keyEnv === undefined) throw new UsageError('--key-env is missing: the environment variable with the new key')
  const key = keyIn(keyEnv)
  const { items } = await client.call('listTraceIntegrations', {})
  const found = items.find(item => item.id === id)
  const params = { integration_id: id }
  if (found?.provider === 'provider-a' && publicKeyEnv === undefined)
    throw new UsageError(`--public-key-env is missing: ${found.provider_name} has a pair of keys`)
  const integration =
    found?.provider === 'provider-a' && publicKeyEnv !== undefined
      ? await client.callAsOwner('reconnectTraceIntegration', {
          params,
          body: { host: found.base_url, public_key: keyIn(publicKeyEnv), secret_key: key },
        })
      : await client.callAsOwner('reconnectWorkloadTraceIntegration', { params, body: { access_key: key } })
  out.body(integration)
  out.line(`${integration.id}  ${integration.name}  ${integration.status}  key …${integration.credential_hint}`)
  return exitCodes.passed
}
