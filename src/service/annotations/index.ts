export { annotationsHandlers } from './annotations.handlers.ts'
export { type AnnotationsService, type Asker, createAnnotations } from './annotations.service.ts'
