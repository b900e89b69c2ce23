import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { Benchmark, BenchmarkDetail, BenchmarkStatus, Runner } from './benchmarks.schemas.ts'
import { ImportForm, ImportRecord } from './imports.schemas.ts'
import { ExecutionOptions, ModelRoute } from './models.schemas.ts'
import { TaskPage } from './tasks.schemas.ts'

const tag = 'Catalog'

export const catalogEndpoints = endpoints({
  listBenchmarks: {
    method: 'GET',
    path: '/v1/catalog/benchmarks',
    tag,
    summary: 'List benchmarks',
    description: 'By title. An entry here does not mean that it can run: see `quote_availability`, and a quote for the final word.',
    scope: 'catalog:read',
    status: 200,
    kind: 'json',
    query: z.strictObject({
      q: z.string().max(120).default('').describe('Words of the title, summary or capabilities.'),
      runner: Runner.optional(),
      capability: z.string().max(80).optional(),
      status: BenchmarkStatus.optional(),
      model: z.string().max(200).optional().describe('Only benchmarks that this model route can run.'),
      ...paging(),
    }),
    response: page(Benchmark),
    errors: ['invalid_cursor'],
  },
  getBenchmark: {
    method: 'GET',
    path: '/v1/catalog/benchmarks/{slug}',
    tag,
    summary: 'Read a benchmark with its versions and profiles',
    scope: 'catalog:read',
    status: 200,
    kind: 'json',
    params: z.strictObject({ slug: z.string().min(1).max(200) }),
    response: BenchmarkDetail,
    errors: ['not_found'],
  },
  listTasks: {
    method: 'GET',
    path: '/v1/catalog/tasks',
    tag,
    summary: 'List safe metadata of one source’s tasks',
    scope: 'catalog:read',
    status: 200,
    kind: 'json',
    query: z.strictObject({
      source_ref: z.string().min(3).max(300).describe('`eval://<provider>/<name>/<version>` or its alias `<name>@<version>`.'),
      limit: z.int().min(1).max(1000).default(200),
      offset: z.int().min(0).default(0),
      q: z.string().max(200).default('').describe('Part of a task id or of its preview.'),
      split: z.enum(['test', 'canonical']).optional(),
    }),
    response: TaskPage,
    errors: ['not_found'],
  },
  listModels: {
    method: 'GET',
    path: '/v1/catalog/models',
    tag,
    summary: 'List managed model routes',
    scope: 'catalog:read',
    status: 200,
    kind: 'json',
    query: z.strictObject({
      q: z.string().max(200).optional(),
      provider: z.string().max(100).optional(),
      capability: z.string().max(100).optional(),
      benchmark: z.string().max(200).optional().describe('Only routes that can run this benchmark.'),
      ...paging(),
    }),
    response: page(ModelRoute),
    errors: ['invalid_cursor'],
  },
  getExecutionOptions: {
    method: 'GET',
    path: '/v1/catalog/execution-options',
    tag,
    summary: 'Read what this machine offers for running',
    scope: 'catalog:read',
    status: 200,
    kind: 'json',
    response: ExecutionOptions,
  },
  createImport: {
    method: 'POST',
    path: '/v1/catalog/imports',
    tag,
    summary: 'Import benchmark data from files',
    description:
      'A multipart form. Files are validated line by line, checksummed and land as a new immutable version, whole or not at all.',
    scope: 'catalog:write',
    status: 202,
    kind: 'upload',
    body: ImportForm,
    response: ImportRecord,
    maxBody: 1024 * 1024 * 1024,
    idempotent: 'own',
    errors: ['payload_too_large', 'unsupported_media_type'],
  },
  getImport: {
    method: 'GET',
    path: '/v1/catalog/imports/{import_id}',
    tag,
    summary: 'Read an import',
    scope: 'catalog:read',
    status: 200,
    kind: 'json',
    params: z.strictObject({ import_id: Uuid }),
    response: ImportRecord,
    errors: ['not_found'],
  },
})
