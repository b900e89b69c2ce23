import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { AnswerImport, AnswerImportForm } from './answers.schemas.ts'

export const answersEndpoints = endpoints('Runs', {
  importAnswers: {
    route: 'POST /v1/runs/imports',
    summary: 'Import outputs generated elsewhere',
    description:
      'The outputs become runs that Assay grades; no model is called and nothing is charged. Runs in the background: follow `job_id`, or read the import.',
    scope: 'runs:write',
    status: 202,
    kind: 'upload',
    idempotent: 'own',
    headers: { 'idempotency-key': { required: false, description: 'The same key and form return the same import.' } },
    maxBody: 1024 * 1024 * 1024,
    body: AnswerImportForm,
    response: AnswerImport,
    errors: ['not_found'],
  },
  listAnswerImports: {
    route: 'GET /v1/runs/imports',
    summary: 'List imports of outputs',
    description: 'Newest first.',
    scope: 'runs:read',
    query: z.strictObject({ ...paging() }),
    response: page(AnswerImport),
    errors: ['invalid_cursor'],
  },
  getAnswerImport: {
    route: 'GET /v1/runs/imports/{answer_import_id}',
    summary: 'Read an import of outputs with unmatched rows and score disagreements',
    description: 'Poll until it has ended; its `run_id` then leads to the results.',
    scope: 'runs:read',
    params: z.strictObject({ answer_import_id: Uuid }),
    response: AnswerImport,
  },
})
