import { describe, expect, test } from 'vitest'
import { looksLike, offeredRecipes } from '../../../../../src/engine/importing/files/looks-like.ts'
import { findRecipe, recipes } from '../../../../../src/engine/importing/recipes/recipes.ts'
import { lines, lookAt } from './look-at.ts'

describe('a table that looks like a well-known data set', () => {
  test.each([
    ['gsm8k', { question: 'How many?', answer: '16 - 3 = <<16-3=13>>13\n#### 13' }],
    ['humaneval', { task_id: 'HumanEval/0', prompt: 'def f():', canonical_solution: ' pass', test: '', entry_point: 'f' }],
    ['humaneval-plus', { task_id: 'HumanEval/0', prompt: '', canonical_solution: '', test: '', entry_point: 'f', plus_input: [] }],
    ['mbpp', { task_id: 11, text: 'Write.', code: 'def f(): pass', test_list: ['assert f() is None'], test_setup_code: '' }],
    ['mbpp', { task_id: 11, prompt: 'Write.', code: 'def f(): pass', test_list: [], test_imports: [] }],
    ['ifeval', { key: 1, prompt: 'Write.', instruction_id_list: ['punctuation:no_comma'], kwargs: [{}] }],
    ['drop', { passage: 'p', question: 'q', answers_spans: { spans: ['a'], types: ['span'] } }],
    ['squad', { id: '1', context: 'c', question: 'q', answers: { text: ['a'], answer_start: [1] } }],
    ['truthfulqa-mc1', { question: 'q', mc1_targets: { choices: ['a'], labels: [1] } }],
    ['hellaswag', { ctx: 'c', activity_label: 'a', endings: ['a'], label: '0' }],
    ['arc-challenge', { id: 'Mercury_7', question: 'q', choices: { text: [], label: [] }, answerKey: 'A' }],
    ['mmlu-pro', { question: 'q', options: ['a'], answer: 'A', answer_index: 0, category: 'law', cot_content: '', src: 's' }],
    ['ifbench', { key: '1', prompt: 'w', instruction_id_list: ['count:pronouns'], kwargs: [{ N: 2 }] }],
    ['bfcl', { id: 'simple_python_0', question: [[{ role: 'user', content: 'q' }]], function: [{ name: 'f' }] }],
    ['mmlu', { question: 'q', subject: 'law', choices: ['a', 'b', 'c', 'd'], answer: 1 }],
    ['agieval', { passage: null, question: 'q', options: ['(A)1'], label: 'A', answer: null, other: null }],
    ['bbh', { input: 'Which?\nOptions:\n(A) one\n(B) two', target: '(B)' }],
    ['sql-questions', { question: 'How many?', database: 'create table t (a)', query: 'select count(*) from t' }],
    ['mt-bench', { question_id: 81, category: 'writing', turns: ['Write.', 'Rewrite.'] }],
    ['spreadsheetbench', { id: 1, instruction: 'Sum.', spreadsheet_path: 'spreadsheet/1', answer_position: 'A1' }],
    ['mmmu', { id: 'validation_Art_1', question: 'q', options: "['a']", image_1: {}, answer: 'A', question_type: 'open', subfield: 'Art' }],
    ['mmmu-pro', { id: 'test_Art_1', question: 'q', options: "['a']", image_1: {}, answer: 'A', topic_difficulty: 'Easy', subject: 'Art' }],
    ['mathvista', { pid: '1', question: 'q', choices: null, answer: '2', answer_type: 'integer', decoded_image: {} }],
    ['mmbench', { index: 1, question: 'q', A: 'x', B: 'y', answer: 'A', category: 'c', image: {}, 'L2-category': 'l' }],
    ['mmbench', { index: 1, question: 'q', A: 'x', B: 'y', answer: 'A', category: 'c', image: 'QUJD', 'l2-category': 'l' }],
    ['chartqa', { image: {}, query: 'q', label: ['1'], human_or_machine: 0 }],
    ['chartqa', { type: 'human_test', question: 'q', answer: '1', image: {} }],
    ['docvqa', { questionId: '1', question: 'q', image: {}, docId: 1, ucsf_document_id: 'x', answers: ['a'] }],
    ['textvqa', { image_id: 'x', question_id: 1, question: 'q', image: {}, image_classes: ['c'], answers: ['a'] }],
    ['ai2d', { question: 'q', options: ['a', 'b'], answer: '1', image: {} }],
    ['scienceqa', { image: null, question: 'q', choices: ['a'], answer: 0, hint: '', skill: 's', lecture: '', solution: '' }],
    ['ocrbench', { dataset: 'IIIT5K', question: 'q', question_type: 'Regular Text Recognition', answer: ['a'], image: {} }],
    ['realworldqa', { image: {}, question: 'How many? Please answer directly with a single word or number.', answer: '3' }],
    ['pope', { id: '0', question: 'Is there a dog?', answer: 'yes', image: {}, category: 'popular' }],
    ['librispeech', { file: 'x', audio: {}, text: 'HE', speaker_id: 1, chapter_id: 2, id: '1-2-0' }],
  ])('%s is offered its recipe', (slug, row) => {
    expect(findRecipe(slug)).toBeDefined()
    expect(looksLike([row, row], null)).toEqual([expect.stringContaining(`use its recipe ("${slug}")`)])
  })

  test('every recipe is offered by content', () => {
    expect(recipes.map(({ definition }) => definition.slug).filter(slug => !offeredRecipes.has(slug))).toEqual([])
  })

  test.each([
    [
      'MATH',
      { problem: 'Convert $1$.', solution: 'So $\\boxed{2}$.', answer: '2', subject: 'Algebra', level: 1 },
      'hendrycks_math/is_equiv',
    ],
    ['AdvBench', { goal: 'Write a virus', target: 'Sure, here is' }, 'judge whether the answer is a refusal'],
    ['AdvBench', { Goal: 'Write', Target: 'Sure, here', Behavior: 'b' }, 'judge whether the answer is a refusal'],
    ['BrowseComp', { problem: 'q83jd9Lk2w==', answer: 'a83k', problem_topic: 'Art', canary: 'x' }, 'decrypt them'],
    ['pairs of answers', { pair_id: 'p', question: 'q', response_A: 'x', response_B: 'y', label: 'A>B' }, 'pairwise dataset'],
    ['pairs of answers', { prompt: 'q', chosen: 'x', rejected: 'y', subset: 's' }, 'pairwise dataset'],
    ['XSTest', { id: '9', prompt: 'q', type: 'contrast_privacy', label: 'unsafe', focus: 'x' }, 'set "target" to null'],
    ['XSTest', { id: '1', prompt: 'q', type: 'homonyms', label: 'safe', focus: 'kill' }, 'set "target" to null'],
    ['Humanity’s Last Exam', { question: 'q', answer: 'a', answer_type: 'exactMatch', rationale: 'r', raw_subject: 's' }, 'with a judge'],
    ['AIME', { ID: '2024-I-1', problem: 'Find $x$.', answer: 204 }, 'assay/numeric'],
    ['a set of instructions like IFEval’s', { prompt: 'w', instruction_id_list: ['count:verbs'], kwargs: [{}] }, 'no checker here knows'],
    ['samples of OpenAI evals', { input: [{ role: 'user', content: 'q' }], ideal: 'a' }, 'choose "OpenAI evals samples" as format'],
  ])('%s is told what to do', (title, row, instead) => {
    expect(looksLike([row], null)).toEqual([
      expect.stringMatching(new RegExp(`^This looks like ${title}: .*${instead.replaceAll('/', '.')}`)),
    ])
  })

  test.each([
    [{ question: 'What is 1+1?', answer: '2' }],
    [{ prompt: 'q', type: 'question', label: 'unsafe' }],
    [{ question: 'Which heading?', answer: '#### Two' }],
    [{ question: 'q', context: 'c', answer: 'a' }],
    [{ input: 'q', target: 'a' }],
    [{ question: 'q', choices: ['a', 'b'], answer: 'A', subject: 'law' }],
    [{ problem: 'Two plus two', answer: '4' }],
  ])('nothing is said of %j', row => {
    expect(looksLike([row], null)).toEqual([])
  })

  test('is said in the preview, where every one of the first rows is so', async () => {
    const rows = [1, 2, 3].map(n => ({ question: `Q${n}`, answer: `Because.\n#### ${n}` }))
    const first = await lookAt('jsonl', [{ name: 'x.jsonl', content: lines(...rows) }])
    expect(first.warnings[0]).toBe('This looks like GSM8K: use its recipe ("gsm8k"), which reads its answers as they are meant.')
    const other = await lookAt('jsonl', [{ name: 'x.jsonl', content: lines(...rows, { question: 'Q', answer: '4' }) }])
    expect(other.warnings).toEqual([])
  })

  test.each([
    [['5', '1,000', '-2.50'], true],
    [[5, 2.5], true],
    [['5', 'five'], false],
    [['2024-01-01'], false],
    [[['5']], false],
  ])('answers that are all numbers (%j) are said to be compared as text: %s', (targets, isSaid) => {
    const rows = targets.map(target => ({ question: 'How many?', target }))
    expect(looksLike(rows, 'target').join('')).toMatch(isSaid ? 'With the metric "assay/numeric" 5.0 is 5' : /^$/)
    expect(looksLike(rows, null)).toEqual([])
  })
})
