import type { PackageManifest } from '../../../../contract/creator/manifest.schemas.ts'
import { usualColumn } from '../../files/usual-columns.ts'
import { asNode, named, type Node, nodes, reference, refused } from './croissant-terms.ts'
import type { CroissantFile } from './read-files.ts'
import { locate } from './read-location.ts'
import type { Splits } from './read-splits.ts'

type Fields = PackageManifest['fields']

/** What a RecordSet of tasks says. */
export interface TaskFields {
  readonly file: CroissantFile
  readonly fields: Fields
  readonly columns: ReadonlyMap<string, string>
  readonly rowsKey: string | null
  readonly split: { readonly kind: 'column'; readonly column: string } | { readonly kind: 'constant'; readonly value: string } | null
}

const parts = ['id', 'input', 'target', 'choices', 'reference', 'cluster'] as const satisfies readonly (keyof Fields)[]

/**
 * The parts of a task by the names of a RecordSet's fields: `id`, `input`, `target`, `choices`, `reference` and `cluster`, or the usual
 * names of imports for the first four. Other fields stay columns of the row, for scorers.
 * @throws PackageFault
 */
export function fieldsOf(set: Node, files: readonly CroissantFile[], splits: Splits): TaskFields {
  const where = `the RecordSet ${named(set, 'of tasks')}`
  if (set['data'] !== undefined) throw refused(`${where} has inline "data". Put the tasks into a file of the archive.`)
  const columns = new Map<string, string>()
  const byName = new Map<string, string>()
  const rowsKeys = new Set<string | null>()
  let file: CroissantFile | null = null
  let split: TaskFields['split'] = null
  for (const field of nodes(set['field'])) {
    const name = nameOf(field)
    const isSplit = refersTo(field, splits.ids)
    const { value } = field
    if (value !== undefined) {
      if (isSplit && typeof value === 'string') split = { kind: 'constant', value }
      continue
    }
    for (const unread of ['subField', 'parentField', ...(isSplit ? [] : ['references'])])
      if (field[unread] !== undefined)
        throw refused(`the field "${name}" has "${unread}", which is not read: tasks are flat and not joined.`)
    const source = sourceOf(field, name, files)
    if (file !== null && file.id !== source.file.id)
      throw refused(`${where} takes fields from "${file.path}" and "${source.file.path}"; its tasks must be in one file.`)
    file = source.file
    const { column, path, rowsKey } = locate(source.extract, name, file.path)
    if (path !== null) columns.set(column, path)
    if (rowsKey !== undefined) rowsKeys.add(rowsKey)
    if (isSplit) split = { kind: 'column', column }
    else byName.set(name, column)
  }
  if (!file) throw refused(`${where} has no field with a source.`)
  if (rowsKeys.size > 1) throw refused(`the paths of ${where} begin in different lists.`)
  return { file, fields: partsOf(byName, where), columns, rowsKey: [...rowsKeys][0] ?? null, split }
}

function partsOf(byName: ReadonlyMap<string, string>, where: string): Fields {
  const names = [...byName.keys()]
  const columnOf = (part: (typeof parts)[number]): string | undefined => {
    const usual = part === 'id' || part === 'input' || part === 'target' || part === 'choices' ? usualColumn(part, names) : null
    return byName.get(part) ?? byName.get(usual ?? '')
  }
  const { id, input, ...rest } = Object.fromEntries(parts.map(part => [part, columnOf(part)]))
  if (id === undefined || input === undefined)
    throw refused(`${where} has no field "${id === undefined ? 'id' : 'input'}". Name its fields ${parts.join(', ')}.`)
  return { id, input, ...Object.fromEntries(Object.entries(rest).filter(([, column]) => column !== undefined)) }
}

/** `question` of `tasks/question`. */
function nameOf(field: Node): string {
  const name = field['name'] ?? field['@id']
  if (typeof name !== 'string' || name === '') throw refused('a field has no "@id".')
  return name.slice(name.lastIndexOf('/') + 1)
}

function refersTo(field: Node, ids: ReadonlySet<string>): boolean {
  const to = reference(field['references'])
  return to !== null && ids.has(to)
}

function sourceOf(field: Node, name: string, files: readonly CroissantFile[]): { readonly file: CroissantFile; readonly extract: Node } {
  const source = asNode(field['source'])
  if (!source) throw refused(`the field "${name}" has no source.`)
  for (const unread of ['transform', 'format', 'fileSet', 'recordSet'])
    if (source[unread] !== undefined) throw refused(`the source of the field "${name}" has "${unread}", which is not read.`)
  const id = reference(source['fileObject'])
  const file = files.find(one => one.id === id)
  if (!file) throw refused(`the source of the field "${name}" is no file of the distribution.`)
  return { file, extract: asNode(source['extract']) ?? {} }
}
