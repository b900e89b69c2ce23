import { binaryMetric } from '../../../../tasks/metric.ts'
import { textField } from '../../../files/row-fields.ts'
import type { Recipe } from '../../recipe.ts'
import { answersIn, firstOf, mediaRecipe, optionalText } from './media-recipe.ts'

const briefly = 'Answer with one word, number or short phrase and nothing else.'
const ownPrompt = 'The wording of the prompt is Assay’s: published figures were obtained with others.'

export const chartqa: Recipe = mediaRecipe({
  slug: 'chartqa',
  provider: 'vis-nlp',
  name: 'chartqa',
  title: 'ChartQA',
  summary: 'Questions about charts, answered with a number or a few words.',
  description: 'Charts from statistics pages with questions written by people or made from summaries; numbers may be off by 5 %.',
  howMade: 'Charts from four web sources; questions by annotators and by a model from summaries (Masry et al., 2022).',
  knownLimits: ['Public since 2022.', 'A number that stands as text, such as a year, may be off by 5 %, too.', ownPrompt],
  license: { name: 'GPL-3.0', url: 'https://www.gnu.org/licenses/gpl-3.0.html' },
  citation: 'Masry et al. (2022), ChartQA: A Benchmark for Question Answering about Charts, arXiv:2203.10244',
  repository: 'lmms-lab/ChartQA',
  columns: '"question", "answer", "image" and "type"',
  capabilities: ['charts', 'images'],
  hint: briefly,
  metrics: [binaryMetric('relaxed', 'Relaxed accuracy', 'lmms_eval/relaxed_accuracy', { primary: true })],
  breakdowns: ['type'],
  media: ['image'],
  read: row => {
    const type = optionalText(row, firstOf(row, 'type', 'human_or_machine'))
    return {
      id: null,
      text: textField(row, firstOf(row, 'question', 'query')),
      targets: answersIn(row, firstOf(row, 'answer', 'label')),
      ...(type === null ? {} : { metadata: { type } }),
    }
  },
})

export const docvqa: Recipe = mediaRecipe({
  slug: 'docvqa',
  provider: 'docvqa',
  name: 'docvqa',
  title: 'DocVQA',
  summary: 'Questions about pages of scanned documents.',
  description: 'Pages of letters, forms, tables and reports with questions whose answers are on the page; scored by ANLS.',
  howMade: 'Pages from an archive of industry documents, questions and answers by annotators (Mathew et al., 2021).',
  knownLimits: ['Public since 2020.', 'The answers of the test split are not published: bring the validation split.', ownPrompt],
  license: { name: 'Apache 2.0 (data card)', url: 'https://huggingface.co/datasets/lmms-lab/DocVQA' },
  citation: 'Mathew et al. (2021), DocVQA: A Dataset for VQA on Document Images, arXiv:2007.00398',
  repository: 'lmms-lab/DocVQA',
  columns: '"questionId", "question", "image" and "answers"',
  capabilities: ['documents', 'images'],
  hint: briefly,
  metrics: [{ id: 'anls', title: 'ANLS', scorer: 'lmms_eval/anls', scorer_version: 1, options: {}, binary: false, primary: true }],
  media: ['image'],
  read: row => ({
    id: optionalText(row, 'questionId'),
    text: textField(row, 'question'),
    targets: answersIn(row, 'answers'),
  }),
})

