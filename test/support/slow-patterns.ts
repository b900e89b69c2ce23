/** One element of a sequence: something that takes characters, a group, or an assertion that takes none. */
interface Element {
  readonly kind: 'atom' | 'group' | 'assertion'
  readonly source: string
  readonly alternatives: readonly (readonly Element[])[]
  min: number
  max: number
}

/** Characters that tell apart what atoms take. */
const samples = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  'é',
  'ß',
  'Ж',
  '中',
  '\u00a0',
  '\u2028',
  '，',
  '…',
  '−',
  '٣',
]

/**
 * What of a regular expression takes time that grows with the square of a text, or faster: a repeat without a bound before the end that
 * begins anywhere (`X+$`), and two of them side by side, or about what both take, that take the same characters. Null where there is neither.
 */
export function slowPart(source: string, flags: string): string | null {
  const alternatives = parse(source)
  for (const way of alternatives) {
    const found = fromEveryBeginning(way, flags)
    if (found !== null) return found
  }
  for (const way of waysOf(alternatives)) {
    const found = besideEachOther(way, flags) ?? beforeTheEnd(way, flags)
    if (found !== null) return found
  }
  return null
}

function besideEachOther(way: readonly Element[], flags: string): string | null {
  let open: { readonly repeat: Element; readonly between: readonly Element[] }[] = []
  for (const [i, element] of way.entries()) {
    // Where nothing more must be found, nothing is tried again.
    if (!way.slice(i).some((rest, j) => (j > 0 && rest.min > 0) || rest.kind === 'assertion')) return null
    if (element.kind === 'assertion') {
      // What must not follow a repeat is not left to a later one.
      if (element.source.startsWith('(?!'))
        open = open.filter(({ repeat }) => !element.alternatives.some(([refused]) => refused && covers(refused, repeat, flags)))
      continue
    }
    // What takes everything up to the end has nothing behind it that could fail.
    if (takesAll(element, flags) && way.slice(i + 1).every(({ source }) => source === '$')) return null
    if (element.max === Number.POSITIVE_INFINITY) {
      const other = open.find(({ repeat, between }) => [repeat, ...between].every(one => overlap(one, element, flags)))
      if (other) return `${other.repeat.source} beside ${element.source}`
      open = [...(element.min === 0 ? open : []), { repeat: element, between: [] }]
    } else if (element.min > 0)
      // What both repeats take does not tell them apart.
      open = open.flatMap(({ repeat, between }) => (overlap(repeat, element, flags) ? [{ repeat, between: [...between, element] }] : []))
  }
  return null
}

/** A repeat before the end of the text, where the search may begin at each of its characters. */
function beforeTheEnd(way: readonly Element[], flags: string): string | null {
  if (flags.includes('y') || way[0]?.source === '^' || way.at(-1)?.source !== '$') return null
  const taking = way.filter(({ kind }) => kind !== 'assertion')
  const last = taking.at(-1)
  if (last?.max !== Number.POSITIVE_INFINITY || takesAll(last, flags)) return null
  // What must be found before it, and is not among what it takes, is where the search begins.
  if (taking.slice(0, -1).some(one => one.min > 0 && !overlap(one, last, flags))) return null
  return `${last.source}$ without a beginning`
}

/** A repeat that takes its own beginnings and may miss its end: each of the beginnings is searched to the end of the text. */
function fromEveryBeginning(way: readonly Element[], flags: string): string | null {
  if (flags.includes('y') || way[0]?.source.startsWith('^') || way[0]?.source.startsWith('(?<')) return null
  const taking = way.filter(({ kind }) => kind !== 'assertion')
  const at = taking.findIndex(({ max }) => max === Number.POSITIVE_INFINITY)
  const [repeat, beginning] = [taking[at], taking.slice(0, at).filter(({ min }) => min > 0)]
  const end = taking.slice(at + 1).filter(({ min }) => min > 0)
  if (!repeat || beginning.length === 0 || end.length === 0 || beginning.some(one => !overlap(one, repeat, flags))) return null
  // Where the end of the text will do, it is found.
  if (end.some(({ alternatives }) => alternatives.some(one => one.every(({ min, source }) => min === 0 || source === '$')))) return null
  // Where another beginning is an end as well, the first finds it.
  const hidesEnds = repeat.alternatives.some(alternative => alternative.length > 1)
  if (!hidesEnds && end.length <= beginning.length && end.every((one, i) => beginning[i] && covers(one, beginning[i], flags))) return null
  return `${repeat.source} behind each ${beginning.map(({ source }) => source).join('')}`
}

