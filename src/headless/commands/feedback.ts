import type { Command } from 'commander'
import { z } from 'zod'
import { FeedbackBody } from '../../contract/feedback/feedback.schemas.ts'
import { type Finish, onService, parseFlags } from '../client/session.ts'
import { exitCodes } from '../exit-codes.ts'
import { argumentOf } from './arguments.ts'

const { kind, severity } = FeedbackBody.shape
const Flags = z.object({ kind: kind.default('bug'), severity: severity.default('degraded'), details: z.string().optional() })

/** `assay feedback SUMMARY`: a report about Assay, kept on this machine. */
export function addFeedback(program: Command, finish: Finish): void {
  program
    .command('feedback')
    .argument('<summary>', 'what is wrong, in one sentence')
    .description('report a defect of Assay; the report stays on this machine')
    .option('--kind <kind>', `${kind.options.join(', ')} (default: bug)`)
    .option('--severity <severity>', `${severity.options.join(', ')} (default: degraded)`)
    .option('--details <text>', 'what happened and what was expected')
    .action(
      onService(finish, async ({ client, out }, command) => {
        const receipt = await client.call('sendFeedback', { body: { ...parseFlags(Flags, command), summary: argumentOf(command, 0) } })
        out.body(receipt)
        out.line(receipt.feedback_id)
        if (receipt.duplicate_of !== null) out.note(`The report ${receipt.duplicate_of} of the last 24 hours says the same.`)
        return exitCodes.passed
      }),
    )
}
