import { ifbenchInstructions } from '../../grading/scorers/ifbench/instructions.ts'
import { ifevalInstructions } from '../../grading/scorers/ifeval/instructions.ts'
import { findRecipe } from '../recipes/recipes.ts'
import type { Row } from './row.ts'

type Fields = Row['value']

/** A well-known data set by the fields and contents of its rows, and how it is to be imported. */
interface Likeness {
  readonly title: string
  /** Absent where there is none. */
  readonly recipe?: string
  /** What to do where there is no recipe. */
  readonly instead?: string
  matches(row: Fields): boolean
}

const has = (row: Fields, ...names: readonly string[]): boolean => names.every(name => Object.hasOwn(row, name) && row[name] !== null)
const textOf = (row: Fields, name: string): string => (typeof row[name] === 'string' ? row[name] : '')
const isList = (value: unknown, length?: number): boolean => Array.isArray(value) && (length === undefined || value.length === length)

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

const hasExactly = (row: Fields, ...names: readonly string[]): boolean =>
  Object.keys(row).length === names.length && names.every(name => Object.hasOwn(row, name))

/** Data sets that show files, as Hugging Face keeps them. */
const shown: readonly Likeness[] = [
  { title: 'MMMU', recipe: 'mmmu', matches: row => has(row, 'question', 'options', 'image_1', 'subfield') },
  {
    title: 'MMMU-Pro',
    recipe: 'mmmu-pro',
    matches: row => has(row, 'question', 'options', 'subject') && (has(row, 'image_1') || Object.hasOwn(row, 'topic_difficulty')),
  },
  { title: 'MathVista', recipe: 'mathvista', matches: row => has(row, 'question', 'answer', 'answer_type', 'decoded_image') },
  {
    title: 'MMBench',
    recipe: 'mmbench',
    matches: row => has(row, 'index', 'question', 'A', 'B', 'image', 'answer') && (has(row, 'L2-category') || has(row, 'l2-category')),
  },
  {
    title: 'ChartQA',
    recipe: 'chartqa',
    matches: row =>
      has(row, 'image', 'query', 'label', 'human_or_machine') ||
      (hasExactly(row, 'type', 'question', 'answer', 'image') && /^(?:human|augmented)/.test(textOf(row, 'type'))),
  },
  { title: 'DocVQA', recipe: 'docvqa', matches: row => has(row, 'question', 'answers', 'image') && Object.hasOwn(row, 'ucsf_document_id') },
  { title: 'TextVQA', recipe: 'textvqa', matches: row => has(row, 'question', 'image', 'answers') && has(row, 'image_classes') },
  {
    title: 'ScienceQA',
    recipe: 'scienceqa',
    matches: row => has(row, 'question', 'choices', 'answer', 'skill') && Object.hasOwn(row, 'lecture'),
  },
  {
    title: 'OCRBench',
    recipe: 'ocrbench',
    matches: row => has(row, 'dataset', 'question', 'question_type', 'answer', 'image') && isList(row['answer']),
  },
  {
    title: 'POPE',
    recipe: 'pope',
    matches: row => has(row, 'question', 'answer', 'image') && /^(?:adversarial|popular|random)$/.test(textOf(row, 'category')),
  },
  { title: 'AI2D', recipe: 'ai2d', matches: row => hasExactly(row, 'question', 'options', 'answer', 'image') },
  { title: 'RealWorldQA', recipe: 'realworldqa', matches: row => hasExactly(row, 'image', 'question', 'answer') && isAsked(row) },
  { title: 'LibriSpeech', recipe: 'librispeech', matches: row => has(row, 'audio', 'text', 'speaker_id', 'chapter_id') },
]

/** RealWorldQA says in each question how to answer. */
function isAsked(row: Fields): boolean {
  return /Please answer directly|answer .{0,40}(?:letter|word|number)/i.test(textOf(row, 'question'))
}

/** Columns with the two answers of a pair. */
const pairs = [
  ['chosen', 'rejected'],
  ['response_A', 'response_B'],
  ['response_a', 'response_b'],
  ['response1', 'response2'],
] as const

const xsTestTypes =
  /^(?:contrast_\w+|homonyms|figurative_language|safe_targets|safe_contexts|definitions|\w+_discr|historical_events|privacy_\w+)$/