const mostWays = 256

/** The ways through a pattern: groups are there or not, and those that repeat are there twice. Groups of single characters stay. */
function waysOf(alternatives: readonly (readonly Element[])[]): (readonly Element[])[] {
  return alternatives
    .flatMap(alternative =>
      alternative.reduce<(readonly Element[])[]>(
        (ways, element) => ways.flatMap(way => choicesFor(element).map(choice => [...way, ...choice])).slice(0, mostWays),
        [[]],
      ),
    )
    .slice(0, mostWays)
}

function choicesFor(element: Element): (readonly Element[])[] {
  const { kind, alternatives, min, max } = element
  if (kind !== 'group' || (max > 1 && alternatives.every(one => one.length === 1 && one[0]?.kind === 'atom' && one[0].max === 1)))
    return [[element]]
  const once = waysOf(alternatives)
  const there = max > 1 ? once.map(way => [...way, ...way]) : once
  return min === 0 ? [[], ...there] : there
}

function covers(wide: Element, narrow: Element, flags: string): boolean {
  const all = charactersOf(wide, flags)
  return [...charactersOf(narrow, flags)].every(char => all.has(char))
}

function takesAll(element: Element, flags: string): boolean {
  return element.max === Number.POSITIVE_INFINITY && charactersOf(element, flags).size === samples.length
}

function charactersOf(element: Element, flags: string): ReadonlySet<string> {
  return new Set(
    atomsOf(element).flatMap(atom => [...taken(/^\\.$/.test(atom) ? atom : atom.replace(/(?:[*+?]|\{\d+(?:,\d*)?\})\??$/, ''), flags)]),
  )
}

function overlap(a: Element, b: Element, flags: string): boolean {
  const other = charactersOf(b, flags)
  return [...charactersOf(a, flags)].some(char => other.has(char))
}

function atomsOf(element: Element): string[] {
  return element.kind === 'atom' ? [element.source] : element.alternatives.flat().flatMap(atomsOf)
}

const known = new Map<string, ReadonlySet<string>>()
function taken(atom: string, flags: string): ReadonlySet<string> {
  const key = `${flags} ${atom}`
  const found = known.get(key) ?? new Set(samples.filter(char => matches(atom, flags, char)))
  known.set(key, found)
  return found
}

function matches(atom: string, flags: string, char: string): boolean {
  try {
    return new RegExp(`^(?:${atom})$`, flags.replaceAll(/[gymd]/g, '')).test(char)
  } catch {
    // A reference to a group, which may hold anything.
    return true
  }
}

function parse(source: string): Element[][] {
  let at = 0
  const quantified = (element: Element): Element => {
    const [whole = '', , from, comma, to] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at)) ?? []
    if (whole === '') return element
    at += whole.length
    const sign = whole.charAt(0)
    const [min, max] =
      sign === '*'
        ? [0, Number.POSITIVE_INFINITY]
        : sign === '+'
          ? [1, Number.POSITIVE_INFINITY]
          : sign === '?'
            ? [0, 1]
            : [Number(from), comma === '' ? Number(from) : to === '' ? Number.POSITIVE_INFINITY : Number(to)]
    return { ...element, source: element.source + whole, min, max }
  }
  const sequenceOf = (): Element[][] => {
    const alternatives: Element[][] = [[]]
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at++
        alternatives.push([])
        continue
      }
      alternatives.at(-1)?.push(element())
    }
    return alternatives
  }
  const element = (): Element => {
    const rest = source.slice(at)
    const assertion = /^(?:[\^$]|\\[bB])/.exec(rest)?.[0]
    if (assertion !== undefined) {
      at += assertion.length
      return { kind: 'assertion', source: assertion, alternatives: [], min: 1, max: 1 }
    }
    const group = /^\((?:\?(?:<?[=!]|<[^>]+>|[\w-]*:))?/.exec(rest)?.[0]
    if (group !== undefined) {
      const begin = at
      at += group.length
      const alternatives = sequenceOf()
      at++
      const kind = /^\(\?<?[=!]/.test(group) ? 'assertion' : 'group'
      return quantified({ kind, source: source.slice(begin, at), alternatives, min: 1, max: 1 })
    }
    const atom =
      /^(?:\[(?:[^\]\\]|\\[\s\S])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\k<[^>]*>|\\c.|\\[\s\S]|[\s\S])/iu.exec(
        rest,
      )?.[0] ?? ''
    at += atom.length
    return quantified({ kind: 'atom', source: atom, alternatives: [], min: 1, max: 1 })
  }
  return sequenceOf()
}
