/**
 * The parts of undici that calls need. Its index would also load its `fetch`, caches and mocks, and with them Node's own copy of undici:
 * a tenth of the time to start.
 */

declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}

declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici'
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
