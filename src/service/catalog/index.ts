export { catalogHandlers } from './catalog.handlers.ts'
export { type CatalogService, createCatalogService } from './catalog.service.ts'
export type { Catalog, CatalogProfile } from './catalog.types.ts'
export { createImports, type Imports } from './imports.service.ts'
