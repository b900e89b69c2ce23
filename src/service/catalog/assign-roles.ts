import { invalidField } from '../../contract/errors.ts'
import { isPartsArchive, isRecipeFile } from '../../engine/importing/recipes/find-recipe-file.ts'
import type { Recipe, RecipeFile } from '../../engine/importing/recipes/recipe.ts'
import type { ReceivedFile } from './receive-upload.ts'

export interface AssignedFile {
  readonly file: ReceivedFile
  readonly wanted: RecipeFile
}

interface AssignedRoles {
  readonly assigned: readonly AssignedFile[]
  /** They hold parts, which are recognized by their names once the archives are opened. */
  readonly archives: readonly ReceivedFile[]
  readonly warnings: readonly string[]
}

/**
 * Tells which file of a recipe each upload is, by its checksum or its name; `.gz` and the like at the end and words before the name do not
 * matter, and a table of another form is known by the name of its split, such as `test.jsonl` or `test-00000-of-00001.parquet`.
 * A single file of another name is taken for the one that the recipe needs.
 * @throws ApiError naming what is unknown, sent twice or missing
 */
export function assignRoles(recipe: Recipe, sent: readonly ReceivedFile[]): AssignedRoles {
  const archives = sent.filter(({ name }) => isPartsArchive(recipe, name))
  const files = sent.filter(file => !archives.includes(file))
  const warnings: string[] = []
  const required = recipe.files.filter(wanted => wanted.required)
  const [only] = required
  const assigned = files.map(file => {
    const wanted = recipe.files.find(candidate => isRecipeFile(candidate, file)) ?? recipe.files.find(({ role }) => role === splitOf(file))
    if (wanted) return { file, wanted }
    if (files.length > 1 || required.length !== 1 || !only)
      throw invalidField(['body', 'file'], `"${file.name}" is none of the files of this recipe: ${listed(recipe.files)}`)
    warnings.push(`"${file.name}" was taken for ${only.fileName}, since it is the only file.`)
    return { file, wanted: only }
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
  return { assigned: assigned.sort((a, b) => recipe.files.indexOf(a.wanted) - recipe.files.indexOf(b.wanted)), archives, warnings }
}

function splitOf({ name }: ReceivedFile): string {
  return name.toLowerCase().replace(/(?:-\d+-of-\d+)?(?:\.[a-z]+)+$/, '')
}

function listed(files: readonly RecipeFile[]): string {
  return files.map(({ fileName }) => fileName).join(', ')
}
