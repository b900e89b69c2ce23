import { describe, expect, test } from 'vitest'
import { countCapitalWords } from '../../../../../src/engine/grading/scorers/ifeval/capital-words.ts'
import { detectLanguage } from '../../../../../src/engine/grading/scorers/ifeval/detect-language.ts'
import { ifevalInstructions } from '../../../../../src/engine/grading/scorers/ifeval/instructions.ts'
import { countSentences } from '../../../../../src/engine/grading/scorers/ifeval/sentences.ts'
import { looseVariants } from '../../../../../src/engine/grading/scorers/ifeval/variants.ts'
import { grade } from './grade.ts'

function follows(id: string, kwargs: Record<string, unknown>, response: string): boolean {
  return ifevalInstructions.checker(id, kwargs)(response)
}

describe('instructions', () => {
  test.each<[string, Record<string, unknown>, string, boolean]>([
    ['keywords:existence', { keywords: ['cat', 'd.g'] }, 'Concatenate the DOG', true],
    ['keywords:existence', { keywords: ['cat', 'dog'] }, 'cat', false],
    ['keywords:frequency', { keyword: 'the', frequency: 2, relation: 'at least' }, 'The other', true],
    ['keywords:frequency', { keyword: 'the', frequency: 2, relation: 'less than' }, 'The other', false],
    ['keywords:forbidden_words', { forbidden_words: ['cat'] }, 'concatenate', true],
    ['keywords:forbidden_words', { forbidden_words: ['cat'] }, 'A Cat.', false],
    ['keywords:forbidden_words', { forbidden_words: ['no no'] }, 'xno no no', false],
    ['keywords:forbidden_words', { forbidden_words: ['mar'] }, 'mará', true],
    ['keywords:letter_frequency', { letter: '#', let_frequency: 2, let_relation: 'at least' }, '#a #b', true],
    ['length_constraints:number_words', { num_words: 3, relation: 'less than' }, "don't", true],
    ['length_constraints:number_paragraphs', { num_paragraphs: 2 }, '***\na\n***\nb', true],
    ['length_constraints:number_paragraphs', { num_paragraphs: 2 }, 'a\n***\n\n***\nb', false],
    ['length_constraints:nth_paragraph_first_word', { num_paragraphs: 2, nth_paragraph: 2, first_word: 'Hello' }, 'a\n\n"Hello, you', true],
    ['length_constraints:nth_paragraph_first_word', { num_paragraphs: 2, nth_paragraph: 3, first_word: 'a' }, 'a\n\nb', false],
    ['detectable_content:number_placeholders', { num_placeholders: 2 }, '[a] [b\n] [c]', true],
    ['detectable_content:number_placeholders', { num_placeholders: 2 }, '[a\n] [c]', false],
    ['detectable_content:postscript', { postscript_marker: 'P.S.' }, 'bye\np. s. more', true],
    ['detectable_content:postscript', { postscript_marker: 'P.P.S' }, 'bye\nP.S. more', false],
    ['detectable_format:number_bullet_lists', { num_bullets: 3 }, '* a\n - b\n\n *c', true],
    ['detectable_format:number_bullet_lists', { num_bullets: 1 }, '** bold **\n* a', true],
    ['detectable_format:number_bullet_lists', { num_bullets: 1 }, '*\n* a', true],
    ['detectable_format:number_highlighted_sections', { num_highlights: 2 }, '*a* and **b**', true],
    ['detectable_format:number_highlighted_sections', { num_highlights: 1 }, '* a\n* b', false],
    ['detectable_format:multiple_sections', { section_spliter: 'Day', num_sections: 2 }, 'Day 1 x Day2 y', true],
    ['detectable_format:json_format', {}, '```JSON\n[1, NaN]\n```', true],
    ['detectable_format:json_format', {}, 'Here: {}', false],
    ['detectable_format:title', {}, 'a <<b>> c', true],
    ['detectable_format:title', {}, '<< >>\n<<', false],
    ['detectable_format:constrained_response', {}, 'Well. My answer is maybe.', true],
    ['combination:two_responses', {}, 'a\n******\nb\n******', true],
    ['combination:two_responses', {}, 'a******a', false],
    ['combination:repeat_prompt', { prompt_to_repeat: ' Do IT ' }, '\ndo it then', true],
    ['startend:end_checker', { end_phrase: 'The End.' }, 'x. the end."', true],
    ['startend:quotation', {}, ' "a" ', true],
    ['startend:quotation', {}, '"', false],
    ['punctuation:no_comma', {}, 'a, b', false],
    ['change_case:english_lowercase', {}, 'this is the one that we want to see', true],
    ['change_case:english_capital', {}, 'THIS IS THE ONE THAT WE WANT TO SEE AND TO HAVE', true],
    ['change_case:english_capital', {}, 'This Is', false],
    ['change_case:capital_word_frequency', { capital_frequency: 2, capital_relation: 'at least' }, "NASA and I'm", true],
    ['language:response_language', { language: 'de' }, 'Das ist nicht der Weg, den ich gehe.', true],
    ['multi-turn:constrained_start', { starter: 'I think' }, 'no\n  I think so', true],
  ])('%s with %j on %j: %s', (id, kwargs, response, expected) => expect(follows(id, kwargs, response)).toBe(expected))

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['keywords:unknown', {}, /not known/],
    ['keywords:frequency', { keyword: 'a', frequency: 2 }, /relation must be/],
    ['length_constraints:number_words', { num_words: null, relation: 'at least' }, /num_words must be a number/],
    ['keywords:letter_frequency', { letter: 'ab', let_frequency: 1, let_relation: 'at least' }, /one character/],
  ])('%s with %j cannot be checked', (id, kwargs, message) => expect(() => ifevalInstructions.checker(id, kwargs)).toThrow(message))
})

