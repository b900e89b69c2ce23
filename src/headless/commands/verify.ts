import type { Command } from 'commander'
import type { Finish } from '../client/session.ts'
import { exitCodes } from '../exit-codes.ts'

/** Works without a service: an auditor has the file and the signer's fingerprint, nothing else. */
export function addVerify(program: Command, finish: Finish): void {
  program
    .command('verify')
    .description('check a signed release record offline')
    .argument('<file>', 'record in the format dsse')
    .option('--key <fingerprint>', 'SHA-256 of the signer’s public key, from a source that the file’s sender does not control')
    .action(async (file: string, { key }: { key?: string }) => {
      const { verifyFile } = await import('../verify.ts')
      finish(outcomes[verifyFile(file, key ?? null)])
    })
}

const outcomes = { valid: exitCodes.passed, invalid: exitCodes.error, unknown_signer: exitCodes.inconclusive } as const
