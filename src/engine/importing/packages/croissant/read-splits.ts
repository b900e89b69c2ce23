import { hasTerm, named, type Node, nodes, reference, refused, term } from './croissant-terms.ts'

export interface Splits {
  /** Ids of the enumeration and of its fields, which fields of tasks refer to. */
  readonly ids: ReadonlySet<string>
  /** Values that mean the test split. */
  readonly test: ReadonlySet<string>
}

/**
 * The splits that a description declares: the ones that `cr:TestSplit` says are the test split, or else the one named "test".
 * @throws PackageFault
 */
export function readSplits(enumerations: readonly Node[]): Splits {
  const [enumeration, other] = enumerations
  if (!enumeration) return { ids: new Set(), test: new Set(['test']) }
  if (other) throw refused(`${named(other, 'a RecordSet')} is a second RecordSet of splits; one is read.`)
  const fields = nodes(enumeration['field'])
  const ids = [enumeration['@id'], ...fields.map(field => field['@id'])].filter(id => typeof id === 'string')
  const isUrl = (field: Node) => hasTerm(field['dataType'], 'Split') || hasTerm(field['dataType'], 'URL')
  const key = reference(enumeration['key']) ?? fields.find(field => !isUrl(field))?.['@id']
  // Records are keyed by the ids of fields, which are not terms of the vocabulary.
  const records = (Array.isArray(enumeration['data']) ? enumeration['data'] : []) as readonly unknown[] // any JSON; looked at below
  const test = records.flatMap(record => {
    if (typeof record !== 'object' || record === null) return []
    const entries = Object.entries(record)
    const [, name] = entries.find(([id]) => id === key) ?? entries[0] ?? []
    const declared = entries.flatMap(([, value]) => kindOf(value) ?? [])
    return typeof name === 'string' && (declared.length > 0 ? declared.includes('TestSplit') : name === 'test') ? [name] : []
  })
  if (test.length === 0) throw refused('no split is cr:TestSplit or named "test".')
  return { ids: new Set(ids), test: new Set(test) }
}

/** `TestSplit`, `TrainingSplit` and so on, where a value is one of them. */
function kindOf(value: unknown): string | null {
  const name = term(reference(value) ?? '')
  return /^[A-Z][A-Za-z]*Split$/.test(name) ? name : null
}
