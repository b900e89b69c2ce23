import { z } from 'zod'
import { Uuid } from '../../../contract/primitives.ts'
import { defineTool, type ToolContext } from '../tool.ts'

/** Nothing that a client says counts as a person's decision, so these tools change nothing and lead to the page; an id that does not exist is refused before. */
const atPage = ({ pageUrl }: Pick<ToolContext, 'pageUrl'>, path: string, what: string) => ({
  done: false,
  a_person_can_do_this_at: pageUrl(path),
  message: `Only a signed-in person can ${what}. Give them the address; nothing has been changed.`,
})

export const commitImport = defineTool({
  name: 'commit_import',
  title: 'Import a benchmark',
  description: 'A person decides: leads to the page where a signed-in person imports the file.',
  effect: 'person',
  calls: [],
  alsoCalls: ['getImport'],
  input: z.strictObject({ import_id: Uuid.optional().describe('As import_preview answered.') }),
  page: () => '/catalog/import',
  run: async ({ import_id: id }, context) => {
    if (id !== undefined) await context.call('getImport', { params: { import_id: id } })
    return atPage(context, '/catalog/import', 'import data')
  },
})

const review = ({ dataset_id: id }: { dataset_id: string }) => `/datasets/${id}/review`
export const approveExample = defineTool({
  name: 'approve_example',
  title: 'Approve an example of a dataset',
  description: 'A person decides: leads to the review queue.',
  effect: 'person',
  calls: ['getDataset'],
  input: z.strictObject({ dataset_id: Uuid }),
  page: review,
  run: async (input, context) => {
    await context.call('getDataset', { params: input })
    return atPage(context, review(input), 'approve examples')
  },
})

const session = ({ session_id: id }: { session_id: string }) => `/tuning/${id}`
export const approveTune = defineTool({
  name: 'approve_tune',
  title: 'Approve a tuning session',
  description: 'A person decides: leads to the page where a signed-in person reads the draft and approves it.',
  effect: 'person',
  calls: ['getTuneSession'],
  input: z.strictObject({ session_id: Uuid }),
  page: session,
  run: async (input, context) => {
    await context.call('getTuneSession', { params: input })
    return atPage(context, session(input), 'approve a tuning session')
  },
})
