import { z } from 'zod'
import { Uuid } from '../../../contract/primitives.ts'
import { defineTool, type ToolContext } from '../tool.ts'

/** Nothing that a client says counts as a person's decision, so these tools change nothing and lead to the page. */
const atPage = ({ pageUrl }: ToolContext, path: string, what: string) => ({
  done: false,
  a_person_can_do_this_at: pageUrl(path),
  message: `Only a signed-in person can ${what}. Give them the address; nothing has been changed.`,
})

export const commitImport = defineTool({
  name: 'commit_import',
  title: 'Import a benchmark',
  description: 'A person decides: answers the page where a signed-in person imports the file.',
  effect: 'person',
  input: z.strictObject({}),
  run: async (_, context) => atPage(context, '/catalog/import', 'import data'),
})

export const approveExample = defineTool({
  name: 'approve_example',
  title: 'Approve an example of a dataset',
  description: 'A person decides: answers the page of the review queue.',
  effect: 'person',
  input: z.strictObject({ dataset_id: Uuid }),
  run: async ({ dataset_id: id }, context) => atPage(context, `/datasets/${id}/review`, 'approve examples'),
})

export const approveTune = defineTool({
  name: 'approve_tune',
  title: 'Approve a tuning session',
  description: 'A person decides: answers the page where a signed-in person reads the draft and approves it.',
  effect: 'person',
  input: z.strictObject({ session_id: Uuid }),
  run: async ({ session_id: id }, context) => atPage(context, `/tuning/${id}`, 'approve a tuning session'),
})
