export { mediaHandlers } from './media.handlers.ts'
export { createMedia, type Media } from './media.service.ts'
