import { YAMLError } from 'yaml'

/** What a YAML file may not do although it is sound YAML, in words of our own. */
export class YamlLimit extends Error {}

/** What mends each kind of fault, by the parser's code: its own sentences are for those who wrote it. */
const mends: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  ALIAS_PROPS: 'Remove the anchor or the tag of the alias',
  BAD_ALIAS: 'Name an anchor that is further up, or put the text in quotes',
  BAD_COLLECTION_TYPE: 'Remove the tag of the list or the mapping',
  BAD_DIRECTIVE: 'Remove the line that begins with "%"',
  BAD_DQ_ESCAPE: 'Double the backslash, or put the text in single quotes',
  BAD_INDENT: 'Indent the line like its neighbors',
  BAD_PROP_ORDER: 'Put the anchor and the tag before the value, on its line',
  BAD_SCALAR_START: 'Put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'Put the inner "key: value" on a line of its own, or the text in quotes',
  BLOCK_IN_FLOW: 'Within brackets, write lists and mappings in brackets, too',
  DUPLICATE_KEY: 'Keep one of the values of the key that is repeated',
  KEY_OVER_1024_CHARS: 'Shorten the key to at most 1,024 characters',
  MULTILINE_IMPLICIT_KEY: 'Put a ":" after the key, all on one line',
  MULTIPLE_ANCHORS: 'Keep one anchor of the value',
  MULTIPLE_DOCS: 'Keep one document: remove what follows the line "---"',
  MULTIPLE_TAGS: 'Keep one tag of the value',
  NON_STRING_KEY: 'Make the key a text',
  TAB_AS_INDENT: 'Indent the line with spaces instead of a tab',
  TAG_RESOLVE_FAILED: 'Remove the tag of the value',
  UNEXPECTED_TOKEN: 'Remove what stands there, or put it in quotes',
}

/** What mends a text that is not YAML, and where, as sentences: the cure first. @param place whether line and column are said */
export function mendYaml(error: unknown, place: 'line and column' | 'column'): string {
  if (error instanceof YamlLimit) return error.message
  if (!(error instanceof YAMLError)) return `${mendValues(error)}. The YAML cannot be read.`
  const { line, col } = error.linePos?.[0] ?? {}
  const where = line === undefined || col === undefined ? '' : ` at ${place === 'column' ? '' : `line ${line}, `}column ${col}`
  const special = specials.find(([beginning]) => error.message.startsWith(beginning))
  return `${special?.[1] ?? mends[error.code] ?? missing(error.message)}${where}. The YAML breaks off there.`
}

/** What mends faults that share a code with others, by how their sentence begins. */
const specials = [
  ['Flow', 'Close the bracket that is open further up'],
  ['Sequence item without', 'Indent the line like the other lines of its item, or begin a new item with "- "'],
  ['A block sequence may not', 'Indent the line like its neighbors, or put a space after the "-" of the line above'],
  ['Nested mappings', 'Put the text after the first ":" in quotes, or indent the next line like this one'],
  ['Implicit keys need', 'Indent the line further if it belongs to the text above, or put a ":" after the key, all on one line'],
  ['Implicit map keys need', 'Put a ":" after the key, or indent the line further if it belongs to the text above'],
] as const

function missing(message: string): string {
  const bracket = /(?:must end with an? |, expected |closing )(["'\]}])/.exec(message)?.[1]
  if (bracket !== undefined) return `Close what is open with ${bracket}`
  return message.includes(', or :') || message.includes('Missing ,') ? 'Put a "," or ":" between the entries' : 'Correct the text'
}

/** Of values that are put together from a text that was read. */
function mendValues(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const unknown = /alias[^:]{0,200}: (.{1,60})/.exec(message)?.[1]
  return unknown === undefined ? 'Simplify the file' : `Put the anchor "&${unknown}" above the place that repeats it`
}
