import { invalidField } from '../../contract/index.ts'
import type { Recipe, RecipeFile } from '../../engine/benchmarks/recipes/recipe.ts'
import type { FileContent } from '../../engine/importers/import-source.ts'
import type { ReceivedFile } from './receive-upload.ts'

interface AssignedFile {
  readonly file: ReceivedFile
  readonly wanted: RecipeFile
  readonly content: FileContent
}

/**
 * Tells which file of a recipe each upload is, by its checksum or its name; a `.gz` at the end and words before the name do not matter.
 * A single file of another name is taken for the one that the recipe needs.
 * @throws ApiError naming what is unknown, sent twice or missing
 */
export function assignRoles(
  recipe: Recipe,
  files: readonly ReceivedFile[],
): { readonly assigned: readonly AssignedFile[]; readonly warnings: readonly string[] } {
  const warnings: string[] = []
  const required = recipe.files.filter(wanted => wanted.required)
  const [only] = required
  const assigned = files.map(file => {
    const wanted = recipe.files.find(candidate => isThis(candidate, file))
    if (wanted) return assign(file, wanted)
    if (files.length > 1 || required.length !== 1 || !only)
      throw invalidField(['body', 'file'], `"${file.name}" is none of the files of this recipe: ${listed(recipe.files)}`)
    warnings.push(`"${file.name}" was taken for ${only.fileName}, since it is the only file.`)
    return assign(file, only)
  })
  for (const { wanted } of assigned) {
    const same = assigned.filter(other => other.wanted === wanted)
    if (same.length > 1)
      throw invalidField(
        ['body', 'file'],
        `${same.map(({ file }) => `"${file.name}"`).join(' and ')} are both ${wanted.fileName}; send one of them`,
      )
  }
  const missing = required.filter(wanted => !assigned.some(one => one.wanted === wanted))
  if (missing.length > 0) throw invalidField(['body', 'file'], `${listed(missing)} is missing`, 'missing')
  // In the recipe's order, so that the same files give the same version however they were sent.
  return { assigned: assigned.sort((a, b) => recipe.files.indexOf(a.wanted) - recipe.files.indexOf(b.wanted)), warnings }
}

function assign(file: ReceivedFile, wanted: RecipeFile): AssignedFile {
  if (!wanted.content) throw invalidField(['body', 'file'], `"${file.name}" cannot be read by this version`)
  return { file, wanted, content: wanted.content }
}

function isThis(wanted: RecipeFile, file: ReceivedFile): boolean {
  if (wanted.sha256 === file.sha256) return true
  const name = file.name.toLowerCase().replace(/\.gz$/, '')
  const upstream = wanted.fileName.toLowerCase()
  return name === upstream || (name.endsWith(upstream) && /[^a-z0-9]$/.test(name.slice(0, -upstream.length)))
}

function listed(files: readonly RecipeFile[]): string {
  return files.map(({ fileName }) => fileName).join(', ')
}
