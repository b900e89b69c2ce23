import type { Command } from 'commander'
import { z } from 'zod'
import { type Connection, ConnectionProtocol, ProbedCapability } from '../../contract/connections/connections.schemas.ts'
import { connectionOf, microUsdOf } from '../client/resolve-run.ts'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'
import { argumentOf } from './arguments.ts'

const Usd = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be US dollars per million tokens, such as 0.25')
const Flags = z.object({
  url: z.string().optional(),
  model: z.string().optional(),
  name: z.string().optional(),
  protocol: ConnectionProtocol.optional(),
  keyEnv: z.string().optional(),
  inputPrice: Usd.optional(),
  outputPrice: Usd.optional(),
  maxConcurrency: z.coerce.number('must be a number').optional(),
  tools: z.boolean().default(false),
  loglikelihood: z.boolean().default(false),
  images: z.boolean().default(false),
  audio: z.boolean().default(false),
  documents: z.boolean().default(false),
  check: z.boolean().default(true),
})
type Flags = z.output<typeof Flags>

/** `assay connections add` and `check`, beside the list that `inspect.ts` declares. */
export function addConnections(program: Command, finish: Finish): void {
  const parent = program.commands.find(command => command.name() === 'connections')
  if (!parent) throw new Error('The command "connections" is declared before its subcommands.')
  parent.description('list connections to model endpoints, show one, add one or check one')
  // Those of the list are not theirs.
  const help = { visibleGlobalOptions: () => [...program.options] }
  parent
    .command('add')
    .configureHelp(help)
    .description('connect to a model endpoint, and check it with one small request')
    .option('--url <url>', 'base URL up to the version, such as http://127.0.0.1:8000/v1')
    .option('--model <model>', 'model name as the endpoint expects it')
    .option('--name <name>', 'name of the connection, which --model of "assay run" takes (default: the model name)')
    .option('--protocol <protocol>', `${ConnectionProtocol.options.join(', ')} (default: openai_chat)`)
    .option('--key-env <name>', 'environment variable with the API key; a key in an option would be visible to other programs')
    .option('--input-price <usd>', 'provider price of a million input tokens, for estimates')
    .option('--output-price <usd>', 'provider price of a million output tokens')
    .option('--max-concurrency <n>', 'upper limit of requests in flight (default: 16)')
    .option('--tools', 'also test native tool calls')
    .option('--loglikelihood', 'also test log-likelihoods')
    .option('--images', 'also test whether the model takes images')
    .option('--audio', 'also test whether it takes recordings')
    .option('--documents', 'also test whether it takes PDF documents')
    .option('--no-check', 'do not check it; a quote needs a check')
    .action(onService(finish, (session, command) => add(session, parseFlags(Flags, command))))
  parent
    .command('check')
    .configureHelp(help)
    .argument('<connection>', 'id or name of the connection')
    .description('check a connection with one small request, which its provider may bill')
    .action(onService(finish, async (session, command) => check(session, (await connectionOf(session.client, argumentOf(command, 0))).id)))
}

async function add(session: Session, flags: Flags): Promise<ExitCode> {
  const { url, model, name, protocol, maxConcurrency, keyEnv } = flags
  if (url === undefined) throw new UsageError('--url is missing: the base URL of the endpoint, such as http://127.0.0.1:8000/v1')
  if (model === undefined) throw new UsageError('--model is missing: the model name as the endpoint expects it')
  const connection = await session.client.callAsOwner('createConnection', {
    body: {
      name: name ?? model,
      base_url: url,
      model,
      rates: ratesOf(flags),
      probes: ProbedCapability.options.filter(probe => flags[probe]),
      ...(protocol === undefined ? {} : { protocol }),
      ...(keyEnv === undefined ? {} : { api_key: keyIn(keyEnv) }),
      ...(maxConcurrency === undefined ? {} : { limits: { max_concurrency: maxConcurrency } }),
    },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  if (flags.check) return check(session, connection.id)
  show(session, connection)
  session.out.note(`Not checked yet: assay connections check ${connection.id}`)
  return exitCodes.passed
}

async function check(session: Session, id: string): Promise<ExitCode> {
  const connection = await session.client.call('checkConnection', { params: { connection_id: id } })
  show(session, connection)
  return connection.last_check?.ok ? exitCodes.passed : exitCodes.error
}

function show({ out }: Session, connection: Connection): void {
  const { id, name, model, status, last_check: last } = connection
  out.body(connection)
  out.line(`${id}  ${name}  ${model}  ${status}`)
  if (last) out.line(last.message)
}

function ratesOf({ inputPrice, outputPrice }: Flags) {
  if (inputPrice === undefined && outputPrice === undefined) return null
  if (inputPrice === undefined || outputPrice === undefined) throw new UsageError('Give both --input-price and --output-price, or neither.')
  return { input_microusd_per_million: microUsdOf(inputPrice), output_microusd_per_million: microUsdOf(outputPrice) }
}

/** @throws UsageError where the variable is not set */
export function keyIn(variable: string): string {
  const key = process.env[variable]
  if (key === undefined || key === '') throw new UsageError(`--key-env: the environment variable ${variable} is not set`)
  return key
}
