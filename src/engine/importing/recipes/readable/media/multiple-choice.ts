import type { Metric } from '../../../../../contract/catalog/benchmarks.schemas.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { RowError } from '../../../files/row.ts'
import { textField } from '../../../files/row-fields.ts'
import type { Recipe } from '../../recipe.ts'
import { answersIn, letterAt, listOf, mediaRecipe, optionalText } from './media-recipe.ts'

const letterHint = 'Answer with the letter of the right choice.'
const choiceMetric: readonly Metric[] = [binaryMetric('choice', 'Right choice', 'assay/choice', { primary: true })]
const ownPrompt = 'The wording of the prompt is Assay’s: published figures were obtained with others.'
const numbered = Array.from({ length: 7 }, (_, i) => `image_${i + 1}`)

export const mmmu: Recipe = mediaRecipe({
  slug: 'mmmu',
  provider: 'mmmu',
  name: 'mmmu',
  title: 'MMMU',
  summary: 'College questions of 30 subjects that need the picture.',
  description: 'Questions from exams and textbooks with diagrams, tables, notes and photographs; most have choices, some an open answer.',
  howMade: 'Collected by students from college exams, quizzes and textbooks (Yue et al., 2023).',
  knownLimits: [
    'The answers of the test split are not published: bring the validation split, one subject or all in one table.',
    'An answer that names no choice is wrong; the original draws one at random.',
    ownPrompt,
  ],
  license: { name: 'Apache 2.0 (repository)', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  citation: 'Yue et al. (2023), MMMU: A Massive Multi-discipline Multimodal Understanding and Reasoning Benchmark, arXiv:2311.16502',
  repository: 'MMMU/MMMU',
  columns: '"id", "question", "options", "answer", "question_type" and "image_1" to "image_7"',
  capabilities: ['knowledge', 'images'],
  hint: 'Answer with the letter of the right choice, or with a short answer where there are no choices.',
  metrics: [binaryMetric('accuracy', 'Accuracy', 'mmmu/answer', { primary: true })],
  breakdowns: ['subfield', 'question_type'],
  media: numbered,
  read: row => {
    const isOpen = row.value['question_type'] === 'open'
    const subfield = optionalText(row, 'subfield')
    return {
      id: optionalText(row, 'id'),
      text: textField(row, 'question'),
      ...(isOpen ? {} : { choices: listOf(row, 'options') }),
      targets: answersIn(row, 'answer'),
      metadata: { question_type: isOpen ? 'open' : 'multiple-choice', ...(subfield === null ? {} : { subfield }) },
    }
  },
})

export const mmmuPro: Recipe = mediaRecipe({
  slug: 'mmmu-pro',
  provider: 'mmmu',
  name: 'mmmu-pro',
  title: 'MMMU-Pro',
  summary: 'MMMU without what text alone answers, with ten choices.',
  description: 'The questions of MMMU that models without the picture miss, with ten choices or four.',
  howMade: 'Filtered from MMMU, with more choices written by a model and checked by people (Yue et al., 2024).',
  knownLimits: ['Bring one of the standard sets; the set whose question is inside the picture has other columns.', ownPrompt],
  license: { name: 'Apache 2.0 (repository)', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  citation: 'Yue et al. (2024), MMMU-Pro: A More Robust Multi-discipline Multimodal Understanding Benchmark, arXiv:2409.02813',
  repository: 'MMMU/MMMU_Pro',
  columns: '"id", "question", "options", "answer", "subject" and "image_1" to "image_7"',
  capabilities: ['knowledge', 'images'],
  hint: letterHint,
  metrics: [binaryMetric('accuracy', 'Accuracy', 'mmmu/answer', { primary: true })],
  breakdowns: ['subject'],
  media: numbered,
  read: row => ({
    id: optionalText(row, 'id'),
    text: textField(row, 'question'),
    choices: listOf(row, 'options'),
    targets: answersIn(row, 'answer'),
    metadata: { subject: textField(row, 'subject') },
  }),
})

export const ai2d: Recipe = mediaRecipe({
  slug: 'ai2d',
  provider: 'allenai',
  name: 'ai2d',
  title: 'AI2D',
  summary: 'Questions about diagrams from school science.',
  description: 'Diagrams of food webs, cycles, bodies and machines with multiple-choice questions.',
  howMade: 'Diagrams from school books with questions by annotators (Kembhavi et al., 2016).',
  knownLimits: ['Public since 2016.', ownPrompt],
  license: { name: 'Not stated', url: null },
  citation: 'Kembhavi et al. (2016), A Diagram Is Worth A Dozen Images, arXiv:1603.07396',
  repository: 'lmms-lab/ai2d',
  columns: '"question", "options", "answer" (the place of the right one) and "image"',
  capabilities: ['diagrams', 'images'],
  hint: letterHint,
  metrics: choiceMetric,
  chanceLevel: 0.25,
  media: ['image'],
  read: row => {
    const choices = listOf(row, 'options')
    return { id: null, text: textField(row, 'question'), choices, targets: [letterAt(row, 'answer', choices)] }
  },
})

export const scienceqa: Recipe = mediaRecipe({
  slug: 'scienceqa',
  provider: 'lupantech',
  name: 'scienceqa',
  title: 'ScienceQA',
  summary: 'School questions, about half of them with a picture.',
  description: 'Multiple-choice questions of natural, social and language science from school, some with a picture and a hint.',
  howMade: 'Collected from a school platform (Lu et al., 2022).',
  knownLimits: ['Many questions have no picture: the set with pictures alone is apart.', 'Public since 2022.', ownPrompt],
  license: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
  citation: 'Lu et al. (2022), Learn to Explain: Multimodal Reasoning via Thought Chains for Science Question Answering, arXiv:2209.09513',
  repository: 'lmms-lab/ScienceQA',
  columns: '"question", "choices", "answer" (the place of the right one), "hint", "subject" and "image"',
  capabilities: ['science', 'images'],
  hint: letterHint,
  metrics: choiceMetric,
  breakdowns: ['subject'],
  media: ['image'],
  read: row => {
    const choices = listOf(row, 'choices')
    const [hint, subject] = [optionalText(row, 'hint'), optionalText(row, 'subject')]
    return {
      id: null,
      text: [...(hint === null ? [] : [hint]), textField(row, 'question')].join('\n\n'),
      choices,
      targets: [letterAt(row, 'answer', choices)],
      ...(subject === null ? {} : { metadata: { subject } }),
    }
  },
})

/** Rotations of one question are a million apart. */
const rotations = 1_000_000

export const mmbench: Recipe = mediaRecipe({
  slug: 'mmbench',
  provider: 'opencompass',
  name: 'mmbench',
  title: 'MMBench',
  summary: 'Questions of 20 kinds about pictures, each asked with its choices in every rotation.',
  description:
    'Questions about perception and reasoning with two to four choices. The table holds every question as often as it has choices, each time rotated by one, and a question counts only where all its rotations are answered right.',
  howMade: 'Collected from the web and existing sets by annotators, ordered in 20 abilities (Liu et al., 2023).',
  knownLimits: [
    'The answers of the test split are not published: bring the development split with its rotations ("index" above a million).',
    'An answer that names no choice is wrong; the original asks a model which choice it means.',
    ownPrompt,
  ],
  license: { name: 'Apache 2.0 (repository)', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  citation: 'Liu et al. (2023), MMBench: Is Your Multi-modal Model an All-around Player?, arXiv:2307.06281',
  repository: 'lmms-lab/MMBench',
  columns: '"index", "question", "hint", "A" to "D", "answer", "category" and "image"',
  capabilities: ['perception', 'images'],
  hint: letterHint,
  metrics: [
    { ...binaryMetric('circular', 'All rotations right', 'assay/choice', { primary: true }), aggregation: 'all_of_group' },
    binaryMetric('choice', 'Right choice', 'assay/choice'),
  ],
  breakdowns: ['category', 'cluster'],
  media: ['image'],
  key: 'index',
  read: row => {
    const index = Number(optionalText(row, 'index') ?? Number.NaN)
    if (!Number.isSafeInteger(index) || index < 0) throw new RowError('The field "index" must be a whole number.')
    const choices = ['A', 'B', 'C', 'D', 'E'].flatMap(letter => optionalText(row, letter) ?? [])
    const [hint, category] = [optionalText(row, 'hint'), optionalText(row, 'category')]
    const answer = textField(row, 'answer')
    if (answer.length !== 1 || answer.charCodeAt(0) - 65 >= choices.length)
      throw new RowError(`The field "answer" must be the letter of one of the ${choices.length} choices: ${answer.slice(0, 20)}.`)
    return {
      id: String(index),
      text: [...(hint === null ? [] : [hint]), textField(row, 'question')].join('\n\n'),
      choices,
      targets: [answer],
      metadata: { cluster: String(index % rotations), ...(category === null ? {} : { category }) },
    }
  },
})

const wanted: Readonly<Record<string, string>> = {
  integer: 'Answer with a whole number.',
  float: 'Answer with a number of as many decimals as asked for.',
  list: 'Answer with a list such as [1, 2, 3].',
  text: 'Answer with the text of the right choice or its letter.',
}

export const mathvista: Recipe = mediaRecipe({
  slug: 'mathvista',
  provider: 'ai4math',
  name: 'mathvista',
  title: 'MathVista',
  summary: 'Mathematics in charts, diagrams, puzzles and photographs.',
  description: 'Questions from 28 sets and three new ones that need a picture and a calculation, with choices or an open number.',
  howMade: 'Collected from 31 sets, annotated again by people (Lu et al., 2023).',
  knownLimits: [
    'The answers of the test split are not published: bring "testmini".',
    'Where the original has a model extract the answer from an output, Assay reads it itself.',
    ownPrompt,
  ],
  license: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
  citation: 'Lu et al. (2023), MathVista: Evaluating Mathematical Reasoning of Foundation Models in Visual Contexts, arXiv:2310.02255',
  repository: 'AI4Math/MathVista',
  columns: '"pid", "question", "choices", "unit", "precision", "answer", "answer_type" and "decoded_image"',
  capabilities: ['mathematics', 'images'],
  hint: '',
  metrics: [binaryMetric('accuracy', 'Accuracy', 'mathvista/answer', { primary: true })],
  breakdowns: ['question_type', 'answer_type'],
  media: ['decoded_image'],
  read: row => {
    const [type, unit, precision] = [textField(row, 'answer_type'), optionalText(row, 'unit'), optionalText(row, 'precision')]
    const hasChoices = row.value['choices'] !== null && row.value['choices'] !== undefined
    const places = type === 'float' && precision !== null ? ` Give ${precision.replace(/\.0$/, '')} decimals.` : ''
    return {
      id: optionalText(row, 'pid'),
      text: `${textField(row, 'question')}${unit === null ? '' : ` (unit: ${unit})`}\n\n${wanted[hasChoices ? 'text' : type] ?? ''}${places}`,
      ...(hasChoices ? { choices: listOf(row, 'choices') } : {}),
      targets: answersIn(row, 'answer'),
      metadata: {
        answer_type: type,
        question_type: optionalText(row, 'question_type') ?? '',
        ...(precision === null ? {} : { precision: precision.replace(/\.0$/, '') }),
      },
    }
  },
})