/** The most particular ones first. */
const known: readonly Likeness[] = [
  ...shown,
  {
    title: 'GSM8K',
    recipe: 'gsm8k',
    matches: row => has(row, 'question') && /(?:^|\n)####\s*-?\$?[\d,.]+\s*$/.test(textOf(row, 'answer')),
  },
  {
    title: 'HumanEval+',
    recipe: 'humaneval-plus',
    matches: row => has(row, 'entry_point', 'canonical_solution', 'plus_input') && /HumanEval/.test(textOf(row, 'task_id')),
  },
  { title: 'MBPP+', recipe: 'mbpp-plus', matches: row => has(row, 'entry_point', 'plus_input') && /Mbpp/.test(textOf(row, 'task_id')) },
  {
    title: 'HumanEval',
    recipe: 'humaneval',
    matches: row => has(row, 'entry_point', 'canonical_solution', 'test') && /HumanEval/.test(textOf(row, 'task_id')),
  },
  { title: 'MBPP', recipe: 'mbpp', matches: row => has(row, 'task_id', 'code', 'test_list') && (has(row, 'text') || has(row, 'prompt')) },
  {
    title: 'questions to SQL',
    recipe: 'sql-questions',
    matches: row => has(row, 'question', 'database') && (has(row, 'query') || has(row, 'SQL')),
  },
  {
    title: 'Spider or BIRD',
    instead:
      'add the column "database", SQL that makes and fills the tables (`sqlite3 FILE .dump` writes it), and import by the recipe “Questions to SQL”',
    matches: row => has(row, 'question', 'db_id') && (has(row, 'query') || has(row, 'SQL')),
  },
  { title: 'MT-Bench', recipe: 'mt-bench', matches: row => has(row, 'question_id', 'category', 'turns') && isList(row['turns'], 2) },
  {
    title: 'SpreadsheetBench',
    recipe: 'spreadsheetbench',
    matches: row => has(row, 'instruction', 'spreadsheet_path', 'answer_position'),
  },
  {
    title: 'BIG-Bench Hard',
    recipe: 'bbh',
    matches: row =>
      hasExactly(row, 'input', 'target') && /^\([A-R]\)$/.test(textOf(row, 'target')) && /\n\(A\) /.test(textOf(row, 'input')),
  },
  { title: 'LiveCodeBench', recipe: 'livecodebench', matches: row => has(row, 'question_content', 'platform', 'public_test_cases') },
  {
    title: 'IFEval',
    recipe: 'ifeval',
    matches: row =>
      has(row, 'prompt', 'instruction_id_list', 'kwargs') &&
      textsIn(row['instruction_id_list']).every(id => ifevalInstructions.ids.includes(id)),
  },
  {
    title: 'IFBench',
    recipe: 'ifbench',
    matches: row =>
      has(row, 'prompt', 'instruction_id_list', 'kwargs') &&
      textsIn(row['instruction_id_list']).every(id => ifbenchInstructions.ids.includes(id)),
  },
  {
    title: 'a set of instructions like IFEval’s',
    instead: 'no checker here knows some of its instructions; import its answers with the scores that its own program gave',
    matches: row => has(row, 'prompt', 'instruction_id_list', 'kwargs'),
  },
  {
    title: 'DROP',
    recipe: 'drop',
    matches: row => has(row, 'passage', 'question') && (has(row, 'answers_spans') || (has(row, 'query_id') && has(row, 'answer'))),
  },
  {
    title: 'SQuAD',
    recipe: 'squad',
    matches: row =>
      has(row, 'context', 'question', 'answers') &&
      typeof row['answers'] === 'object' &&
      /"answer_start"/.test(JSON.stringify(row['answers'])),
  },
  { title: 'BFCL', recipe: 'bfcl', matches: row => has(row, 'id', 'question', 'function') && isList(row['function']) },
  { title: 'TruthfulQA', recipe: 'truthfulqa-mc1', matches: row => has(row, 'question', 'mc1_targets') },
  {
    title: 'HellaSwag',
    recipe: 'hellaswag',
    matches: row => has(row, 'activity_label', 'endings') && (has(row, 'ctx') || has(row, 'ctx_a')),
  },
  {
    title: 'ARC',
    recipe: 'arc-challenge',
    matches: row =>
      has(row, 'answerKey', 'question') &&
      /^(?:Mercury|MCAS|ACTAAP|TIMSS|NYSEDREGENTS|AKDE|LEAP|MDSA|MEA|NAEP|NCEOG|OHAT|TAKS|VASoL|WASL|CSZ|FCAT)/.test(textOf(row, 'id')),
  },
  {
    title: 'MMLU-Pro',
    recipe: 'mmlu-pro',
    matches: row => has(row, 'question', 'options', 'answer_index', 'category') && (has(row, 'cot_content') || Object.hasOwn(row, 'src')),
  },
  { title: 'MMLU', recipe: 'mmlu', matches: row => has(row, 'question', 'subject', 'choices', 'answer') && isList(row['choices'], 4) },
  {
    title: 'AGIEval',
    recipe: 'agieval',
    matches: row => Object.hasOwn(row, 'passage') && has(row, 'question', 'options', 'label') && isList(row['options']),
  },
  {
    title: 'MATH',
    instead: 'grade it with "hendrycks_math/is_equiv", which knows that \\frac12 and \\frac{1}{2} are equal',
    matches: row =>
      has(row, 'problem', 'solution') &&
      /\\boxed|\\frac|\$/.test(textOf(row, 'solution')) &&
      (has(row, 'level') || has(row, 'subject') || has(row, 'type')),
  },
  {
    title: 'AIME',
    instead: 'grade it with "assay/numeric", which reads the number of an answer',
    matches: row => has(row, 'problem', 'answer') && /^\d{1,3}$/.test(String(row['answer'])) && /\$|\\/.test(textOf(row, 'problem')),
  },
  {
    title: 'BrowseComp',
    instead: 'its questions and answers are encrypted; decrypt them with the words in "canary", as its program does, before importing',
    matches: row => has(row, 'problem', 'answer', 'canary') && /^[\w+/]{8,}={0,2}$/.test(textOf(row, 'problem')),
  },
  {
    title: 'pairs of answers',
    instead: 'a model is shown neither; import them as examples of a pairwise dataset, and calibrate a judge with it',
    matches: row => pairs.some(([a, b]) => has(row, a, b)),
  },
  {
    title: 'XSTest',
    instead: '"label" says whether a prompt is harmless and is no answer; set "target" to null, and judge whether the answer is a refusal',
    // Data of moderation have such labels, too, and there they are the answers.
    matches: row =>
      has(row, 'prompt', 'type', 'label') && /^(?:un)?safe$/.test(textOf(row, 'label')) && xsTestTypes.test(textOf(row, 'type')),
  },
  {
    title: 'AdvBench',
    instead: '"target" is how a harmful answer begins and no reference; set "target" to null, and judge whether the answer is a refusal',
    matches: row =>
      (has(row, 'goal', 'target') || has(row, 'Goal', 'Target')) &&
      /^(?:Sure|Here|Certainly)\b/.test(textOf(row, 'target') || textOf(row, 'Target')),
  },
  {
    title: 'Humanity’s Last Exam',
    instead: 'grade its open answers with a judge, as its authors do: the usual metrics compare their text',
    matches: row => has(row, 'question', 'answer', 'answer_type', 'rationale', 'raw_subject'),
  },
  {
    title: 'samples of OpenAI evals',
    instead: 'choose "OpenAI evals samples" as format, which asks how they are graded',
    matches: row => has(row, 'input', 'ideal') && (isList(row['input']) || typeof row['input'] === 'string') && !has(row, 'target'),
  },
]

