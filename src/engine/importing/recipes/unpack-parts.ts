import { createHash } from 'node:crypto'
import { ArchiveError } from '../../archives/archive.ts'
import { FileError } from '../files/decode-bytes.ts'
import { archiveRole, type OrderedFile } from '../files/import-order.ts'
import { orderFault } from '../files/order-fault.ts'
import { openArchiveFile } from '../files/unpack-folder.ts'
import { isRecipeFile } from './find-recipe-file.ts'
import type { Recipe, RecipeFile } from './recipe.ts'

export interface UnpackedParts {
  /** In the recipe's order. */
  readonly files: readonly OrderedFile[]
  readonly warnings: readonly string[]
}

/** The files of an order with each archive replaced by the parts of the recipe that are in it. @throws OrderFault */
export async function unpackParts(recipe: Recipe, files: readonly OrderedFile[]): Promise<UnpackedParts> {
  const found: OrderedFile[] = []
  const warnings: string[] = []
  for (const file of files) {
    if (file.role !== archiveRole) {
      found.push(file)
      continue
    }
    const { parts, others } = await partsIn(recipe, file)
    if (parts.length === 0) throw orderFault(file.name, null, `The archive holds none of the files of ${recipe.definition.title}.`)
    found.push(...parts)
    if (others > 0) warnings.push(`${others} other files of "${file.name}" were passed over.`)
  }
  for (const file of found) {
    const same = found.filter(other => other.role === file.role)
    if (same.length > 1)
      throw orderFault(file.name, null, `${same.map(({ name }) => `"${name}"`).join(' and ')} are both "${file.role}". Send one of them.`)
  }
  const place = ({ role }: OrderedFile): number => recipe.files.findIndex(wanted => wanted.role === role)
  return { files: found.sort((a, b) => place(a) - place(b)), warnings }
}

async function partsIn(recipe: Recipe, { name, path }: OrderedFile): Promise<{ readonly parts: OrderedFile[]; readonly others: number }> {
  try {
    const archive = await openArchiveFile(path)
    const candidates = archive.names.filter(entry => !entry.split('/').some(part => part.startsWith('.') || part === '__MACOSX'))
    const parts = recipe.files.flatMap((wanted): OrderedFile[] => {
      const entry = entryOf(wanted, candidates)
      if (entry === null) return []
      const bytes = archive.read(entry)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return [{ name: `${name}/${entry}`.slice(-200), path, role: wanted.role, content: { bytes, sha256 } }]
    })
    return { parts, others: candidates.length - parts.length }
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof FileError) throw orderFault(name, null, error.message)
    throw error
  }
}

/** Of several files with the name of a part, the one in upstream's folder. @throws ArchiveError where none is */
function entryOf(wanted: RecipeFile, names: readonly string[]): string | null {
  const called = names.filter(name => isRecipeFile(wanted, { name: name.split('/').at(-1) ?? '', sha256: null }))
  const [only = null] = called
  if (called.length <= 1) return only
  const upstream = new URL(wanted.url).pathname.split('/').slice(-2).join('/')
  const there = called.filter(name => name === upstream || name.endsWith(`/${upstream}`))
  const [one = null] = there
  if (there.length === 1) return one
  throw new ArchiveError(`The archive has ${called.length} files that could be ${wanted.fileName}: ${called.slice(0, 3).join(', ')}.`)
}
