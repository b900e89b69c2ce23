/** Words in a row that two texts do not share by chance: the length that checks for contaminated training data use. */
const run = 8
/** Characters in a row, of scripts that put no spaces between words: some eight words. */
const unspacedRun = 12
/** A text of fewer words than a run is looked for whole; of fewer than this, or characters of such a script, it is not a quotation. */
const fewest = 3
const fewestUnspaced = 6

const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`
const word = new RegExp(String.raw`${unspaced}|(?:(?!${unspaced})[\p{L}\p{N}])+`, 'gu')
const isUnspaced = new RegExp(`^${unspaced}$`, 'u')

/** A case that no proposal may quote. */
interface HeldOutCase {
  readonly input: string
  /** Of a few words, such as a label, it is not a quotation. */
  readonly answers: readonly string[]
}

/**
 * The first held-out case that a proposal quotes, by position; -1 where it quotes none. What the proposer was shown, or the prompt says
 * already, may be quoted.
 */
export function quotedCase(proposal: string, heldOut: readonly HeldOutCase[], shown: readonly string[]): number {
  const words = wordsOf(proposal)
  const whole = wholeOf(words)
  const said = new Set([...pieces(words, run), ...pieces(words, unspacedRun)])
  // Short texts that the proposal says.
  for (const { input } of heldOut) {
    const own = wordsOf(input)
    if (own.length >= fewestOf(own) && own.length < runOf(own) && whole.includes(wholeOf(own))) said.add(wholeOf(own))
  }
  const short = [...said].filter(text => text.startsWith(' '))
  for (const text of shown) {
    if (said.size === 0) return -1
    const other = wordsOf(text)
    for (const length of [run, unspacedRun]) for (const piece of pieces(other, length)) said.delete(piece)
    const all = wholeOf(other)
    for (const one of short) if (all.includes(one)) said.delete(one)
  }
  const quotes = (own: readonly string[]) => pieces(own, runOf(own)).some(piece => said.has(piece))
  return heldOut.findIndex(({ input, answers }) => {
    const own = wordsOf(input)
    return quotes(own) || said.has(wholeOf(own)) || answers.some(answer => quotes(wordsOf(answer)))
  })
}

/** Words between spaces, so that a word is found whole. */
function wholeOf(words: readonly string[]): string {
  return ` ${words.join(' ')} `
}

/** Without invisible characters, which would hide a quotation. */
function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .replaceAll(/\p{Cf}/gu, '')
      .toLowerCase()
      .match(word) ?? []
  )
}

function runOf(words: readonly string[]): number {
  return isMostlyUnspaced(words) ? unspacedRun : run
}

function fewestOf(words: readonly string[]): number {
  return isMostlyUnspaced(words) ? fewestUnspaced : fewest
}

function isMostlyUnspaced(words: readonly string[]): boolean {
  return words.filter(one => isUnspaced.test(one)).length * 2 > words.length
}

function pieces(words: readonly string[], length: number): string[] {
  return Array.from({ length: Math.max(0, words.length - length + 1) }, (_, i) => words.slice(i, i + length).join(' '))
}
