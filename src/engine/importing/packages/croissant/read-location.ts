import { type Node, refused } from './croissant-terms.ts'

/** Where a field's value is in a row. */
interface Location {
  readonly column: string
  /** JSONPath from the row where the value is not a column of it; null where it is. */
  readonly path: string | null
  /** Of a JSON file, the key of the list of rows; undefined where the field does not say. */
  readonly rowsKey: string | null | undefined
}

/** Names, places and wildcards. Filters could run a pattern that somebody else wrote without end. */
const plainPath = /^\$(?:\.[\p{L}\p{N}_-]+|\[(?:\d{1,9}|\*|'[^'\\]{1,200}'|"[^"\\]{1,200}")\])*$/u
/** `$[*]` or `$.examples[*]`, and the path from there. */
const rows = /^\$(?:\.([\p{L}\p{N}_-]+)|\['([^']+)'\]|\["([^"]+)"\])?\[\*\](.*)$/su
const oneName = /^\$(?:\.([\p{L}\p{N}_-]+)|\['([^']+)'\]|\["([^"]+)"\])$/u

/**
 * @param path of the file
 * @throws PackageFault
 */
export function locate({ column, jsonPath, ...others }: Node, field: string, path: string): Location {
  const [other] = Object.keys(others)
  if (other !== undefined) throw refused(`the field "${field}" is extracted by "${other.slice(0, 80)}". Use "column" or "jsonPath".`)
  if (typeof column === 'string' && column !== '' && jsonPath === undefined) return { column, path: null, rowsKey: undefined }
  if (typeof jsonPath !== 'string' || column !== undefined)
    throw refused(`the field "${field}" needs one of "column" and "jsonPath" in its "extract".`)
  if (jsonPath.length > 500 || !plainPath.test(jsonPath))
    throw refused(`the path "${jsonPath.slice(0, 80)}" of the field "${field}" is not of names, numbers and [*] alone, such as $.question.`)
  if (!/\.jsonl?$/i.test(path)) throw refused(`the field "${field}" has a "jsonPath", but "${path.slice(0, 80)}" is no JSON file.`)
  const [whole, dotted, single, double, rest] = rows.exec(jsonPath) ?? []
  const isList = /\.json$/i.test(path)
  if (isList && whole === undefined)
    throw refused(
      `the path "${jsonPath.slice(0, 80)}" of the field "${field}" must begin with the list of rows, such as $[*] or $.examples[*].`,
    )
  const inRow = isList || (whole !== undefined && !dotted && !single && !double) ? `$${rest ?? ''}` : jsonPath
  const rowsKey = isList ? (dotted ?? single ?? double ?? null) : undefined
  const [, ...names] = oneName.exec(inRow) ?? []
  const name = names.find(one => one !== undefined)
  return name === undefined ? { column: jsonPath, path: inRow, rowsKey } : { column: name, path: null, rowsKey }
}
