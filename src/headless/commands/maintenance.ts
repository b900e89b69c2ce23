import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { type Finish, globalsOf } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { complain, print } from '../print.ts'
import { runChild } from '../run-child.ts'
import { appVersion } from '../../service/version.ts'
import { messageOf } from '../../lib/message-of.ts'

const startScript = fileURLToPath(new URL('../start.ts', import.meta.url))

/** Commands around the service itself. Each is loaded when it is called: the service takes longer to load than most commands to run. */
export function addMaintenance(program: Command, finish: Finish): void {
  const handle = (work: (args: string[]) => number | Promise<number>, { takesJson = false } = {}) =>
    async function forward(this: Command): Promise<void> {
      const json = takesJson && globalsOf(this).json ? ['--json'] : []
      finish(toExitCode(await work([...argumentsOf(this), ...json])))
    }

  program
    .command('start')
    .description('open the desktop window, or serve the UI to a browser where there is none; builds what has changed')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async function start(this: Command) {
      const args = [...argumentsOf(this), ...this.args]
      // An installed package is built and has no desktop window.
      finish(
        toExitCode(
          await (existsSync(startScript) ? runChild(process.execPath, [startScript, ...args]) : (await import('../serve.ts')).serve(args)),
        ),
      )
    })
  serveOptions(program.command('serve').description('start the service without a window')).action(
    handle(async args => (await import('../serve.ts')).serve(args)),
  )
  serveOptions(
    program
      .command('open')
      .description('open the browser, signed in; starts the service where none runs')
      .option('--no-open', 'print the address instead'),
  ).action(handle(async args => (await import('../open.ts')).open(args)))
  program
    .command('version')
    .description('print the version')
    .option('--check', 'ask npm’s registry whether a newer one is published')
    .option('--registry <url>', 'ask this registry instead')
    .action(async function version(this: Command) {
      const { check, registry } = this.opts<{ check?: true; registry?: string }>()
      if (!check && registry === undefined) print(appVersion)
      else
        try {
          print(await (await import('../latest-version.ts')).latestVersion(registry ?? null))
        } catch (error) {
          complain(messageOf(error))
          finish(exitCodes.error)
        }
    })
  program
    .command('pair')
    .description('print a new pairing code for a browser')
    .action(handle(async args => (await import('../pair.ts')).pair(args)))
  program
    .command('doctor')
    .description('check the database and back it up, or try the sandboxes for model-written code')
    .option('--backup', 'make a backup')
    .option('--sandbox', 'try every sandbox on this machine')
    .action(handle(async args => (await import('../doctor.ts')).doctor(args), { takesJson: true }))
  program
    .command('restore')
    .description('list backups, or restore one while no service runs')
    .option('--backup <name>', 'name of the backup, or "newest"')
    .option('--without-proof', 'also one that was made in another data folder, or changed')
    .action(handle(async args => (await import('../restore.ts')).restore(args), { takesJson: true }))
}

function serveOptions(command: Command): Command {
  return command
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
}

/** The parsed options as arguments again, for commands that read their own. */
function argumentsOf(command: Command): string[] {
  const { dataDir } = globalsOf(command)
  const own = Object.entries(command.opts()).flatMap(([key, value]: [string, unknown]) => {
    const name = `--${key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
    if (typeof value === 'string') return [`${name}=${value}`]
    if (key === 'ui' || key === 'open') return value === false ? [name.replace('--', '--no-')] : []
    return value === true ? [name] : []
  })
  return [...(dataDir === undefined ? [] : [`--data-dir=${dataDir}`]), ...own]
}

function toExitCode(code: number): ExitCode {
  return code === 0 ? exitCodes.passed : code === 2 ? exitCodes.usage : exitCodes.error
}
