import { z } from 'zod'
import { Tag } from '../annotations/annotations.schemas.ts'
import { endpoints } from '../endpoint.ts'
import { Job } from '../jobs/jobs.schemas.ts'
import { namesWholePart, page, paging, partLimits, textMatches, textSearch, Uuid } from '../primitives.ts'
import { runFilter } from './run-filter.schemas.ts'
import { ReferenceRun } from './reference-runs.schemas.ts'
import { Results } from './results.schemas.ts'
import { sampleStates } from './run.machine.ts'
import { NewRunExport, ownExportFormats, runExportFormats } from './run-exports.schemas.ts'
import { NewRun, Run, RunEvent, runSorts, SubmittedRun } from './runs.schemas.ts'
import { Sample, SampleDetail, SampleGroups, sampleGroups, SampleOutcomes, sampleSorts, sampleVerdicts } from './samples.schemas.ts'

const params = z.strictObject({ run_id: Uuid })

export const runsEndpoints = endpoints('Runs', {
  submitRun: {
    route: 'POST /v1/runs',
    summary: 'Submit a reviewed quote once',
    description: 'The same quote and Idempotency-Key always give the same run, so a lost response is recovered by sending both again.',
    scope: 'runs:write',
    status: 202,
    headers: { 'idempotency-key': { required: false, description: 'Operation key, persisted by the client before submission.' } },
    idempotent: 'own',
    body: NewRun,
    response: SubmittedRun,
    errors: ['not_found', 'quote_expired', 'quote_incompatible', 'insufficient_credit', 'spend_ceiling_reached'],
  },
  listRuns: {
    route: 'GET /v1/runs',
    summary: 'List runs',
    description: 'Newest first, or in the order of `sort`. Parts are listed with the run that they belong to.',
    scope: 'runs:read',
    query: z.strictObject({
      ...paging(),
      ...runFilter,
      sort: z
        .enum(runSorts)
        .default('-created')
        .describe(
          '`score`: the primary score of the run’s first profile; runs without one come last, whichever way. `-bookmarked` and `-pinned`: bookmarked runs, or pinned baselines, first, the newest first among both.',
        ),
    }),
    response: page(Run),
    errors: ['invalid_cursor'],
  },
  getRun: {
    route: 'GET /v1/runs/{run_id}',
    summary: 'Read status, progress and accounting of a run',
    description: 'For progress while it runs, prefer the event stream. `status` is final once `finished_at` is set and no part is open.',
    scope: 'runs:read',
    params,
    response: Run,
  },
  cancelRun: {
    route: 'POST /v1/runs/{run_id}/cancel',
    summary: 'Request cancellation of a run',
    description: 'A request, not proof that work has stopped: poll the run. Repeating it while the run is cancelling is safe.',
    scope: 'runs:write',
    status: 202,
    params,
    response: Run,
    errors: ['illegal_transition'],
  },
  getRunResults: {
    route: 'GET /v1/runs/{run_id}/results',
    summary: 'Read results',
    description: 'The latest result, or an earlier `version`. Each estimate has n and interval; unscored samples are in no mean.',
    scope: 'runs:read',
    params,
    query: z.strictObject({ version: z.int().min(1).optional().describe('Latest when absent.') }),
    response: Results,
    errors: ['result_not_ready'],
  },
  getReferenceRuns: {
    route: 'GET /v1/runs/{run_id}/references',
    summary: 'Read earlier scores to read the scores of a run beside',
    description:
      'For each profile at most one earlier run of a model and one run of a baseline, of all runs that are not archived: over the same tasks first, then complete ones, then the newest before this run. A baseline after it only if there is none before.',
    scope: 'runs:read',
    params,
    response: z.strictObject({ items: z.array(ReferenceRun) }),
  },
  exportRun: {
    route: 'GET /v1/runs/{run_id}/export',
    summary: 'Export a result version',
    description:
      'The output is byte-for-byte reproducible. JSON and HTML hold notes, tags and bookmarks, and change with them. Resume an interrupted download with `Range: bytes=N-` and `If-Range`; the response is 206.',
    scope: 'runs:read',
    kind: 'file',
    files: ['application/json', 'text/csv', 'text/html'],
    fileExamples: {
      'application/json': '{"format":"assay.run","format_version":1,"results":{"status":"complete"}}',
      'text/csv': 'row,position,sample_id,model,benchmark,profile_id,profile,task_id,epoch,status,passed,value.accuracy,class.accuracy',
    },
    params,
    query: z.strictObject({
      format: z.enum(ownExportFormats).default('json'),
      version: z.int().min(1).optional().describe('Latest when absent.'),
    }),
    errors: ['result_not_ready'],
  },
  prepareRunExport: {
    route: 'POST /v1/runs/{run_id}/exports',
    summary: 'Prepare an export in the background',
    description:
      'For large runs: the job reports progress and can be cancelled. When it has succeeded, the file downloads without a wait from `/v1/runs/{run_id}/export` or `/v1/runs/{run_id}/exports/{format}`. Preparing is optional.',
    scope: 'runs:read',
    status: 202,
    idempotent: 'stored',
    params,
    body: NewRunExport,
    response: Job,
    errors: ['result_not_ready'],
  },
  exportRunAs: {
    route: 'GET /v1/runs/{run_id}/exports/{format}',
    summary: 'Export a result version in a format of other tools',
    description:
      'JUnit XML, a summary in Markdown, an Inspect log (`.eval`), results of lm-evaluation-harness or of promptfoo as JSON, or Parquet with a row for each sample; `zip` holds results, samples (JSON Lines) and the images, audio and documents of their messages, which name them by digest. ' +
      'The output is byte-for-byte reproducible. Inspect, lm-evaluation-harness and promptfoo files can be imported again through `/v1/runs/imports`.',
    scope: 'runs:read',
    kind: 'file',
    files: ['application/xml', 'text/markdown', 'application/zip', 'application/json', 'application/vnd.apache.parquet'],
    fileExamples: {
      'application/xml':
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Nightly" tests="270" failures="124" errors="0" skipped="0">',
      'text/markdown': '## Nightly\n\nModel A: complete, 270 of 270 samples scored.',
    },
    params: z.strictObject({ run_id: Uuid, format: z.enum(runExportFormats) }),
    query: z.strictObject({ version: z.int().min(1).optional().describe('Latest when absent.') }),
    errors: ['result_not_ready'],
  },
  listSamples: {
    route: 'GET /v1/runs/{run_id}/samples',
    summary: 'List samples of a run',
    description: 'In the order of the run. Filters combine; texts are cut to previews.',
    scope: 'runs:read',
    params,
    query: z
      .strictObject({
        ...paging(),
        status: z.enum(sampleStates).optional(),
        profile: z.string().max(300).optional(),
        passed: z.enum(['true', 'false', 'none']).optional().describe('`none`: no verdict.'),
        outcome: z.enum(sampleVerdicts).optional().describe('By the value of the primary metric, as in `getSampleOutcomes`.'),
        capability: z.string().max(100).optional().describe('One of the capabilities of the sample’s task.'),
        breakdown: z
          .string()
          .max(partLimits.dimension)
          .optional()
          .describe('Dimension of a breakdown of the results; only with `breakdown_value`.'),
        breakdown_value: z
          .string()
          .max(partLimits.value)
          .optional()
          .describe('Samples whose task has this value in the dimension `breakdown`.'),
        error: z.string().max(100).optional().describe('Error code of the failed sample.'),
        tag: Tag.optional().describe('Only samples with this tag.'),
        bookmarked: z.enum(['true', 'false']).optional(),
        noted: z.enum(['true', 'false']).optional().describe('Whether the sample has notes.'),
        position_from: z.int().min(0).optional().describe('Min position in the run.'),
        position_to: z.int().min(0).optional().describe('Max position in the run.'),
        latency_min: z.int().min(0).optional().describe('Milliseconds.'),
        latency_max: z.int().min(0).optional().describe('Milliseconds.'),
        output_tokens_min: z.int().min(0).optional(),
        output_tokens_max: z.int().min(0).optional(),
        offset: z.int().min(0).default(0).describe('Matching samples to skip. Only without a cursor.'),
        group: z.enum(sampleGroups).optional().describe('Why the sample is not correct, as in `getSampleGroups`.'),
        group_code: z.string().max(200).optional().describe('Reason of unscored samples; only with `group=unscored`.'),
        locate: Uuid.optional().describe('A sample whose place among the matching ones is wanted, as `located_at`.'),
        q: z
          .string()
          .max(200)
          .default('')
          .describe(`${textSearch} Of task id, prompt, output, reasoning, targets, answers, explanations, errors and notes.`),
        match: z
          .enum(textMatches)
          .default('words')
          .describe('`exact`: `q` is found as it is, case included. `words`: as words, phrases and exclusions.'),
        sort: z.enum(sampleSorts).default('position'),
      })
      .refine(...namesWholePart),
    response: z.strictObject({
      ...page(Sample).shape,
      total: z.int().min(0).nullable().describe('Matching samples; null on pages requested by cursor.'),
      located_at: z
        .int()
        .min(0)
        .nullable()
        .describe('The `offset` of the sample `locate`; null if it does not match, or without `locate`.'),
      searched_by: z
        .enum(['index', 'scan'])
        .nullable()
        .describe(
          'How `q` was searched: in the index made after the run, or by reading every sample, which takes longer. Null without `q`.',
        ),
    }),
    errors: ['invalid_cursor'],
  },
  getSampleOutcomes: {
    route: 'GET /v1/runs/{run_id}/outcomes',
    summary: 'Read the outcome of every sample as one letter each',
    description: 'Compact overview of the whole run: 100,000 samples are 100 kB. Letter `n` is the sample at `offset` n.',
    scope: 'runs:read',
    params,
    response: SampleOutcomes,
  },
  getSampleGroups: {
    route: 'GET /v1/runs/{run_id}/sample-groups',
    summary: 'Count why samples are not correct',
    description: 'Every scored sample that is not correct is in one group, the first that applies.',
    scope: 'runs:read',
    params,
    response: SampleGroups,
  },
  getSample: {
    route: 'GET /v1/runs/{run_id}/samples/{sample_id}',
    summary: 'Read one sample with its whole transcript',
    description: 'Prompt, every attempt with request and response, scores with explanations.',
    scope: 'runs:read',
    params: z.strictObject({ run_id: Uuid, sample_id: Uuid }),
    response: SampleDetail,
  },
  streamRunEvents: {
    route: 'GET /v1/runs/{run_id}/events',
    summary: 'Follow a run as server-sent events',
    description: 'Starts with the current state and ends with an `end` event. Polling the run gives the same information.',
    scope: 'runs:read',
    kind: 'events',
    params,
    response: RunEvent,
  },
})
