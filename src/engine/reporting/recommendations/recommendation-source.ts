import type { PastScore } from './separation.ts'

/** A task as it is stored, without what gives it away. */
export interface FoundTask {
  readonly no: number
  readonly versionNo: number
  readonly split: 'test' | 'canonical'
  readonly position: number
  readonly taskId: string
  readonly preview: string
  readonly inputCharacters: number
  /** Null for open answers. */
  readonly choices: number | null
  readonly capabilities: readonly string[]
  readonly dependsOn: readonly string[]
}

export interface PastResult extends PastScore {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** Queries to the catalog and past runs. */
export interface RecommendationSource {
  /** Stems of words, by which the index finds them. */
  stems(words: readonly string[]): string[]
  /** BM25 of each text for the words, 0 where it holds none. */
  rankTexts(texts: readonly string[], words: readonly string[]): number[]
  /** Tasks that hold each word, counted up to `most`, in the whole index: for choosing words, not for telling. */
  frequencies(words: readonly string[], most: number): number[]
  /** Whether a task of these versions holds the word; what others of the index hold is not told. */
  holds(word: string, versions: readonly number[]): boolean
  /** Tasks of these versions that hold any of the words, best first by BM25. */
  search(words: readonly string[], versions: readonly number[], limit: number): { readonly no: number; readonly score: number }[]
  /** Tasks of these versions that hold the word, about one in `step` of them, by number; what is too common to be ranked. */
  holders(word: string, versions: readonly number[], step: number): number[]
  /** Numbers of up to so many tasks of a version, spread evenly over it. */
  spread(versionNo: number, count: number): number[]
  tasks(numbers: readonly number[]): FoundTask[]
  /** Those of the tasks that the version has. */
  tasksById(versionNo: number, ids: readonly string[]): FoundTask[]
  /** Scores of models, not baselines, in the workspace's latest runs. */
  history(workspaceId: string, numbers: readonly number[]): PastResult[]
}
