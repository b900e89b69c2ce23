import type { Command } from 'commander'
import { type Finish, offline, parseFlags } from '../client/session.ts'
import { exitCodes } from '../exit-codes.ts'

/** `assay worker`: this machine works for a service on another one. */
export function addWorker(program: Command, finish: Finish): void {
  program
    .command('worker')
    .description('work for the service on another machine: grade code and call models for its runs')
    .requiredOption('--join <url>', 'https address of the service')
    .option('--queue <url>', 'postgres:// address of its queue (default: ASSAY_QUEUE)')
    .option('--labels <list>', 'work to take, separated by commas: code, model.CONNECTION_ID', 'code')
    .option('--name <name>', 'name to show (default: the host name)')
    .option('--slots <n>', 'batches at once (default: one for each processor)')
    .option('--key-env <name>', 'environment variable with a key of the scope workers:run', 'ASSAY_KEY')
    .option('--secret-env <name>', 'environment variable with this machine’s key for a provider')
    .option('--secret-origin <url>', 'the only origin that this key is sent to')
    .option('--secret-header <name>', 'header for this key (default: that of the protocol)')
    .action(
      offline(finish, async (_out, command) => {
        // Loaded only here: it brings the threads.
        const [{ readWorkerOptions, WorkerFlags }, { work }] = await Promise.all([
          import('../worker/worker-options.ts'),
          import('../worker/work.ts'),
        ])
        await work(readWorkerOptions(parseFlags(WorkerFlags, command), process.env))
        return exitCodes.passed
      }),
    )
}
