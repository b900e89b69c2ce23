import type { Command } from 'commander'
import { z } from 'zod'
import { type Finish, offline, parseFlags } from '../client/session.ts'

const Flags = z.object({ vectors: z.string().optional() })
const StatsFlags = z.object({ vectors: z.string() })

/** Grading and statistics without a service. */
export function addVectors(program: Command, finish: Finish): void {
  program
    .command('score')
    .description('grade outputs of a JSON Lines file {scorer, options, output, target, choices?, metadata?}')
    .argument('[file]', 'the outputs')
    .option('--vectors <file>', 'check the scorers against recorded verdicts instead')
    .action(offline(finish, async (_, command) => (await import('../score.ts')).score(command.args[0], parseFlags(Flags, command).vectors)))
  program
    .command('stats')
    .description('check the statistics against reference values')
    .requiredOption('--vectors <file>', 'the reference values')
    .action(offline(finish, async (_, command) => (await import('../stats.ts')).stats(parseFlags(StatsFlags, command).vectors)))
}
