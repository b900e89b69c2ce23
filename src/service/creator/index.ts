export { createCreator } from './creator.ts'
