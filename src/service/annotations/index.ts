export { annotationsHandlers } from './annotations.handlers.ts'
export { createAnnotations } from './annotations.service.ts'
