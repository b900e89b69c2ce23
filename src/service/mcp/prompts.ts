import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const asUser = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] })

/** Questions that people ask of Assay, ready to be chosen in a client. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'is_a_better_than_b',
    {
      title: 'Find out whether A is better than B',
      description: 'Runs both models on the same tasks and compares them.',
      argsSchema: z.object({ a: z.string().max(200), b: z.string().max(200), objective: z.string().max(500) }),
    },
    ({ a, b, objective }) =>
      asUser(
        `Find out with Assay whether model "${a}" is better than model "${b}" at: ${objective}. Choose a benchmark that is ready, quote both models on the same ` +
          'profile, sample_count and seed, tell me the cost and the minimum detectable difference before anything that costs money, run both, and compare them. ' +
          'Answer with the difference, its interval and n, and say so when no difference is shown.',
      ),
  )
  server.registerPrompt(
    'why_did_this_run_fail',
    {
      title: 'Why did this run fail',
      description: 'Looks at the state, the errors and a few samples of a run.',
      argsSchema: z.object({ run_id: z.uuid() }),
    },
    ({ run_id: id }) =>
      asUser(
        `Find out why the Assay run ${id} failed or has unscored samples: read get_run, then get_results if there are any, then list_samples with status=failed. ` +
          'Name the cause, how many samples it concerns, and what to do next. Retry nothing before I agree.',
      ),
  )
}
