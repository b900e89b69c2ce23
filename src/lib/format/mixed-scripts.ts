/** Scripts with letters that look like those of another. Chinese, Japanese and Korean names have Latin letters beside their own. */
const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic'] as const
const lettersOf = scripts.map(script => ({ script, letter: new RegExp(`\\p{Script=${script}}`, 'u') }))

/**
 * A caution for a name with a word of several scripts, such as a Latin one with a Cyrillic `а`, which reads like another name; null for
 * every other.
 */
export function mixedScriptsCaution(name: string): string | null {
  for (const word of name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    const mixed = lettersOf.filter(({ letter }) => letter.test(word))
    const [first, second] = mixed
    if (!first || !second) continue
    // The fewer letters of the two are the ones to name.
    const letters = [...word]
    const [rare] = [first, second].toSorted((a, b) => count(letters, a.letter) - count(letters, b.letter))
    const sign = letters.find(one => rare?.letter.test(one)) ?? ''
    const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `The word "${word}" mixes ${mixed.map(({ script }) => script).join(' and ')} letters ("${sign}" is U+${code}), so the name can be taken for another.`
  }
  return null
}

function count(letters: readonly string[], of: RegExp): number {
  return letters.filter(letter => of.test(letter)).length
}
