import { CommanderError } from 'commander'
import { addCommands } from './commands/add-commands.ts'
import { createProgram } from './commands/program.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** Runs one command; answers the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let code: ExitCode = exitCodes.passed
  const program = createProgram()
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
