import type { FileContent } from '../../importers/import-source.ts'
import type { BenchmarkDefinition } from '../definition.ts'

/** A file that upstream publishes. Assay never fetches it: the user brings it. */
export interface RecipeFile {
  /** Unique in its recipe, e.g. `test`. */
  readonly role: string
  readonly required: boolean
  readonly fileName: string
  readonly url: string
  /** Of the file as upstream publishes it; null where it is not known for sure. */
  readonly sha256: string | null
  readonly purpose: string
  readonly content: FileContent
}

/** How a public benchmark is run here, without its data. Its id is the benchmark's slug. */
export interface Recipe {
  readonly definition: BenchmarkDefinition
  readonly files: readonly RecipeFile[]
}
