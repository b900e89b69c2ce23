/** Words that people use, and those by which benchmarks name the same subject. A key of two words is a phrase. */
const related: readonly (readonly [asked: readonly string[], named: readonly string[]])[] = [
  [
    [
      'math',
      'maths',
      'mathematics',
      'mathematical',
      'numeracy',
      'calculation',
      'calculations',
      'calculating',
      'sums',
      'word problem',
      'word problems',
    ],
    ['arithmetic', 'maths', 'mathematics', 'algebra'],
  ],
  [['code', 'coding', 'coder', 'software', 'developer', 'engineering', 'scripting', 'scripts'], ['programming']],
  [['js'], ['javascript']],
  [
    ['logical', 'deduction', 'deductive', 'puzzle', 'puzzles'],
    ['logic', 'reasoning'],
  ],
  [['excel', 'xlsx', 'sheet', 'sheets', 'worksheet', 'worksheets'], ['spreadsheets']],
  [['facts', 'factual', 'trivia', 'exam', 'exams'], ['knowledge']],
  [['hallucination', 'hallucinations', 'hallucinate', 'honesty', 'honest'], ['truthfulness']],
  [['formatting', 'constraints', 'obey', 'obedience'], ['instruction']],
  [['comprehension', 'passages', 'documents'], ['reading']],
  [['commonsense'], ['common', 'sense']],
]
const namedBy = new Map(related.flatMap(([asked, named]) => asked.map(word => [word, named] as const)))

/** What benchmarks may call the subject of a word; `next` is the word after it. */
export function relatedWords(word: string, next?: string): readonly string[] {
  return [...(namedBy.get(word) ?? []), ...(namedBy.get(`${word} ${next}`) ?? [])]
}

/** The words of an objective, and after them those by which benchmarks name the same subjects. */
export function withRelatedWords(words: readonly string[]): string[] {
  return [...new Set([...words, ...words.flatMap((word, i) => relatedWords(word, words[i + 1]))])]
}
