import { registerHooks } from 'node:module'
import { isProgramBuilt } from './program.ts'

const built = new URL('program.ts', import.meta.url).href
const pools = new URL('lasting-pools.ts', import.meta.url).href

/** Loaded before a program (`node --import`), does to its threads what Vitest's configuration does to those of tests. */
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'piscina' && context.parentURL !== pools) return { url: pools, shortCircuit: true }
    if (isProgramBuilt && specifier.endsWith('/worker-file.ts')) return { url: built, shortCircuit: true }
    return next(specifier, context)
  },
})
