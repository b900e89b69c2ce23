import { importedModules } from './python-modules.ts'

export interface LoadedProgram {
  readonly source: string
  /** Run instead where `source` does not compile. */
  readonly otherwise?: string | null
}

/**
 * Loads a program of which a name is wanted: statements that fail beside it (examples, tests, a loop that reads input) are passed over.
 * Modules that the code imports and the sandbox lacks are stood in for until they are used.
 */
export function loadMessage({ source, otherwise }: LoadedProgram, entry: string): Record<string, unknown> {
  return { op: 'load', source, entry, absent: importedModules(source), ...(otherwise != null && { otherwise }) }
}

/** The same for a program all of whose statements must succeed. @param prelude run before it, in the same scope */
export function strictMessage(op: 'load' | 'run', source: string, prelude: string): Record<string, unknown> {
  return { op, source, prelude, absent: importedModules(source) }
}
