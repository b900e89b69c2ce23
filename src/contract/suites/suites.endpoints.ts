import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { filingQuery } from '../items/items.schemas.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { NewSuite, Suite, SuiteSummary } from './suites.schemas.ts'

const params = z.strictObject({ suite_version_id: Uuid })
const preview = 'Preview capability.'

export const suitesEndpoints = endpoints('Suites', {
  createSuite: {
    route: 'POST /v1/suites',
    summary: 'Create an immutable exact-task suite version',
    description: `Missing tasks, sources and dependencies are listed in \`detail\`. Starts no work. ${preview}`,
    scope: 'suites:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    maxBody: 16 * 1024 * 1024,
    body: NewSuite,
    response: Suite,
    errors: ['not_found', 'task_unavailable', 'conflict'],
  },
  listSuites: {
    route: 'GET /v1/suites',
    summary: 'List the workspace’s suites',
    description: preview,
    scope: 'suites:read',
    query: z.strictObject({
      ...paging(),
      ...filingQuery,
      all_versions: z.boolean().default(false).describe('Includes superseded versions.'),
      q: z.string().max(200).default('').describe('Part of a name, description or source.'),
    }),
    response: page(SuiteSummary),
    errors: ['invalid_cursor'],
  },
  getSuite: {
    route: 'GET /v1/suites/{suite_version_id}',
    summary: 'Read a suite version of the workspace or the catalog',
    description: preview,
    scope: 'suites:read',
    params,
    response: Suite,
  },
  listPublicSuites: {
    route: 'GET /v1/catalog/suites',
    summary: 'List public suites',
    description: `The latest version of each. ${preview}`,
    scope: 'catalog:read',
    query: z.strictObject(paging()),
    response: page(SuiteSummary),
    errors: ['invalid_cursor'],
  },
  getPublicSuite: {
    route: 'GET /v1/catalog/suites/{suite_version_id}',
    summary: 'Read a public suite version',
    description: preview,
    scope: 'catalog:read',
    params,
    response: Suite,
  },
})
