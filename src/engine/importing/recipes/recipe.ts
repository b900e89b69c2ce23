import type { FileContent } from '../files/import-source.ts'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'

/** How a file can be had from its address, which then is the file itself. */
export interface RecipeDownload {
  /** As the address answers it; null where it is not known for sure. */
  readonly bytes: number | null
  /** Hosts beside its own that the address may send on to. */
  readonly redirectHosts: readonly string[]
}

/** The address answers with the file. */
export const direct: RecipeDownload = { bytes: null, redirectHosts: [] }

/** A file of a GitHub release: the address redirects to where GitHub keeps them. */
export const githubRelease: RecipeDownload = {
  bytes: null,
  redirectHosts: ['release-assets.githubusercontent.com', 'objects.githubusercontent.com'],
}

/** A file that upstream publishes. The user provides it or starts the download; Assay never downloads on its own. */
export interface RecipeFile {
  /** Unique in its recipe, e.g. `test`. */
  readonly role: string
  readonly required: boolean
  readonly fileName: string
  /** Of the file where it can be fetched, of the page that leads to it otherwise. */
  readonly url: string
  /** Null: the address is a page, asks who one is, or redirects to hosts that are not known in advance. */
  readonly download: RecipeDownload | null
  /** Of the file as upstream publishes it; null where it is not known for sure. */
  readonly sha256: string | null
  readonly purpose: string
  readonly content: FileContent
}

/**
 * The parts that a benchmark consists of, e.g. the tasks of BIG-Bench Hard or the subjects of MMLU. A version that lacks one is not the
 * benchmark.
 */
export interface RecipeParts {
  /** Metadata of a task that names its part; results are broken down by it, too. */
  readonly by: string
  /** Tasks of each part; null where their number is not known. */
  readonly tasks: Readonly<Record<string, number | null>>
  /** Whether each part is a file of the recipe whose role is the part's name, so that parts can come one by one and in archives. */
  readonly inFiles: boolean
}

/** How a public benchmark is run here, without its data. Its id is the benchmark's slug. */
export interface Recipe {
  readonly definition: BenchmarkDefinition
  readonly files: readonly RecipeFile[]
  /** Absent where the benchmark is one whole. */
  readonly parts?: RecipeParts
}

export type FetchedFile = RecipeFile & { readonly download: RecipeDownload }

/** What is fetched for a recipe; none where something that it needs cannot be. */
export function fetchedFiles({ files }: Pick<Recipe, 'files'>): readonly FetchedFile[] {
  const isFetched = (file: RecipeFile): file is FetchedFile => file.download !== null
  return files.every(file => isFetched(file) || !file.required) ? files.filter(isFetched) : []
}
