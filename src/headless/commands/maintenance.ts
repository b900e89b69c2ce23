import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { type Finish, globalsOf } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { runChild } from '../run-child.ts'

const startScript = fileURLToPath(new URL('../start.ts', import.meta.url))

/** Commands around the service itself. Each is loaded when it is called: the service takes longer to load than most commands to run. */
export function addMaintenance(program: Command, finish: Finish): void {
  const handle = (work: (args: string[]) => number | Promise<number>) =>
    async function forward(this: Command): Promise<void> {
      finish(toExitCode(await work(argumentsOf(this))))
    }

  program
    .command('start')
    .description('open the desktop window, or serve the UI to a browser where there is none; builds what has changed')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async function start(this: Command) {
      finish(toExitCode(await runChild(process.execPath, [startScript, ...argumentsOf(this), ...this.args])))
    })
  program
    .command('serve')
    .description('start the service without a window')
    .option('--port <n>', 'port to listen on; 0 picks a free one')
    .option('--no-ui', 'without the browser UI')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .option('--key-rate <n>', 'requests a second for each key')
    .option('--stop-grace <seconds>', 'wait so long for calls in flight when stopped (default 10)')
    .option('--lock-wait <seconds>', 'wait so long at the start for a program that has locked the data (default 30)')
    .option('--keep-free <mb>', 'pause runs while less is free on the disk')
    .option('--allow-remote', 'accept other machines; needs --tls-cert, --tls-key and --origin, or --behind-proxy')
    .option('--host <ip>', 'address to listen on')
    .option('--tls-cert <file>', 'certificate')
    .option('--tls-key <file>', 'private key of the certificate')
    .option('--origin <url>', 'https address that browsers use')
    .option('--behind-proxy <url>', 'https address of the proxy in front')
    .option(
      '--proxy <url>',
      'HTTP proxy for model servers, or none (default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY); never for this machine',
    )
    .option('--queue <url>', 'postgres:// address of the queue for workers; needs --allow-remote')
    .action(handle(async args => (await import('../serve.ts')).serve(args)))
  program
    .command('pair')
    .description('print a new pairing code for a browser')
    .action(handle(async args => (await import('../pair.ts')).pair(args)))
  program
    .command('doctor')
    .description('check the database and back it up, or try the sandboxes for model-written code')
    .option('--backup', 'make a backup')
    .option('--sandbox', 'try every sandbox on this machine')
    .action(handle(async args => (await import('../doctor.ts')).doctor(args)))
  program
    .command('restore')
    .description('list backups, or restore one while no service runs')
    .option('--backup <name>', 'name of the backup, or "newest"')
    .action(handle(async args => (await import('../restore.ts')).restore(args)))
}

/** The parsed options as arguments again, for commands that read their own. */
function argumentsOf(command: Command): string[] {
  const { dataDir } = globalsOf(command)
  const own = Object.entries(command.opts()).flatMap(([key, value]: [string, unknown]) => {
    const name = `--${key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
    if (typeof value === 'string') return [`${name}=${value}`]
    if (key === 'ui') return value === false ? ['--no-ui'] : []
    return value === true ? [name] : []
  })
  return [...(dataDir === undefined ? [] : [`--data-dir=${dataDir}`]), ...own]
}

function toExitCode(code: number): ExitCode {
  return code === 0 ? exitCodes.passed : code === 2 ? exitCodes.usage : exitCodes.error
}
