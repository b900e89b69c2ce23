import type { PackageManifest } from '../../../../contract/creator/manifest.schemas.ts'
import { asNode, hasTerm, many, nodes, refused } from './croissant-terms.ts'
import { fieldsOf, type TaskFields } from './read-fields.ts'
import { type CroissantFile, filesOf } from './read-files.ts'
import { readSplits } from './read-splits.ts'

/** How a package's Croissant description says that its files are read. */
export interface CroissantLayout {
  /** Every file of its distribution. */
  readonly files: readonly CroissantFile[]
  /** The key of a JSON file whose list has the rows; null for the file itself. */
  readonly rowsKey: string | null
  /** Columns that each row gets: their names, and the paths in the row that they are read from. */
  readonly columns: ReadonlyMap<string, string>
  /** The column that says which split a row belongs to, and its values for the test split; null where a file has one split. */
  readonly split: { readonly column: string; readonly test: ReadonlySet<string> } | null
}

export interface ReadCroissant extends Pick<PackageManifest, 'splits' | 'fields'> {
  readonly layout: CroissantLayout
}

const versions = ['http://mlcommons.org/croissant/1.0', 'http://mlcommons.org/croissant/1.1']

/**
 * Splits and fields of a package out of its Croissant description (1.0 or 1.1), by the terms of the specification's own context. Nothing is
 * fetched: files are paths in the archive.
 * @throws PackageFault
 */
export function readCroissant(json: unknown): ReadCroissant {
  const dataset = asNode(json)
  if (!dataset || !hasTerm(dataset['@type'], 'Dataset')) throw refused('it is no Dataset of Croissant.')
  if (!many(dataset['conformsTo']).some(one => versions.includes(typeof one === 'string' ? one : String(asNode(one)?.['@id']))))
    throw refused(`"conformsTo" must be ${versions.join(' or ')}.`)
  if (dataset['isLiveDataset'] === true) throw refused('a live dataset changes, and versions never do.')
  const files = filesOf(nodes(dataset['distribution']))
  const sets = nodes(dataset['recordSet'])
  const enumerations = sets.filter(set => hasTerm(set['dataType'], 'Split'))
  const splits = readSplits(enumerations)
  const tasks = sets.filter(set => !enumerations.includes(set)).map(set => fieldsOf(set, files, splits))
  return combine(tasks, files, splits.test)
}

/** One RecordSet of tasks; or one of each split, with the split as a constant. */
function combine(sets: readonly TaskFields[], files: readonly CroissantFile[], test: ReadonlySet<string>): ReadCroissant {
  const [first, second] = sets
  if (!first) throw refused('it has no RecordSet of tasks.')
  const { fields, columns, rowsKey, split } = first
  if (!second) {
    const isTest = split === null || split.kind === 'column' || test.has(split.value)
    if (!isTest) throw refused('its RecordSet of tasks is not of the test split (cr:TestSplit).')
    const file = { file: first.file.path, sha256: first.file.sha256 }
    const byRow = split?.kind === 'column' ? { column: split.column, test } : null
    return {
      splits: byRow ? { test: file, canonical: file } : { test: file },
      fields,
      layout: { files, rowsKey, columns, split: byRow },
    }
  }
  const fileOf = (isTest: boolean) => {
    const of = sets.filter(set => set.split?.kind === 'constant' && test.has(set.split.value) === isTest)
    return of.length === 1 && of[0] ? { file: of[0].file.path, sha256: of[0].file.sha256 } : null
  }
  const [tested, canonical] = [fileOf(true), fileOf(false)]
  const same = JSON.stringify([fields, [...columns], rowsKey]) === JSON.stringify([second.fields, [...second.columns], second.rowsKey])
  if (sets.length > 2 || !tested || !canonical || !same)
    throw refused(
      'it has several RecordSets of tasks. Keep one, or one of the test split and one of another, with the same fields and the split as a constant "value".',
    )
  return { splits: { test: tested, canonical }, fields, layout: { files, rowsKey, columns, split: null } }
}
