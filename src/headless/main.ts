import { doctor } from './doctor.ts'
import { pair } from './pair.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'
import { verifyFile } from './verify.ts'
import { complain } from './print.ts'

const usage = `usage: assay COMMAND [options]

  serve   start the service without a window   [--data-dir DIR] [--port N] [--no-ui] [--log-level LEVEL] [--key-rate N]
                                          [--keep-free MB]
          let other machines in   --allow-remote [--host IP] and either --tls-cert FILE --tls-key FILE --origin https://NAME:PORT
                                  or --behind-proxy https://NAME
  pair    print a new pairing code for a browser   [--data-dir DIR]
  doctor  examine the database and back it up   [--data-dir DIR] [--backup]
          try the sandboxes for model-written code   --sandbox
  restore list the backups, or go back to one   [--data-dir DIR] [--backup NAME|newest]
  verify  check a signed release record   FILE [--key FINGERPRINT]
`

/** Runs one command; answers the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args
  switch (command) {
    case 'serve':
      return serve(rest)
    case 'pair':
      return pair(rest)
    case 'doctor':
      return doctor(rest)
    case 'restore':
      return restore(rest)
    case 'verify':
      return verifyFile(rest)
    default:
      complain(command ? `There is no command "${command}".\n\n${usage}` : usage)
      return 2
  }
}
