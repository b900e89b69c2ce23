export { worldsHandlers } from './worlds.handlers.ts'
export { createWorlds, type Worlds } from './worlds.service.ts'
export { worldFault } from './world-fault.ts'
