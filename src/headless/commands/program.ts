import { Command, InvalidArgumentError, Option } from 'commander'
import { appVersion } from '../../service/version.ts'
import { complainAs } from '../print.ts'

const exitCodeHelp = `
Exit codes: 0 passed, 1 error, 2 usage, 3 inconclusive or only execution errors, 4 a person must decide, 100 a gate failed.`

/** The program with the options of all commands, which may come before or after the command's name. */
export function createProgram({ json }: { readonly json: boolean }): Command {
  const program = new Command('assay')
    .description(
      'Evaluate AI models on this machine. Commands talk to the running service; results go to standard output, progress to standard error.',
    )
    .version(appVersion)
    .addOption(
      new Option('--data-dir <dir>', 'folder with the data (default: ASSAY_DATA_DIR, or the usual place of the system)').argParser(folder),
    )
    .option('--json', 'print the reply of the API and nothing else')
    .option('--quiet', 'no progress and no notes')
    .option('--no-color', 'no colors')
    .option('--ephemeral', 'start a service for this command alone, on --data-dir or on a temporary folder')
    .addHelpText('after', exitCodeHelp)
    .showSuggestionAfterError()
    .configureOutput({ outputError: text => complainAs({ json }, 'usage', text.replace(/^error: /, '').trimEnd()) })
    .exitOverride()
  program.configureHelp({ showGlobalOptions: true })
  return program
}

/** An unset variable of a script must not mean the present folder. */
function folder(path: string): string {
  if (path.trim() === '') throw new InvalidArgumentError('It must name a folder.')
  return path
}
