import type { BenchmarkParts, BenchmarkStatus, Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import type { ModelRoute } from '../../contract/catalog/models.schemas.ts'
import type { ProfileDefinition, TaskScope } from '../../engine/tasks/definition.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { Task } from '../../engine/tasks/task.ts'

export interface CatalogVersion {
  readonly no: number
  readonly digest: string
  readonly sourceRef: string
  /** Null where the benchmark is one whole. */
  readonly parts: BenchmarkParts | null
}

/** A profile with everything that quoting and running it needs. */
export interface CatalogProfile {
  /** As the interface shows it, readiness included. */
  readonly profile: Profile
  readonly definition: ProfileDefinition
  /** Null while its data is missing. */
  readonly version: CatalogVersion | null
  readonly status: BenchmarkStatus
  readonly promptRecipe: PromptRecipe
}

/** What other features may ask of the catalog. */
export interface Catalog {
  /**
   * Resolves when it is known whether model-written code can run on this machine; until then profiles that need it are not runnable.
   * Finding out takes a second and more, so it is waited for only where one of `of` runs code.
   * @param of benchmarks or profiles by slug or id; every one where absent
   */
  ready(workspaceId: string, of?: readonly string[]): Promise<void>
  /** The profile of that id which the workspace can see; null when there is none. An id without a version means the latest. */
  profile(workspaceId: string, profileId: string): CatalogProfile | null
  /** Number and id of every task of a version that a profile asks, in order. */
  taskIds(versionNo: number, scope: TaskScope): { readonly no: number; readonly taskId: string }[]
  /** The tasks of those numbers, in the order asked. Unknown numbers are an internal error: a run froze them. */
  tasks(numbers: readonly number[]): Task[]
  /** The managed route of that id which the workspace has; null when there is none. */
  route(workspaceId: string, routeId: string): ModelRoute | null
}
