import type { Command } from 'commander'
import { z } from 'zod'
import { type Finish, offline, parseFlags } from '../client/session.ts'
import { exitCodes } from '../exit-codes.ts'
import { argumentOf } from './arguments.ts'

const Flags = z.object({ key: z.string().optional() })

/** Works without a service: an auditor has the file and the signer's fingerprint, nothing else. */
export function addVerify(program: Command, finish: Finish): void {
  program
    .command('verify')
    .description('check a signed release record offline')
    .argument('<file>', 'record in the format dsse')
    .option('--key <fingerprint>', 'SHA-256 of the signer’s public key, from a source that the file’s sender does not control')
    .action(
      offline(finish, async (_, command) => {
        const { verifyFile } = await import('../verify.ts')
        return outcomes[verifyFile(argumentOf(command, 0), parseFlags(Flags, command).key ?? null)]
      }),
    )
}

const outcomes = { valid: exitCodes.passed, invalid: exitCodes.error, unknown_signer: exitCodes.inconclusive } as const
