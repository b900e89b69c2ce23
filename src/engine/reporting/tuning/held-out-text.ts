/** Words in a row that two texts do not share by chance: the length that checks for contaminated training data use. */
const run = 8
/** A text of fewer words than a run is looked for whole; of fewer than this it is not a quotation. */
const fewest = 3

/**
 * The first held-out text that a proposal quotes, by position; -1 where it quotes none. What the proposer was shown, or the prompt says
 * already, may be quoted.
 */
export function quotedText(proposal: string, heldOut: readonly string[], shown: readonly string[]): number {
  const known = new Set(shown.flatMap(text => pieces(wordsOf(text))))
  const words = wordsOf(proposal)
  const said = new Set(pieces(words).filter(piece => !known.has(piece)))
  const whole = ` ${words.join(' ')} `
  const shownWhole = shown.map(text => ` ${wordsOf(text).join(' ')} `)
  return heldOut.findIndex(text => {
    const own = wordsOf(text)
    if (own.length >= run) return pieces(own).some(piece => said.has(piece))
    const quotation = ` ${own.join(' ')} `
    return own.length >= fewest && whole.includes(quotation) && !shownWhole.some(other => other.includes(quotation))
  })
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

function pieces(words: readonly string[]): string[] {
  return Array.from({ length: Math.max(0, words.length - run + 1) }, (_, i) => words.slice(i, i + run).join(' '))
}
