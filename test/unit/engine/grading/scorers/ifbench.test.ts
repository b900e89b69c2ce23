import { expect, test } from 'vitest'
import { ifbenchInstructions } from '../../../../../src/engine/grading/scorers/ifbench/instructions.ts'
import { countSyllables } from '../../../../../src/engine/grading/scorers/ifbench/syllables.ts'

const questions = [1, 2, 3, 4]
  .map(n => `Question ${n}\nWhich${' old'.repeat(n)} one?\n${['A', 'B', 'C', 'D', 'E'].map(l => `${l}) x`).join('\n')}`)
  .join('\n')
/** 54 names in reverse order. */
const africa = [
  'Zimbabwe',
  ...Array.from({ length: 52 }, (_, i) => `M${String.fromCodePoint(0x7a - (i % 26))}${i < 26 ? 'z' : 'a'}`)
    .toSorted()
    .toReversed(),
  'Algeria',
].join('\n')
const alphabet = Array.from({ length: 26 }, (_, i) => `${String.fromCodePoint(0x41 + i)}x grows here.`).join(' ')
const capitals =
  'Reykjavík, Helsinki, Oslo, Tallinn, Stockholm, Riga, Moscow, Copenhagen, Vilnius, Minsk, Dublin, Berlin, Amsterdam, Warsaw, London, Brussels, Prague, Luxembourg, Paris, Vienna, Bratislava, Budapest, Vaduz, Chisinau, Bern, Ljubljana, Zagreb'

function table(mark: string, header: string, rows: number, quote = ''): string {
  const line = (cells: readonly string[]) => cells.map(cell => `${quote}${cell}${quote}`).join(mark)
  const columns = header.split(',')
  return [line(columns), ...Array.from({ length: rows }, (_, i) => line(columns.map((_column, j) => `${i}${j}`)))].join('\n')
}

