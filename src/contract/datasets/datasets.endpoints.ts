import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { folderQuery } from '../items/items.schemas.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { Dataset, DatasetPatch, NewDataset } from './datasets.schemas.ts'
import {
  AddedExamples,
  Example,
  exampleFilter,
  NewExamples,
  NewLabel,
  NewReview,
  NewReviews,
  NewRevision,
  StoredReviews,
  VerificationHistory,
} from './examples.schemas.ts'

const ofDataset = z.strictObject({ dataset_id: Uuid })
const ofExample = z.strictObject({ dataset_id: Uuid, example_id: Uuid })

/** The JSON of a thousand examples. */
const mostBytes = 16 * 1024 * 1024

export const datasetsEndpoints = endpoints('Datasets', {
  createDataset: {
    route: 'POST /v1/datasets',
    summary: 'Create a dataset',
    description: 'A dataset collects examples that people label, to judge evaluators by or to make benchmarks of.',
    scope: 'datasets:write',
    status: 201,
    idempotent: 'stored',
    body: NewDataset,
    response: Dataset,
  },
  listDatasets: {
    route: 'GET /v1/datasets',
    summary: 'List datasets',
    description: 'With counts by state.',
    scope: 'datasets:read',
    query: z.strictObject({
      ...paging(),
      ...folderQuery,
      q: z.string().max(200).default('').describe('Words, "phrases" and -exclusions in any order, in a name or description.'),
      archived: z.boolean().default(false).describe('Lists archived datasets instead of active ones.'),
    }),
    response: page(Dataset),
    errors: ['invalid_cursor'],
  },
  getDataset: {
    route: 'GET /v1/datasets/{dataset_id}',
    summary: 'Read a dataset with its counts, label coverage and annotator agreement',
    description: 'Agreement of annotators with its interval, where at least two labeled the same examples.',
    scope: 'datasets:read',
    params: ofDataset,
    response: Dataset,
  },
  updateDataset: {
    route: 'PATCH /v1/datasets/{dataset_id}',
    summary: 'Rename, describe, archive or restore a dataset',
    description: 'An archived dataset is read-only until it is restored; its versions remain usable.',
    scope: 'datasets:write',
    params: ofDataset,
    body: DatasetPatch,
    response: Dataset,
  },
  addExamples: {
    route: 'POST /v1/datasets/{dataset_id}/examples',
    summary: 'Add examples',
    description: 'All or none: invalid examples are listed in `detail`. Duplicates are skipped and listed.',
    scope: 'datasets:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    maxBody: mostBytes,
    params: ofDataset,
    body: NewExamples,
    response: AddedExamples,
    errors: ['conflict', 'illegal_transition'],
  },
  listExamples: {
    route: 'GET /v1/datasets/{dataset_id}/examples',
    summary: 'List or search a dataset’s examples',
    description: 'In the order added, unless sorted. Pages with large examples may have fewer items.',
    scope: 'datasets:read',
    params: ofDataset,
    query: z.strictObject({
      ...paging(),
      ...exampleFilter,
      sort: z.enum(['added', '-added']).default('added'),
    }),
    response: page(Example),
    errors: ['invalid_cursor'],
  },
  getExample: {
    route: 'GET /v1/datasets/{dataset_id}/examples/{example_id}',
    summary: 'Read an example',
    description: 'The current revision with its labels and reviews.',
    scope: 'datasets:read',
    params: ofExample,
    query: z.strictObject({ revision: z.int().min(1).optional().describe('The current one when absent.') }),
    response: Example,
  },
  reviseExample: {
    route: 'POST /v1/datasets/{dataset_id}/examples/{example_id}/revisions',
    summary: 'Revise an example',
    description:
      'Absent fields keep their values. The new revision is a draft without labels; labels and verification records stay with the revision they were made for.',
    scope: 'datasets:write',
    status: 201,
    idempotent: 'stored',
    maxBody: mostBytes,
    params: ofExample,
    body: NewRevision,
    response: Example,
    errors: ['conflict', 'illegal_transition'],
  },
  labelExample: {
    route: 'POST /v1/datasets/{dataset_id}/examples/{example_id}/labels',
    summary: 'Label an example, replacing the annotator’s earlier label',
    description: 'One label per annotator and example.',
    scope: 'datasets:write',
    status: 201,
    idempotent: 'stored',
    params: ofExample,
    body: NewLabel,
    response: Example,
    errors: ['conflict', 'illegal_transition'],
  },
  reviewExample: {
    route: 'POST /v1/datasets/{dataset_id}/examples/{example_id}/reviews',
    summary: 'Submit an example for review, approve it or reject it',
    description: 'Only approved examples go into versions. A person approves; a key may submit.',
    scope: 'datasets:write',
    idempotent: 'stored',
    params: ofExample,
    body: NewReview,
    response: Example,
    errors: ['conflict', 'illegal_transition', 'human_approval_required'],
  },
  reviewExamples: {
    route: 'POST /v1/datasets/{dataset_id}/reviews',
    summary: 'Review many examples with one decision',
    description:
      'Those named, or all that a filter matches. A person approves; a key may submit. Each is reviewed on its own: what is refused is listed, and the others are stored. Refused with `conflict` if the filter matches another number of examples than `expected`. A filter also needs the scope datasets:read. A request that its caller gives up ends with what is reviewed by then.',
    scope: 'datasets:write',
    computes: true,
    idempotent: 'stored',
    params: ofDataset,
    body: NewReviews,
    response: StoredReviews,
    errors: ['conflict', 'illegal_transition', 'human_approval_required'],
  },
  getVerificationHistory: {
    route: 'GET /v1/datasets/{dataset_id}/examples/{example_id}/verification-history',
    summary: 'Read an example’s verification history',
    description: 'At most the newest 500 records of the current revision and 500 of earlier ones.',
    scope: 'datasets:read',
    params: ofExample,
    response: VerificationHistory,
  },
})
