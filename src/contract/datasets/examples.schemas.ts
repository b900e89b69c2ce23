import { z } from 'zod'
import { JsonObject, named, textMatch, textSearch, Timestamp, Uuid } from '../primitives.ts'
import { exampleMachine } from './example.machine.ts'

/** Examples of one request. */
export const mostExamplesAtOnce = 1000

/** Characters of an example's input, output, expected answer and metadata together, as JSON. */
export const mostExampleCharacters = 1024 * 1024

const MessagePart = z.looseObject({ type: z.string().min(1).max(40) })

export const ExampleMessage = z
  .looseObject({ role: z.string().min(1).max(40), content: z.union([z.string(), z.array(MessagePart), z.null()]) })
  .meta({ id: 'ExampleMessage' })

/** Input as text, a conversation or named fields. */
export const ExampleInput = z
  .union([
    z.string().min(1, 'must not be empty'),
    z.array(ExampleMessage).min(1, 'must hold at least one message'),
    JsonObject.refine(fields => Object.keys(fields).length > 0, 'must hold at least one field'),
  ])
  .describe('Text, a list of messages, or an object of named fields.')

export const ExamplePair = named('ExamplePair', { a: z.string(), b: z.string() })

export const ExampleOutput = z
  .union([z.string(), ExamplePair])
  .describe('The answer to judge; `{a, b}` where two are compared. An empty string is a valid output.')

export const ExampleExpected = z
  .union([z.string(), z.array(z.string()).min(1), JsonObject])
  .describe('Reference answer, or a list of accepted answers.')

export const ExampleMetadata = JsonObject.describe('Additional data; also compared when detecting duplicates.')

export const LabelValue = z
  .union([z.string().min(1).max(200), z.number()])
  .describe('One of the dataset’s labels, or a number within its `score_range`.')

export const Annotator = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, 'must not hold control characters')

export const ReviewState = z.enum(exampleMachine.states)

export const LabelState = z
  .enum(['none', 'unanimous', 'majority', 'tie'])
  .describe('Type of consensus: no label, unanimous, majority, or a tie, which has no consensus.')

export const LabelMaker = z
  .enum(['person', 'key'])
  .describe(
    'Annotator. Labels made with an API key count only if no person labeled the example, and never toward minimums of human labels.',
  )

/** `external`: made by the service, e.g. by a scan or a calibration. */
export const By = named('By', { kind: z.enum(['person', 'key', 'service']), id: z.string().nullable(), name: z.string() })

export const ExampleOrigin = named('ExampleOrigin', {
  kind: z.enum(['manual', 'import', 'run', 'trace', 'provider_dataset']),
  ref: JsonObject.nullable().describe('Origin: file and line, run and sample, trace, or a provider’s item.'),
})

export const ExampleLabel = named('ExampleLabel', {
  annotator: z.string(),
  value: LabelValue,
  note: z.string().nullable(),
  at: Timestamp,
  by: LabelMaker,
})

export const exampleContent = {
  input: ExampleInput,
  output: ExampleOutput.nullable(),
  expected: ExampleExpected.nullable(),
  metadata: ExampleMetadata,
}