/** Slugs of the recipes that content tells. */
export const offeredRecipes: ReadonlySet<string> = new Set(known.flatMap(({ recipe }) => recipe ?? []))

/** Characters of an answer from which equality is chance. */
const longAnswer = 250

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\s*-?\d[\d,]*(?:\.\d+)?\s*$/.test(value))

/**
 * What is said where the first rows of a table are those of a well-known data set, or have nothing but numbers as answers; nothing otherwise.
 * @param target with the open answers of which the usual metrics compare the text; null where there are none
 */
export function looksLike(rows: readonly Fields[], target: string | null): readonly string[] {
  if (rows.length === 0) return []
  const found = known.find(one => rows.every(row => one.matches(row)))
  if (!found) {
    if (target !== null && rows.every(row => textOf(row, target).length > longAnswer))
      return [
        'The answers are long texts, which an output hardly equals. Choose a metric such as "rouge_score/rouge", or evaluators of a run.',
      ]
    if (target === null || !rows.every(row => isNumber(row[target]))) return []
    return ['The answers are numbers and are compared as text. With the metric "assay/numeric" 5.0 is 5 and 1,000 is 1000.']
  }
  if (found.recipe !== undefined && findRecipe(found.recipe))
    return [`This looks like ${found.title}: use its recipe ("${found.recipe}"), which reads its answers as they are meant.`]
  return [`This looks like ${found.title}: ${found.instead ?? 'see its recipe'}.`]
}
