/** Sentences that suit any English topic and only make a text longer. */
export const moreSentences: readonly string[] = [
  'This sounds simple but it is easily forgotten.',
  'Most people notice the difference after a short time.',
  'It is worth taking a moment to think about it.',
  'The details may vary from place to place.',
  'Nobody has to do everything at once.',
  'A little care at the start saves trouble later.',
  'There is more to say about this than fits in a few lines.',
  'What matters most is that it works for everyone.',
]
