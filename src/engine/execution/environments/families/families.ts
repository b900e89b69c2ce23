import type { EnvironmentFamily } from '../environment.ts'
import { customerDesk } from './customer-desk/customer-desk.ts'
import { fileWorkspace } from './file-workspace/file-workspace.ts'
import { gridPuzzle } from './grid-puzzle/grid-puzzle.ts'
import { textToSql } from './text-to-sql/text-to-sql.ts'

/** Every environment that ships with Assay. */
export const environmentFamilies: readonly EnvironmentFamily[] = [gridPuzzle, customerDesk, fileWorkspace, textToSql]

/** The family of that slug; null when there is none. */
export function findFamily(slug: string): EnvironmentFamily | null {
  return environmentFamilies.find(family => family.definition.slug === slug) ?? null
}
