/** By what a task's results are broken down and clustered. */
export interface TaskTags {
  readonly facets: Readonly<Record<string, string>>
  readonly capabilities: readonly string[]
}