export const textvqa: Recipe = mediaRecipe({
  slug: 'textvqa',
  provider: 'facebook',
  name: 'textvqa',
  title: 'TextVQA',
  summary: 'Questions about text within photographs.',
  description: 'Photographs with questions that need the text in them; each has the answers of ten annotators.',
  howMade: 'Pictures from Open Images, questions and ten answers each by annotators (Singh et al., 2019).',
  knownLimits: ['Public since 2019.', 'The answers of the test split are not published: bring the validation split.', ownPrompt],
  license: { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  citation: 'Singh et al. (2019), Towards VQA Models That Can Read, arXiv:1904.08920',
  repository: 'lmms-lab/textvqa',
  columns: '"question_id", "question", "image" and ten "answers"',
  capabilities: ['reading', 'images'],
  hint: briefly,
  metrics: [{ id: 'vqa', title: 'VQA accuracy', scorer: 'vqa/accuracy', scorer_version: 1, options: {}, binary: false, primary: true }],
  media: ['image'],
  read: row => ({
    id: optionalText(row, 'question_id'),
    text: textField(row, 'question'),
    targets: answersIn(row, 'answers'),
  }),
})

export const ocrbench: Recipe = mediaRecipe({
  slug: 'ocrbench',
  provider: 'yuliang-liu',
  name: 'ocrbench',
  title: 'OCRBench',
  summary: 'Reading of text, formulas, forms and documents in pictures.',
  description: '1,000 questions from public data sets on recognizing text, finding facts in documents and reading formulas.',
  howMade: 'Chosen and corrected by hand from public data sets (Liu et al., 2023).',
  knownLimits: [
    'A number within a longer one counts as found, as in the original.',
    'Its pictures are from data sets that are public themselves.',
  ],
  license: { name: 'Not stated', url: null },
  citation: 'Liu et al. (2023), OCRBench: On the Hidden Mystery of OCR in Large Multimodal Models, arXiv:2305.07895',
  repository: 'echo840/OCRBench',
  columns: '"dataset", "question", "question_type", "answer" and "image"',
  capabilities: ['reading', 'images'],
  hint: '',
  metrics: [{ ...binaryMetric('contains', 'Contains the answer', 'ocrbench/contains', { primary: true }), scorer_version: 2 }],
  breakdowns: ['question_type', 'dataset'],
  media: ['image'],
  read: row => ({
    id: null,
    text: textField(row, 'question'),
    targets: answersIn(row, 'answer'),
    metadata: { question_type: textField(row, 'question_type'), dataset: textField(row, 'dataset') },
  }),
})

export const realworldqa: Recipe = mediaRecipe({
  slug: 'realworldqa',
  provider: 'xai-org',
  name: 'realworldqa',
  title: 'RealWorldQA',
  summary: 'Questions about places and distances in photographs, many taken from cars.',
  description: '765 photographs, each with a question whose answer is a letter, a number or a word.',
  howMade: 'Photographs taken from vehicles and elsewhere, questions and answers by xAI (2024).',
  knownLimits: ['Public since 2024.', 'Answers are compared as text without case and punctuation.'],
  license: { name: 'CC BY-ND 4.0', url: 'https://creativecommons.org/licenses/by-nd/4.0/' },
  citation: null,
  repository: 'xai-org/RealworldQA',
  columns: '"question", "answer" and "image"',
  capabilities: ['spatial reasoning', 'images'],
  hint: '',
  metrics: [
    binaryMetric('exact_match', 'Exact match', 'assay/exact_match', {
      primary: true,
      options: { ignore_case: true, ignore_punctuation: true },
    }),
  ],
  media: ['image'],
  read: row => ({ id: null, text: textField(row, 'question'), targets: answersIn(row, 'answer') }),
})

export const pope: Recipe = mediaRecipe({
  slug: 'pope',
  provider: 'aibox-ruc',
  name: 'pope',
  title: 'POPE',
  summary: 'Whether an object is in a photograph; half of the objects are not.',
  description:
    'Yes-or-no questions about objects in photographs, with absent objects that are random, common or likely beside what is there.',
  howMade: 'Questions from the annotations of COCO photographs (Li et al., 2023).',
  knownLimits: ['The annotations of COCO miss some objects.', 'Accuracy is the headline; a model that always says yes has 50 %.'],
  license: { name: 'MIT (repository)', url: 'https://opensource.org/license/mit' },
  citation: 'Li et al. (2023), Evaluating Object Hallucination in Large Vision-Language Models, arXiv:2305.10355',
  repository: 'lmms-lab/POPE',
  columns: '"id", "question", "answer", "category" and "image"',
  capabilities: ['objects', 'images'],
  hint: 'Answer yes or no.',
  metrics: [binaryMetric('accuracy', 'Accuracy', 'pope/yes_no', { primary: true })],
  chanceLevel: 0.5,
  breakdowns: ['category'],
  media: ['image'],
  read: row => ({
    // Their own numbers start again in each category.
    id: null,
    text: textField(row, 'question'),
    targets: answersIn(row, 'answer'),
    metadata: { category: textField(row, 'category') },
  }),
})

export const librispeech: Recipe = mediaRecipe({
  slug: 'librispeech',
  provider: 'openslr',
  name: 'librispeech',
  title: 'LibriSpeech',
  summary: 'Transcription of read English, by word error rate.',
  description: 'Passages of audio books with their text, in capitals and without punctuation.',
  howMade: 'Recordings of LibriVox aligned with the texts of their books (Panayotov et al., 2015).',
  knownLimits: [
    'Answers are compared in capitals, and nothing else is normalized: a number in digits or a title as "Mr." counts as wrong, so that published figures with Whisper’s normalization are lower.',
    'Public since 2015.',
  ],
  license: { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  citation: 'Panayotov et al. (2015), Librispeech: an ASR corpus based on public domain audio books, ICASSP',
  repository: 'openslr/librispeech_asr',
  columns: '"id", "audio" and "text"',
  capabilities: ['transcription', 'audio'],
  hint: '',
  metrics: [
    {
      id: 'wer',
      title: '1 − word error rate',
      scorer: 'evaluate/wer',
      scorer_version: 1,
      options: { filters: [{ function: 'uppercase' }] },
      binary: false,
      primary: true,
      aggregation: 'error_rate',
    },
  ],
  media: ['audio'],
  read: row => ({
    id: optionalText(row, 'id'),
    text: 'Write down what is said. Use only words, without punctuation, and add nothing.',
    targets: [textField(row, 'text')],
  }),
})
