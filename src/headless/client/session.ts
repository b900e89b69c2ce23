import type { Command } from 'commander'
import { z } from 'zod'
import { ServiceError } from '../../contract/client.ts'
import { defaultDataDir } from '../config.ts'
import { describeFailure } from '../describe-failure.ts'
import { type ExitCode, exitCodeOf, exitCodes, UsageError } from '../exit-codes.ts'
import { complainAs, writeJson } from '../print.ts'
import { createOutput, type Output } from './output.ts'
import { connect, type ServiceClient } from './service-client.ts'

/** Options that every command takes. */
const GlobalOptions = z.object({
  dataDir: z.string().optional(),
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
  color: z.boolean().default(true),
  ephemeral: z.boolean().default(false),
})
export type GlobalOptions = z.infer<typeof GlobalOptions>

/** What a command works with: the service, and where it says what it found. */
export interface Session {
  readonly client: ServiceClient
  readonly out: Output
  /** Whether the service ends with the command. */
  readonly ephemeral: boolean
}

/** Tells the program how the command ended. */
export type Finish = (code: ExitCode) => void

export function globalsOf(command: Command): GlobalOptions {
  return GlobalOptions.parse(command.optsWithGlobals())
}

/** A command's own options, checked. @throws UsageError */
export function parseFlags<Schema extends z.ZodType>(schema: Schema, command: Command): z.output<Schema> {
  const parsed = schema.safeParse(command.opts())
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0] ?? '').replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  throw new UsageError(`--${name}: ${issue?.message ?? 'cannot be used'}`)
}

/** The handler of a command that needs the running service. */
export function onService(finish: Finish, work: (session: Session, command: Command) => Promise<ExitCode>) {
  return async function handle(this: Command): Promise<void> {
    const options = globalsOf(this)
    finish(await guarded(options, () => withSession(options, session => work(session, this))))
  }
}

/** The handler of a command that needs no service. */
export function offline(finish: Finish, work: (out: Output, command: Command) => ExitCode | Promise<ExitCode>) {
  return async function handle(this: Command): Promise<void> {
    const options = globalsOf(this)
    finish(await guarded(options, async () => work(createOutput(options), this)))
  }
}

async function withSession(options: GlobalOptions, work: (session: Session) => Promise<ExitCode>): Promise<ExitCode> {
  const out = createOutput(options)
  if (!options.ephemeral) {
    const dataDir = options.dataDir ?? defaultDataDir()
    return work({ client: await connect(dataDir), out, ephemeral: false })
  }
  // Loaded only here: a command that talks to a running service starts in a fraction of the time.
  const { startEphemeral } = await import('./ephemeral.ts')
  const service = await startEphemeral(options.dataDir)
  try {
    return await work({ client: await connect(service.dataDir), out, ephemeral: true })
  } finally {
    await service.close()
  }
}

/** Runs a command; what it throws becomes a message and an exit code. */
async function guarded({ json }: GlobalOptions, work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work()
  } catch (error) {
    if (json && error instanceof ServiceError && error.body) writeJson(process.stderr, JSON.stringify(error.body))
    else complainAs({ json }, error instanceof UsageError ? 'usage' : 'error', describeFailure(error))
    if (error instanceof UsageError) return exitCodes.usage
    return error instanceof ServiceError ? exitCodeOf(error.code) : exitCodes.error
  }
}
