import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { filingQuery } from '../items/items.schemas.ts'
import { mostArchiveBytes } from '../media/media.schemas.ts'
import { page, paging, textMatch, textSearch, Uuid } from '../primitives.ts'
import { Benchmark, BenchmarkDetail, BenchmarkStatus, Runner } from './benchmarks.schemas.ts'
import { Environment, EnvironmentDetail } from './environments.schemas.ts'
import { ImportForm, ImportRecord } from './imports.schemas.ts'
import { ExecutionOptions, ModelRoute } from './models.schemas.ts'
import { TaskPage } from './tasks.schemas.ts'

export const catalogEndpoints = endpoints('Catalog', {
  listBenchmarks: {
    route: 'GET /v1/catalog/benchmarks',
    summary: 'List benchmarks',
    description: 'Sorted by title. Listed benchmarks are not necessarily runnable: see `quote_availability`; only a quote decides.',
    scope: 'catalog:read',
    query: z.strictObject({
      q: z.string().max(120).default('').describe('Words in the title, summary or capabilities.'),
      runner: Runner.optional(),
      capability: z.string().max(80).optional(),
      status: BenchmarkStatus.optional(),
      model: z.string().max(200).optional().describe('Only benchmarks that this model route can run.'),
      ...paging(),
      ...filingQuery,
    }),
    response: page(Benchmark),
    errors: ['invalid_cursor'],
  },
  getBenchmark: {
    route: 'GET /v1/catalog/benchmarks/{slug}',
    summary: 'Read a benchmark with its versions and profiles',
    description: 'Profiles say whether they can be quoted now, and why not.',
    scope: 'catalog:read',
    params: z.strictObject({ slug: z.string().min(1).max(200) }),
    response: BenchmarkDetail,
  },
  exportBenchmark: {
    route: 'GET /v1/catalog/benchmarks/{slug}/croissant',
    summary: 'Export a benchmark version as a Croissant description',
    description:
      'JSON-LD of the Croissant vocabulary 1.1 with license, citation, source files with checksums, and the ids and splits of the tasks as records; questions and answers are in the files, not in it. For a version made from a package: its files, splits and fields, which as `croissant.json` can replace those of a manifest. The output is byte-for-byte reproducible.',
    scope: 'catalog:read',
    kind: 'file',
    files: ['application/ld+json'],
    fileExamples: {
      'application/ld+json': '{"@context":{"@language":"en","@vocab":"https://schema.org/"},"@type":"sc:Dataset","name":"Capitals"}',
    },
    params: z.strictObject({ slug: z.string().min(1).max(200) }),
    query: z.strictObject({ version: z.string().max(64).optional().describe('Latest when absent.') }),
    errors: ['conflict'],
  },
  listTasks: {
    route: 'GET /v1/catalog/tasks',
    summary: 'List safe metadata of one source’s tasks',
    description: 'Ids, splits, facets and lengths. Questions and answers are not shown here.',
    scope: 'catalog:read',
    query: z.strictObject({
      source_ref: z.string().min(3).max(300).describe('`eval://<provider>/<name>/<version>` or its alias `<name>@<version>`.'),
      limit: z.int().min(1).max(1000).default(200),
      offset: z.int().min(0).default(0),
      q: z.string().max(200).default('').describe(`${textSearch} Of task ids and previews; every task of the source is read.`),
      match: textMatch,
      split: z.enum(['test', 'canonical']).optional(),
    }),
    response: TaskPage,
    errors: ['not_found'],
  },
  listEnvironments: {
    route: 'GET /v1/catalog/environments',
    summary: 'List environments',
    description: 'Families of multi-turn tasks that are solved with tools. Sorted by id; the cursor is the last id seen.',
    scope: 'catalog:read',
    query: z.strictObject({
      cursor: Uuid.optional().describe('`next_cursor` of the previous page.'),
      limit: z.int().min(1).max(100).default(50),
    }),
    response: page(Environment),
    errors: ['invalid_cursor'],
  },
  getEnvironment: {
    route: 'GET /v1/catalog/environments/{family}',
    summary: 'Read an environment family with its tools, versions and profiles',
    description: 'Tasks of an environment are played in several turns with its tools.',
    scope: 'catalog:read',
    params: z.strictObject({ family: z.string().min(1).max(200) }),
    response: EnvironmentDetail,
  },
  listModels: {
    route: 'GET /v1/catalog/models',
    summary: 'List managed model routes',
    description: 'Baselines, model servers found on this machine, and routes billed to the wallet.',
    scope: 'catalog:read',
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
    route: 'GET /v1/catalog/execution-options',
    summary: 'Read the machine’s runtime capabilities',
    description: 'Sandboxes for model-written code, threads and memory: what profiles with requirements need.',
    scope: 'catalog:read',
    response: ExecutionOptions,
  },
  createImport: {
    route: 'POST /v1/catalog/imports',
    summary: 'Import benchmark data from files or a recipe',
    description:
      'A multipart form. Files are validated line by line and checksummed; the import creates a new immutable version or fails without partial data. With `fetch=true` the service downloads the published files of the recipe first; `fetch` reports progress and `errors` lists failures.',
    scope: 'catalog:write',
    status: 202,
    kind: 'upload',
    body: ImportForm,
    response: ImportRecord,
    maxBody: mostArchiveBytes,
    idempotent: 'own',
  },
  getImport: {
    route: 'GET /v1/catalog/imports/{import_id}',
    summary: 'Read an import',
    description: 'Poll until `imported` or `failed`. Faults name file, line and field.',
    scope: 'catalog:read',
    params: z.strictObject({ import_id: Uuid }),
    response: ImportRecord,
  },
})
