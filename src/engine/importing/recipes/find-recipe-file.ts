import { isArchiveName, unpackedName } from '../../../lib/file-name.ts'
import type { Recipe, RecipeFile } from './recipe.ts'

/** Which file of a recipe a file is, by its checksum or its name; `.gz` and the like at the end and words before the name do not matter. */
export function isRecipeFile(wanted: RecipeFile, file: { readonly name: string; readonly sha256: string | null }): boolean {
  if (wanted.sha256 !== null && wanted.sha256 === file.sha256) return true
  const name = unpackedName(file.name.toLowerCase())
  const upstream = wanted.fileName.toLowerCase()
  return name === upstream || (name.endsWith(upstream) && /[^a-z0-9]$/.test(name.slice(0, -upstream.length)))
}

/** Whether a file may be an archive with the parts of a recipe. */
export function isPartsArchive({ parts }: Recipe, fileName: string): boolean {
  return parts?.inFiles === true && isArchiveName(fileName)
}
