/** What mends each kind of fault, by the sentences of RE2 and of JavaScript's engine, which ends with the fault. */
const mends: readonly (readonly [said: RegExp, mend: string])[] = [
  [/^missing closing \)|: Unterminated group$/, 'close the "(", or put a backslash before it'],
  [/^missing closing \]: `\[\]/, 'put a character into the "[]", or a backslash before it'],
  [/^missing closing \]|: Unterminated character class$/, 'close the "[", or put a backslash before it'],
  [/^unexpected \)|: Unmatched '\)'$/, 'open the ")" with a "(", or put a backslash before it'],
  [/^missing argument to repetition|: Nothing to repeat$/, 'put something before the "*", "+" or "?", or a backslash'],
  [/^invalid nested repetition/, 'keep one of the repetitions that follow each other'],
  [/^(?:invalid repeat count|expression too large)/, 'repeat at most 1,000 times, the smaller number first'],
  [/^invalid character class range: `\\[pP]/, 'name a property that exists, as in "\\p{L}"'],
  [
    /^invalid character class range|: Range out of order in character class$/,
    'order the ends of the range in "[…]", or move "-" to its end',
  ],
  [/^invalid escape sequence|: Invalid (?:\w+ )?escape$/, 'remove the backslash, or write the character that is meant'],
  [/^trailing backslash|^it ends in a backslash/, 'remove the backslash at the end, or double it'],
  [/named capture|duplicate capture group name/, 'give each named group one name of its own, as in "(?P<name>…)"'],
  [/^invalid or unsupported Perl syntax|: Invalid group$/, 'remove atomic groups, conditions and comments within the pattern'],
  [/^expression nests too deeply/, 'nest fewer groups'],
]

/** What mends a pattern that cannot be compiled, as a clause; our own parsers' words are kept. */
export function mendPattern(error: unknown): string {
  const said = (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '')
  const [, mend] = mends.find(([of]) => of.test(said)) ?? []
  if (mend === undefined) return isOurs(said) ? said : 'simplify it'
  const part = /: `(.{1,60})/.exec(said)?.[1]?.replace(/`$/, '')
  return part === undefined ? mend : `${mend}, in ${JSON.stringify(part)}`
}

/** Sentences of JavaScript's own engine begin so. */
function isOurs(said: string): boolean {
  return !/^Invalid regular expression|^regexp\/syntax/.test(said)
}