describe('ifeval/strict and ifeval/loose', () => {
  const metadata = {
    prompt: 'p',
    instruction_id_list: ['punctuation:no_comma', 'keywords:existence', 'keywords:existence'],
    kwargs: [{}, { keywords: ['cat'] }, { keywords: ['dog'] }],
  }

  test('give a value for the prompt and one for each instruction', () => {
    expect(grade('ifeval/strict', {}, 'cat', [], { metadata })).toMatchObject({
      value: 0,
      class: 'wrong',
      values: { 'punctuation:no_comma': 1, 'keywords:existence': 1, 'keywords:existence#2': 0 },
      explanation: '1 of 3 instructions are not followed: keywords:existence.',
    })
    expect(grade('ifeval/strict', {}, 'cat dog', [], { metadata })).toMatchObject({ value: 1, class: 'correct' })
  })

  test('differ where a preamble spoils the response', () => {
    const output = 'Sure, here it is:\ncat dog'
    expect([grade('ifeval/strict', {}, output, [], { metadata }).value, grade('ifeval/loose', {}, output, [], { metadata }).value]).toEqual(
      [0, 1],
    )
  })

  test('follow nothing with an empty response, and are unscored without instructions', () => {
    expect(grade('ifeval/loose', {}, ' \n', [], { metadata }).value).toBe(0)
    expect(grade('ifeval/strict', {}, 'a', []).class).toBe('unscored')
    expect(grade('ifeval/strict', {}, 'a', [], { metadata: { instruction_id_list: ['x:y'], kwargs: [] } })).toMatchObject({
      class: 'unscored',
    })
  })

  test('try eight readings, each once', () => {
    expect(looseVariants('*a*\nb\nc')).toEqual(['*a*\nb\nc', 'b\nc', '*a*\nb', 'b', 'a\nb\nc', 'a\nb'])
  })
})

describe('counting and detecting', () => {
  test.each([
    ['One. Two! Three?', 3],
    ['Dr. Smith met Mr. Jones. They left.', 2],
    ['It costs 3.50 euros. Fine.', 2],
    ['Really?! Yes.', 3],
    ['He said "Stop." Then he left.', 2],
    ['The U.S. is large. It is.', 2],
    ['Wait... what', 1],
    ['1. first item', 1],
    ['', 0],
  ])('%j has %i sentences', (text, expected) => expect(countSentences(text)).toBe(expected))

  test.each([
    ["I'M", 2],
    ["I'm NASA-ESA (USA), ok", 3],
    ['CANNOT stop', 2],
    ['no 123', 0],
  ])('%j has %i words in capitals', (text, expected) => expect(countCapitalWords(text)).toBe(expected))

  test.each([
    ['The cat is on the table', 'en'],
    ['Le chat est sur la table avec les autres', 'fr'],
    ['El gato está en la mesa con los otros', 'es'],
    ['Кошка сидит на столе и не спит', 'ru'],
    ['猫はテーブルの上です', 'ja'],
    ['猫在桌子上', 'zh-cn'],
    ['यह एक बिल्ली है और वह मेज पर है', 'hi'],
    ['یہ ایک بلی ہے اور وہ میز پر ہے', 'ur'],
    ['고양이', 'ko'],
    ['YES', 'und'],
    ['123 !?', null],
  ])('%j is %s', (text, expected) => expect(detectLanguage(text)).toBe(expected))
})
