import type { BenchmarkContent, BundledBenchmark, ProfileDefinition } from '../../../../tasks/definition.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { drawFrom } from '../../../../tasks/draw.ts'
import { drawPassage } from './passage.ts'

const seed = 20261101
const version = `1.0.0-seed${seed}`
const passages = 30

const profile: ProfileDefinition = {
  key: 'zero-shot',
  title: 'Zero-shot',
  summary: 'The passage, then the question; the answer is a few words of the passage.',
  split: 'test',
  systemPrompt: null,
  promptTemplate: '{passage}\n\nAnswer with a few words of the text above and nothing else.\nQuestion: {question}\nAnswer:',
  shotTemplate: null,
  shots: 0,
  generation: { temperature: 0, max_output_tokens: 48, stop: ['\n'] },
  metrics: [
    { id: 'f1', title: 'Shared words (F1)', scorer: 'inspect_ai/f1', scorer_version: 1, options: {}, binary: false, primary: true },
    binaryMetric('exact_match', 'Exact match', 'assay/exact_match', { options: { ignore_case: true } }),
  ],
  requires: ['chat'],
  chanceLevel: null,
  breakdowns: ['asks'],
}

export const readingComprehension: BundledBenchmark = {
  version,
  generate: () => generate(),
  definition: {
    slug: 'reading-comprehension',
    provider: 'assay',
    name: 'reading-comprehension',
    title: 'Reading comprehension',
    summary: 'A paragraph about an invented building and a question whose answer stands in it.',
    description:
      'Whether a model finds a fact in a short text and says just that. The facts are invented, so knowing the world does not help. F1 gives credit for ' +
      'the right words among others; exact match only for the very words. The distance between the two shows how well the model keeps to the form.',
    howMade:
      'By a generator in this repository: paragraphs of five sentences with names, years, places and numbers drawn from a seed, and eight questions to ' +
      'each. Within a paragraph two people, two years, two streets and two cities compete, so the first that fits is often the wrong one. The seed is ' +
      'part of the version.',
    knownLimits: [
      'One kind of paragraph: every answer stands in the text word for word, and nothing has to be inferred over sentences.',
      'Questions of one paragraph share its text, so their results are not independent.',
      'Strong models solve nearly all of it: use it to check a set-up or to compare small models.',
    ],
    runner: 'lm-eval',
    capabilities: ['reading comprehension'],
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    citation: null,
    homepage: null,
    profiles: [profile],
  },
}

function generate(): BenchmarkContent {
  const draw = drawFrom(seed)
  const seen = new Set<string>()
  const drawn = Array.from({ length: passages }, () => {
    for (;;) {
      const passage = drawPassage(draw)
      const question = passage.questions[0]?.question ?? ''
      if (!seen.has(question) && seen.add(question)) return passage
    }
  })
  const tasks = drawn.flatMap(({ text, questions }, p) =>
    questions.map(({ asks, question, answer }, q) => ({
      id: `read-${String(p + 1).padStart(2, '0')}-${q + 1}`,
      split: 'test' as const,
      fields: { passage: text, question },
      targets: [answer],
      choices: null,
      metadata: { asks, passage: p + 1, reference_output: answer, wrong_output: 'unknown' },
      capabilities: ['reading comprehension'],
      dependsOn: [],
    })),
  )
  return { version, tasks, shots: [] }
}
