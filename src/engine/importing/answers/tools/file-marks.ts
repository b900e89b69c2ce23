/** What is looked at of a file. */
export interface Sniffed {
  /** Without its folder, in lower case, without how it is packed. */
  readonly name: string
  readonly head: string
}

/** What tells a file of a tool. Words are apart by spaces, those of which one is enough by bars. */
interface Words {
  /** Fields of JSON in the first bytes. */
  readonly fields?: string
  /** Columns in the first line of a table. */
  readonly columns?: string
  readonly head?: RegExp
  readonly name?: RegExp
}

/** All that is stated must be so. */
export type Mark = Words | ((file: Sniffed) => boolean)

/** Whether a file has a mark. Its fields and columns are found once for all marks. */
export function markedBy(file: Sniffed): (mark: Mark) => boolean {
  const { head, name } = file
  const [first = ''] = head.split('\n', 1)
  const columns = new Set(first.split(/[,;\t]/).map(column => column.trim().replaceAll('"', '')))
  const fields = new Set(Array.from(head.matchAll(/"([\w.@-]{1,60})"\s*:/g), ([, field = '']) => field))
  return mark =>
    typeof mark === 'function'
      ? mark(file)
      : has(mark.fields, fields) && has(mark.columns, columns) && (mark.head?.test(head) ?? true) && (mark.name?.test(name) ?? true)
}

function has(words: string | undefined, among: ReadonlySet<string>): boolean {
  return words === undefined || words.split(' ').every(word => word.split('|').some(one => among.has(one)))
}
