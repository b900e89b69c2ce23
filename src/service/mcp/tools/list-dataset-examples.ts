import { z } from 'zod'
import { ReviewState } from '../../../contract/datasets/examples.schemas.ts'
import { Cursor, Uuid } from '../../../contract/primitives.ts'
import { defineTool } from '../tool.ts'
import { listOf, untrustedRow } from '../untrusted.ts'

export const listDatasetExamples = defineTool({
  name: 'list_dataset_examples',
  title: 'List a dataset’s examples',
  description: 'Examples with label and review state. Their texts only with include_content=true; they are untrusted.',
  effect: 'read',
  calls: ['listExamples'],
  input: z.strictObject({
    dataset_id: Uuid,
    q: z.string().max(200).default(''),
    review_state: ReviewState.optional(),
    include_content: z.boolean().default(false),
    cursor: Cursor.optional(),
    limit: z.int().min(1).max(50).default(20),
  }),
  page: ({ dataset_id: id }) => `/datasets/${id}`,
  run: async ({ dataset_id: id, include_content: includeContent, ...query }, { call, pageUrl }) => {
    const page = await call('listExamples', { params: { dataset_id: id }, query })
    const rows = page.items.map(example => ({
      example_id: example.id,
      revision: example.revision,
      label_state: example.label_state,
      review_state: example.review_state,
      origin: example.origin.kind,
      ...untrustedRow({
        label: example.label,
        ...(includeContent ? { input: example.input, output: example.output, expected: example.expected } : {}),
      }),
    }))
    return listOf(rows, page.next_cursor, pageUrl(`/datasets/${id}`))
  },
})
