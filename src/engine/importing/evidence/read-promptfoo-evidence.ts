import { z } from 'zod'
import { chooseMetric, EvidenceError, type EvidenceFile, type EvidenceMapping, taskName, textsOf } from './evidence-file.ts'
import { evidenceJson, evidenceText, parseEvidence } from './evidence-text.ts'

const Result = z.looseObject({
  testIdx: z.int().min(0),
  promptIdx: z.int().min(0).default(0),
  provider: z.preprocess(
    provider => (typeof provider === 'string' ? { id: provider } : provider),
    z.looseObject({ id: z.string(), label: z.string().nullish() }),
  ),
  prompt: z.looseObject({ raw: z.string().nullish(), label: z.string().nullish() }).nullish(),
  vars: z.record(z.string(), z.unknown()).nullish(),
  testCase: z.looseObject({ description: z.string().nullish(), vars: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  success: z.boolean(),
  score: z.number().nullish(),
  failureReason: z.int().nullish(),
  error: z.unknown().optional(),
  // A provider that failed answers an error and no output.
  response: z.looseObject({ output: z.unknown().optional() }).nullish(),
  namedScores: z.record(z.string(), z.number().nullable()).nullish(),
})
type Result = z.infer<typeof Result>
const Export = z.looseObject({ results: z.looseObject({ results: z.array(z.unknown()) }) })

/** An export of promptfoo: each test is a task, each provider a label. Answers that ended in an error are unscored. @throws EvidenceError */
export function readPromptfooEvidence(bytes: Buffer, { taskField, valueField }: EvidenceMapping): EvidenceFile {
  const outer = parseEvidence(Export, evidenceJson(evidenceText(bytes)), 'an export of promptfoo of version 3')
  const results = outer.results.results.map((result, i) => parseEvidence(Result, result, `a result of promptfoo (results.results[${i}])`))
  if (results.length === 0) throw new EvidenceError('The export has no results.')
  const named = [...new Set(results.flatMap(({ namedScores }) => Object.keys(namedScores ?? {})))]
  const metric = chooseMetric(['success', 'score', ...named], valueField, 'value')
  const prompts = [...new Set([...results].sort((a, b) => a.promptIdx - b.promptIdx).map(promptOf))]
  const rows = results.map((result, i) => ({
    line: null,
    task: taskOf(result, taskField, i),
    isPlace: taskField === undefined,
    texts: questionOf(result),
    label: prompts.length === 1 ? providerOf(result) : `${providerOf(result)} [prompt ${prompts.indexOf(promptOf(result)) + 1}]`,
    metric,
    value: isError(result) ? null : valueOf(result, metric),
  }))
  const errors = results.filter(isError).length
  return {
    rows,
    figures: [],
    blocked: null,
    cautions: [
      ...(errors > 0 ? [`${errors} of ${results.length} results ended in an error and are unscored.`] : []),
      ...(prompts.length > 1 ? [`The export has ${prompts.length} prompts; each is a label of its own.`] : []),
    ],
  }
}

function isError({ failureReason, response, error, success }: Result): boolean {
  return failureReason === 2 || (failureReason == null && !success && response?.output == null && error != null)
}

function promptOf({ prompt, promptIdx }: Result): string {
  return prompt?.label || prompt?.raw || `prompt ${promptIdx + 1}`
}

function providerOf({ provider }: Result): string {
  return (provider.label || provider.id).slice(0, 200)
}

function valueOf({ success, score, namedScores }: Result, metric: string): number | null {
  if (metric === 'success') return success ? 1 : 0
  return (metric === 'score' ? score : namedScores?.[metric]) ?? null
}

/** Its variables, or the prompt itself where it has none. */
function questionOf({ testCase, vars, prompt }: Result): string[] {
  const values = textsOf({ ...testCase?.vars, ...vars })
  return values.length > 0 ? values : textsOf({ raw: prompt?.raw })
}

/** `test-0001`, as in benchmarks that are imported from promptfoo, unless a variable or the description names it. */
function taskOf({ testIdx, testCase, vars }: Result, field: string | undefined, index: number): string {
  if (field === undefined) return `test-${String(testIdx + 1).padStart(4, '0')}`
  const value = field === 'description' ? testCase?.description : (vars?.[field] ?? testCase?.vars?.[field])
  if (typeof value === 'string' || typeof value === 'number') return taskName(String(value), null)
  throw new EvidenceError(`results.results[${index}]: the variable "${field.slice(0, 60)}" that names the task is not text or a number.`)
}
