import { registerHooks } from 'node:module'

/** `--import` it into a process that must not load the client of PostgreSQL: one that does ends with an error. */
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'pg-boss' || specifier === 'pg') throw new Error(`${specifier} was loaded.`)
    return next(specifier, context)
  },
})
