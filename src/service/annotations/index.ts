export { annotationsHandlers } from './annotations.handlers.ts'
export { type AnnotationsService, createAnnotations } from './annotations.service.ts'
