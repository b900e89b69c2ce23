import type { NamedOptions, OptionTexts } from './read-option.ts'

export function wholeWords(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'giu')
}

const denial =
  /\b(?:not|n't|no|never|neither|nor|none|wrong|incorrect|false|cannot|except|unlike|rather|instead|hardly|far from|opposite of)\b|n't\b/i

const contrasted = /,? (?:and |but )?(?:not|rather than|instead of|unlike) [^.,;\n]{1,80}/gi

/** Whether a text denies something besides its choices: "false" denies nothing where it is a choice, nor does "Venus, not Mercury". */
export function denies(words: string, { texts }: OptionTexts): boolean {
  const without = texts.reduce((left, text) => (text.length > 1 ? left.replaceAll(wholeWords(text), ' ') : left), words.toLowerCase())
  return denial.test(without.replaceAll(contrasted, ''))
}

/** The only choice whose text, or whose label in brackets, a short answer without any denial mentions. */
export function mentioned(words: string, options: OptionTexts): NamedOptions | null {
  if (words.trim().length > 400 || denies(words, options) || /\?|\b(?:if|whether|could|might)\b/i.test(words)) return null
  const folded = words.toLowerCase().replaceAll(contrasted, gone => ' '.repeat(gone.length))
  const found = options.texts.flatMap((text, position) => {
    if (text.length < 2) return []
    // "There is no way to know": a word before another is not an answer.
    const start = text === 'no' ? folded.search(/(?<![\p{L}\p{N}'-])no(?!['\p{L}\p{N}-]|\s{1,3}[\p{L}\p{N}])/u) : wordAt(folded, text)
    return start < 0 ? [] : [{ positions: [position], start, end: start + text.length }]
  })
  const labeled = [...words.matchAll(/(?:\b(?:option|choice|answer)\s|\()([A-Z])(?![A-Za-z0-9'’])\)?/gi)].flatMap(match => {
    const position = (match[1] ?? '').toUpperCase().charCodeAt(0) - 65
    const start = match.index + match[0].search(/[A-Za-z]\)?$/)
    return position < options.count && match[1] === match[1]?.toUpperCase() ? [{ positions: [position], start, end: start + 1 }] : []
  })
  const all = [...found, ...labeled]
  const [first] = all
  return first && all.every(({ positions }) => positions[0] === first.positions[0]) ? first : null
}

/** Where a word is in a text, not as part of another word, number or formula; -1 where it is not. */
export function wordAt(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (
      !/[\p{L}\p{N}]$|[\d\p{L})][.,/^*]$|[/^]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
      !/^(?:[\p{L}\p{N}/^*]|[.,]\d)/u.test(text.slice(at + word.length))
    )
      return at
  return -1
}
