import type { ColumnType } from 'kysely'

/** A status may be set when a row is made; after that only `transition.ts` writes it, so an update is a type error. */
export type StatusColumn<State extends string> = ColumnType<State, State, never>

/** JSON text; parse it with a schema where it is read. */
export type JsonText = string
