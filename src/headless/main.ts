import { CommanderError } from 'commander'
import { addCommands } from './commands/add-commands.ts'
import { createProgram } from './commands/program.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { print } from './print.ts'

const welcome = `Assay evaluates AI models on this machine.

  assay open         start it and open the browser, signed in
  assay serve        start it for programs and for browsers that sign in by a code
  assay demo         fill a workspace with finished things to look at
  assay run --help   run a benchmark from the command line, against the service that runs
  assay --help       every command`

/** Runs one command; answers the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    print(welcome)
    return exitCodes.passed
  }
  let code: ExitCode = exitCodes.passed
  // What cannot be parsed is said in the form that is asked for, too.
  const program = createProgram({ json: args.includes('--json') })
  addCommands(program, ended => {
    code = ended
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // Help and version also end a command early. Commander has printed what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.passed : exitCodes.usage
    throw error
  }
}
