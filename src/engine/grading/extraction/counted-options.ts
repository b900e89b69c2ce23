import type { NamedOptions, OptionTexts } from './read-option.ts'

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

const ordinal =
  /(?:\b(?:the )?(first|second|third|fourth|fifth|sixth|seventh|eighth|last) (?:option|choice|answer)|\b(?:option|choice) (?:no\.? |number |#)?([1-9])(?![\d.,]\d|\d))(?=[\s)*]{0,4}[.!]?[\s*]{0,4}$|\s(?:is|seems|appears|looks)\s(?:the\s)?(?:clearly |most |indeed )?(?:correct|right|true|best|answer|accurate|appropriate|one)\b)/gi

/** "The second option is correct", "Option 2", where a short answer chooses one place. */
export function counted(words: string, options: OptionTexts): NamedOptions | null {
  if (words.trim().length > 200 || /\?|\b(?:if|whether|could|might|trick)\b/i.test(words)) return null
  const found = [...words.matchAll(ordinal)].map(({ 0: said, 1: place = '', 2: number, index }) => {
    const position = number === undefined ? ordinals.indexOf(place.toLowerCase()) : Number(number) - 1
    return { positions: [place.toLowerCase() === 'last' ? options.count - 1 : position], start: index, end: index + said.length }
  })
  const [first] = found
  const [position = -1] = first?.positions ?? []
  const places = new Set(Array.from(words.matchAll(anyOrdinal), ([said]) => said.toLowerCase()))
  return first && position < options.count && places.size === 1 ? first : null
}

const anyOrdinal =
  /\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|former|latter|other)(?= (?:option|choice|answer|one))|\b(?:option|choice) (?:no\.? |number |#)?\d/gi

const judgedLine =
  /^[\s>|•·*-]{0,8}(?:option |choice )?["'([]{0,2}([A-Z])["')\].:]{0,3}[ ]{0,3}[|:.)\]–—-]{0,2}[ \t]{0,4}(?=\S)([^\n]{1,300})$/gim
const judgment =
  /^(?:this (?:option |choice )?is |it is |it's |that is |is |→ |-> )?(?:(correct|right|true|yes|valid)|(incorrect|wrong|false|no|invalid|not (?:correct|right|true)))\b/i

/** A list or table that says of each choice whether it is right: the lines of those that are. */
export function judgedOneByOne(words: string, options: OptionTexts): NamedOptions | null {
  if (options.texts.some(text => judgment.test(text))) return null
  const right: NamedOptions[] = []
  const seen = new Set<number>()
  for (const match of words.matchAll(judgedLine)) {
    const position = (match[1] ?? '').toUpperCase().charCodeAt(0) - 65
    const own = options.texts[position]
    if (own === undefined || seen.has(position) || match[1] !== match[1]?.toUpperCase()) continue
    const said = (match[2] ?? '').toLowerCase()
    const verdict = judgment.exec(
      (own !== '' && said.startsWith(own) ? said.slice(own.length) : said).replace(/^[\s|:.,;()–—→>-]{0,8}/, ''),
    )
    if (!verdict) continue
    seen.add(position)
    const start = match.index + match[0].indexOf(match[1] ?? '')
    if (verdict[1] !== undefined) right.push({ positions: [position], start, end: start + 1 })
  }
  const [first] = right
  if (!first || seen.size < 2 || seen.size === right.length) return null
  return { ...first, positions: right.flatMap(({ positions }) => positions) }
}