export const Example = named('Example', {
  id: Uuid,
  dataset_id: Uuid,
  revision: z.int().min(1).describe('Revision returned.'),
  current_revision: z.int().min(1),
  ...exampleContent,
  label: LabelValue.nullable().describe('Consensus: the majority label, or the median of scores. Null for a tie.'),
  label_state: LabelState,
  label_by: LabelMaker.nullable(),
  labels: z.array(ExampleLabel).describe('Labels of this revision.'),
  origin: ExampleOrigin,
  review_state: ReviewState.describe('For an earlier revision: its state when it was replaced.'),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const NewExample = named('NewExample', {
  input: ExampleInput,
  output: ExampleOutput.nullish(),
  expected: ExampleExpected.nullish(),
  label: LabelValue.nullish().describe('Stored as a label by the caller.'),
  metadata: ExampleMetadata.default({}),
})

export const NewExamples = named('NewExamples', { examples: z.array(NewExample).min(1).max(mostExamplesAtOnce) })

export const AddedExamples = named('AddedExamples', {
  created: z.int().min(0),
  duplicates: z
    .array(z.strictObject({ index: z.int().min(0), example_id: Uuid }))
    .describe('Skipped examples that equal existing ones in input, output, expected and metadata.'),
  items: z.array(z.strictObject({ index: z.int().min(0), example_id: Uuid })).describe('The added examples.'),
})

export const NewRevision = named('NewRevision', {
  base_revision: z.int().min(1).describe('Revision that the edit is based on; 409 if it is no longer the current one.'),
  input: ExampleInput.optional(),
  output: ExampleOutput.nullable().optional(),
  expected: ExampleExpected.nullable().optional(),
  metadata: ExampleMetadata.optional(),
})

export const NewLabel = named('NewLabel', {
  revision: z.int().min(1),
  value: LabelValue.nullable().describe('Null withdraws the annotator’s label.'),
  annotator: Annotator.optional().describe('Defaults to the name of the signed-in person or of the key.'),
  note: z.string().max(5000).nullish(),
})

export const NewReview = named('NewReview', {
  revision: z.int().min(1),
  decision: z
    .enum(['submit', 'approve', 'reject', 'reopen'])
    .describe('`submit` also sends an approved or rejected example back to review; `reopen` makes it a draft again.'),
  note: z.string().max(5000).nullish(),
})

/** Reviews of one request. */
export const mostReviewsAtOnce = 1000

/** What narrows the list of a dataset's examples. */
export const exampleFilter = {
  q: z.string().max(200).default('').describe(`${textSearch} Of input, output, expected answer and metadata.`),
  match: textMatch,
  review_state: ReviewState.optional(),
  origin: ExampleOrigin.shape.kind.optional(),
  label: z.string().max(200).optional().describe('A consensus label, or a score as a number.'),
  label_state: LabelState.optional(),
}
export const ExampleFilter = named('ExampleFilter', exampleFilter)
export type ExampleFilter = z.infer<typeof ExampleFilter>

export const NewReviews = z
  .strictObject({
    examples: z
      .array(z.strictObject({ example_id: Uuid, revision: z.int().min(1) }))
      .min(1)
      .max(mostReviewsAtOnce)
      .optional()
      .describe('These examples, instead of `filter`.'),
    filter: ExampleFilter.optional().describe(
      'Every example that `listExamples` lists with these fields and that the decision applies to; one whose annotators tie is never approved so.',
    ),
    expected: z.int().min(0).optional().describe('Number of examples that `filter` matched when it was last looked at.'),
    decision: NewReview.shape.decision,
    note: NewReview.shape.note,
    dry_run: z.boolean().default(false).describe('Only with `filter`: stores nothing, says how many would be reviewed.'),
  })
  .refine(({ examples, filter }) => (examples === undefined) !== (filter === undefined), { error: 'Send either `examples` or `filter`.' })
  .refine(({ filter, expected, dry_run: dry }) => filter === undefined || dry || expected !== undefined, {
    path: ['expected'],
    error: 'is required with `filter`; send `dry_run` first to read it.',
  })
  .refine(({ examples, dry_run: dry }) => examples === undefined || !dry, { path: ['dry_run'], error: 'is only for `filter`.' })
  .meta({ id: 'NewReviews' })

export const StoredReviews = named('StoredReviews', {
  matched: z.int().min(0).describe('Examples that were sent, or that `filter` matches.'),
  reviewed: z.int().min(0).describe('With `dry_run`: how many would be.'),
  ties: z.int().min(0).describe('Examples that `filter` matches and an approval leaves, because their annotators tie.'),
  refused: z
    .array(z.strictObject({ example_id: Uuid, code: z.string(), message: z.string() }))
    .describe('Examples that were not reviewed, with the error that a review of them alone gives.'),
})

export const VerificationRecord = named('VerificationRecord', {
  id: Uuid,
  kind: z.enum(['human_review', 'duplicate_scan', 'secret_scan', 'grader_agreement']),
  revision: z.int().min(1),
  outcome: z.string().describe('e.g. `approved`, `rejected`, `clean`, `duplicate`, `found`, `agrees`, `disagrees`.'),
  by: By,
  at: Timestamp,
  detail: JsonObject,
})

export const VerificationHistory = named('VerificationHistory', {
  current: z.array(VerificationRecord).describe('Of the current revision, newest first.'),
  archived: z.array(VerificationRecord).describe('Of earlier revisions, newest first.'),
})

export type By = z.infer<typeof By>
export type Example = z.infer<typeof Example>
export type ExampleInput = z.infer<typeof ExampleInput>
export type ExampleLabel = z.infer<typeof ExampleLabel>
export type ExampleOrigin = z.infer<typeof ExampleOrigin>
export type ExampleOutput = z.infer<typeof ExampleOutput>
export type ExampleExpected = z.infer<typeof ExampleExpected>
export type LabelMaker = z.infer<typeof LabelMaker>
export type LabelState = z.infer<typeof LabelState>
export type LabelValue = z.infer<typeof LabelValue>
export type NewExample = z.infer<typeof NewExample>
export type NewReviews = z.infer<typeof NewReviews>
export type NewRevision = z.infer<typeof NewRevision>
export type ReviewState = z.infer<typeof ReviewState>
export type StoredReviews = z.infer<typeof StoredReviews>
export type VerificationRecord = z.infer<typeof VerificationRecord>
export type VerificationHistory = z.infer<typeof VerificationHistory>
