export { createTuning } from './tuning.ts'
