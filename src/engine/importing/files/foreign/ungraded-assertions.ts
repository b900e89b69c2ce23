import { needsJudge } from './judged-assertions.ts'

/** Types of promptfoo's assertions that are not graded here, by what to do instead. */
const instead: Readonly<Record<string, string>> = {
  'context-recall context-relevance conversation-relevance agent-rubric search-rubric pi trajectory:goal-success':
    'grade it with an evaluator that asks a judge the same',
  'is-refusal': 'grade it with an evaluator of the preset "Refusal"',
  'moderation classifier guardrails': 'grade it with an evaluator of the preset "Harmless", or with one of your own',
  'is-xml contains-xml is-html contains-html is-sql contains-sql meteor rouge-n': 'write the check as a "python" or "javascript" assertion',
  ruby: 'write the check as a "python" or "javascript" assertion',
  webhook: 'grade it with an evaluator that asks a server of yours',
  'is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call skill-used trajectory:tool-used trajectory:tool-args-match trajectory:tool-sequence trajectory:step-count':
    'import the configuration as an environment, whose tools are called',
  'trace-span-count trace-span-duration trace-error-spans': 'send the traces of the application, and filter or monitor those',
  'select-best max-score': 'run the models, and compare the runs',
  human: 'rate the answers of the run',
  'perplexity perplexity-score': 'run the profile of a benchmark that measures likelihoods',
  'finish-reason': 'filter the samples of the run by it',
}

const byType: ReadonlyMap<string, string> = new Map(
  Object.entries(instead).flatMap(([types, what]) => types.split(' ').map(type => [type, what] as const)),
)

/** Types that promptfoo knows and that are not graded here. */
export const ungradedTypes: readonly string[] = [...byType.keys()]

/** Why an assertion of a type is not imported, and what to do instead. */
export function ungraded(type: string): string {
  const base = type.replace(/^not-/, '')
  const what = byType.get(base)
  if (what !== undefined) return `it is not graded here. Leave it out, and ${what}`
  if (base !== type && (needsJudge(base) || base === 'python'))
    return `the opposite of "${base}" is not graded here. ${base === 'python' ? 'Invert the result in the script' : 'Leave it out, and grade it with an evaluator of your own'}`
  if (base.startsWith('promptfoo:redteam:'))
    return 'it is not graded here. Leave it out, and grade the answers with an evaluator of the preset "Harmless"'
  return 'promptfoo has no assertion of that name. Correct the name, or leave it out'
}