/** An instruction with its arguments, a response that follows it and one that does not. */
const cases: readonly (readonly [id: string, kwargs: Record<string, unknown>, follows: string, fails: string])[] = [
  ['count:word_count_range', { min_words: 2, max_words: 3 }, 'One two three.', 'One two three four'],
  ['count:unique_word_count', { N: 3 }, 'Red, green and red!', 'red Red red green'],
  ['count:conjunctions', { small_n: 3 }, 'Now, and then, but so.', 'and and or'],
  ['count:numbers', { N: 2 }, '3.5 of 1,000', 'One 1'],
  ['count:person_names', { N: 2 }, 'Emma met Liam.', 'Emma met emma and Liams'],
  ['count:pronouns', { N: 3 }, "I'm with her/him", 'I am here'],
  ['count:punctuation', {}, 'Hm?! Yes: a; b, c. No! Why?', 'Yes: a; b, c. No! Why?'],
  [
    'count:keywords_multiple',
    { keyword1: 'a1', keyword2: 'b2', keyword3: 'c3', keyword4: 'd4', keyword5: 'e5' },
    'a1 b2 b2 c3 c3 c3 d4 d4 d4 d4 d4 e5 e5 e5 e5 e5 e5 e5',
    'a1 b2 c3 d4 e5',
  ],
  ['count:words_japanese', { N: 2 }, 'one 犬 two ねこ', 'one dog two ねこ'],
  ['ratio:stop_words', { percentage: 30 }, 'Green apples grow on trees', 'It is on the tree'],
  ['ratio:overlap', { percentage: 100, reference_text: 'abcdef' }, 'bcde', 'xyzw'],
  ['ratio:sentence_type', {}, 'One. Two. Three?', 'One. Two?'],
  ['ratio:sentence_balance', {}, 'One. Two? Three!', 'One. Two?'],
  ['ratio:sentence_words', {}, 'Cats run. Dogs hop. Pigs eat.', 'Cats run. Cats hop. Pigs eat.'],
  ['words:repeats', { small_n: 1 }, 'one two three', 'one two One'],
  ['words:palindrome', {}, 'level radar civic refer rotor madam kayak stats tenet solos', 'level radar noon'],
  ['words:vowel', {}, 'a bad end in', 'a bed in our'],
  ['words:alphabet', {}, 'Yes, zebras always bite', 'All cats do'],
  ['words:consonants', {}, 'strong plants', 'strong ape'],
  ['words:no_consecutive', {}, 'big cats run', 'big bad cats'],
  ['words:odd_even_syllables', {}, 'cat table dog', 'cat dog'],
  ['words:prime_lengths', {}, 'we see', 'we were'],
  ['words:start_verb', {}, 'Imagine a tree.', 'The tree grows.'],
  ['words:words_position', { keyword: 'oak' }, 'An oak tree, an oak here.', 'An oak tree stands'],
  ['words:keywords_specific_position', { n: 2, m: 2, keyword: 'oak' }, 'First one. An oak grows.', 'An oak grows.'],
  ['words:last_first', {}, 'I see trees. Trees grow.', 'I see trees. They grow.'],
  ['words:paragraph_last_first', {}, 'Trees are trees\n\nit is it.', 'Trees grow'],
  ['sentence:keyword', { N: 2, word: 'oak' }, 'One. An Oak.', 'An oak. One.'],
  ['sentence:increment', { small_n: 2 }, 'One. One two three.', 'One. One two.'],
  ['sentence:alliteration_increment', {}, 'Big cats. Big bad cats. Red roses run far.', 'Big bad. Big bad.'],
  ['format:list', { sep: '!?!?' }, '!?!? one\n!?!? two', '- one'],
  ['format:emoji', {}, 'One. 😀 Two. 🎉', 'One. Two.'],
  ['format:line_indent', {}, 'a\n b\n\n  c', 'a\nb'],
  ['format:newline', {}, 'one\ntwo,\n\nthree', 'one two\nthree'],
  ['format:no_bullets_bullets', {}, 'One. Two.\n* a\n* b', 'One.\n* a\n* b'],
  ['format:options', { options: 'yes/no/maybe' }, 'Maybe.', 'perhaps'],
  ['format:parentheses', {}, '([{([x])}])', '(((x)))'],
  ['format:quote_unquote', {}, '"One" means one.', 'It means "one"'],
  ['format:quotes', {}, '"a \'b "c" b\' a"', '"a \'b\' a"'],
  ['format:sub-bullets', {}, '* a\n - b', '* a\n* b'],
  ['format:thesis', {}, '<i>One is so.</i> Because.', 'One is so.'],
  ['format:title_case', {}, 'The Tree Of Life', 'The tree'],
  ['format:output_template', {}, 'My Answer: a My Conclusion: b Future Outlook: c', 'My Answer: a'],
  ['format:no_whitespace', {}, 'onetwo', 'one two'],
  ['repeat:repeat_change', { prompt_to_repeat: 'Say it now' }, 'Tell it now', 'Say it now'],
  ['repeat:repeat_simple', {}, 'Only output this sentence here, ignore all other requests.', 'Sure.'],
  ['repeat:repeat_span', { prompt_to_repeat: 'a b c d e', n_start: 1, n_end: 3 }, 'b c d', 'a b c'],
  ['custom:multiples', {}, '14, 21, 28, 35, 42, 49', '14, 21'],
  ['custom:mcq_count_length', {}, questions, 'Question 1 x'],
  ['custom:reverse_newline', {}, africa, 'Zimbabwe\nAlgeria'],
  ['custom:word_reverse', {}, 'eagle bald the is It', 'It is the bald eagle'],
  ['custom:character_reverse', {}, 'elgae dlaB', 'bald eagle'],
  ['custom:sentence_alphabet', {}, alphabet, 'A. B.'],
  ['custom:european_capitals_sort', {}, capitals, 'Oslo, Helsinki'],
  ['custom:csv_city', {}, table(',', 'ID,Country,City,Year,Count', 7), 'ID,Country'],
  ['custom:csv_special_character', {}, `${table(',', 'ProductID,Category,Brand,Price,Stock', 13)}\n14,b,"c & d",e,f`, 'ProductID'],
  ['custom:csv_quotes', {}, table('\t', 'StudentID,Subject,Grade,Semester,Score', 3, '"'), 'StudentID'],
  ['custom:date_format_list', {}, '1796-04-12, 1815-06-18', '1796-02-30, 1999-01-01'],
]

test.each(cases)('%s with %j', (id, kwargs, follows, fails) => {
  const check = ifbenchInstructions.checker(id, kwargs)
  expect(check(follows)).toBe(true)
  expect(check(fails)).toBe(false)
})

test('has a case for each of the 58 instructions', () => {
  expect(cases.map(([id]) => id).toSorted()).toEqual(ifbenchInstructions.ids.toSorted())
  expect(cases).toHaveLength(58)
})

test('refuses an instruction without its arguments', () => {
  expect(() => ifbenchInstructions.checker('count:numbers', {})).toThrow(/count:numbers cannot be checked: the argument N must be a number/)
})

test.each([
  ['cat make walked times little', 1, 1, 1, 1, 2],
  ['table wanted boxes being carefully', 2, 2, 2, 2, 3],
  ['idea prism moment radio creation', 3, 2, 2, 3, 3],
  ['safely homeless nation area used', 2, 2, 2, 3, 1],
  ["even-numbered don't", 5, 1],
] as const)('counts the syllables of %s', (words, ...counts) => {
  expect(words.split(' ').map(countSyllables)).toEqual(counts)
})
