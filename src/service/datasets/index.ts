export { type Actor, actorOf } from './actor.ts'
export { createDatasets, type Datasets } from './datasets.ts'
export { datasetsHandlers } from './datasets.handlers.ts'
export type { AddOutcome, ExampleToAdd } from './examples.service.ts'
