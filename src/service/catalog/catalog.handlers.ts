import { setImmediate as nextTurn } from 'node:timers/promises'
import type { catalogEndpoints } from '../../contract/catalog/catalog.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { CatalogService } from './catalog.service.ts'
import type { Imports } from './imports.service.ts'

export function catalogHandlers(catalog: CatalogService, imports: Imports): Handlers<typeof catalogEndpoints> {
  return {
    listBenchmarks: async ({ workspaceId }, { query }) => {
      await catalog.readAhead(workspaceId)
      const ready = catalog.ready(workspaceId)
      // A list is there at once, and says what is being checked; what a model can run is waited for.
      await (query.model === undefined ? Promise.race([ready, nextTurn()]) : ready)
      return catalog.listBenchmarks(workspaceId, query)
    },
    getBenchmark: async ({ workspaceId }, { params }) => {
      await catalog.ready(workspaceId, [params.slug])
      return catalog.benchmark(workspaceId, params.slug)
    },
    exportBenchmark: async ({ workspaceId }, { params, query }) => {
      await catalog.ready(workspaceId, [params.slug])
      return catalog.exportBenchmark(workspaceId, params.slug, query.version)
    },
    listTasks: ({ workspaceId }, { query }) => catalog.listTasks(workspaceId, query),
    listModels: async ({ workspaceId }, { query }) => {
      if (query.benchmark !== undefined) await catalog.readAhead(workspaceId)
      return catalog.listModels(workspaceId, query)
    },
    listEnvironments: async ({ workspaceId }, { query }) => {
      await catalog.readAhead(workspaceId)
      await catalog.ready(workspaceId, catalog.environmentSlugs(workspaceId))
      return catalog.listEnvironments(workspaceId, query)
    },
    getEnvironment: async ({ workspaceId }, { params }) => {
      await catalog.ready(workspaceId, [params.family])
      return catalog.environment(workspaceId, params.family)
    },
    getExecutionOptions: async ({ workspaceId }) => {
      await catalog.ready(workspaceId)
      return catalog.executionOptions()
    },
    createImport: (context, parts) => imports.create(context, parts),
    getImport: ({ workspaceId }, { params }) => imports.read(workspaceId, params.import_id),
  }
}
