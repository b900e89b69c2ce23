import { rstrip, splitWords, strip } from '../python/strings.ts'

/** Ways to cut a text into BLEU's tokens, by sacrebleu's names. */
export const bleuTokenizers = ['13a', 'zh', 'intl', 'char', 'none'] as const
export type BleuTokenizer = (typeof bleuTokenizers)[number]

/** The tokens of a text as sacrebleu 2.6.0 cuts it. */
export function bleuTokens(text: string, tokenizer: BleuTokenizer): readonly string[] {
  return splitters[tokenizer](rstrip(text))
}

const splitters: Readonly<Record<BleuTokenizer, (line: string) => readonly string[]>> = {
  // Words and punctuation marks apart, as in WMT's mteval-v13a.
  '13a': line => {
    const plain = line
      .replaceAll('<skipped>', '')
      .replaceAll('-\n', '')
      .replaceAll('\n', ' ')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
    return westernWords(` ${plain} `)
  },
  // Each Chinese character is a token.
  zh: line => westernWords(strip(line).replaceAll(chinese, ' $& ')),
  // As in mteval-v14: any punctuation that is not within a number, and any symbol.
  intl: line =>
    splitWords(
      line
        .replaceAll(/(\P{N})(\p{P})/gu, '$1 $2 ')
        .replaceAll(/(\p{P})(\P{N})/gu, ' $1 $2')
        .replaceAll(/\p{S}/gu, ' $& '),
    ),
  char: line => [...line].filter(char => strip(char) !== ''),
  none: splitWords,
}

function westernWords(line: string): readonly string[] {
  return splitWords(
    line
      .replaceAll(/([{-~[-` -&(-+:-@/])/g, ' $1 ')
      .replaceAll(/([^0-9])([.,])/gu, '$1 $2 ')
      .replaceAll(/([.,])([^0-9])/gu, ' $1 $2')
      .replaceAll(/([0-9])(-)/g, '$1 $2 '),
  )
}

// Two of the original's ranges were meant to begin beyond U+FFFF and are read as U+2001 to U+2A6D and U+2F81 to U+2FA1.
const chinese =
  /[\u2001-\u2a6d\u2e80-\u2eff\u2f00-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31bf\u31c0-\u31ef\u3200-\u33ff\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]/g

/** Whether more than a fifth of the letters of a text belong to scripts that are written without blanks, which a tokenizer of words does not split. */
export function isUnsplit(text: string, tokenizer: BleuTokenizer): boolean {
  if (tokenizer === 'char') return false
  const letters = [...text.matchAll(/\p{L}/gu)].length
  const script =
    tokenizer === 'zh'
      ? /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
      : /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
  return 5 * [...text.matchAll(script)].length > letters
}
