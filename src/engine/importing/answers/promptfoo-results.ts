import { z } from 'zod'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { type ProviderSettings, readProviders } from '../files/foreign/promptfoo-providers.ts'
import { eachOf, leftOut, LogError, parseLogJson, readEach } from './foreign-log.ts'

/** JSON writes NaN as null. */
const Component = z.looseObject({
  score: z.number().nullish().catch(null),
  assertion: z.looseObject({ type: z.string() }).nullish().catch(null),
})
const Named = z.record(z.string(), z.number().nullable())
const Tokens = z.looseObject({ prompt: z.number().nullish(), completion: z.number().nullish() })
const TestCase = z.looseObject({
  vars: z.unknown().optional(),
  assert: z.array(z.unknown()).nullish(),
  description: z.string().nullish(),
  threshold: z.number().nullish(),
})
const Grading = z.looseObject({ componentResults: z.array(Component).nullish().catch(null), reason: z.string().nullish().catch(null) })
const message = z.looseObject({ message: z.string() }).transform(error => error.message)

/** One answer, in the form of every release of promptfoo; the first ones gave no places and no provider. */
const Result = z.looseObject({
  promptIdx: z.int().min(0).optional(),
  testIdx: z.int().min(0).optional(),
  vars: z.unknown().optional(),
  provider: z.union([z.string().transform(id => ({ id })), z.looseObject({ id: z.string() })]).default({ id: 'unknown provider' }),
  prompt: z.union([z.string().transform((raw): { raw: string; label?: unknown } => ({ raw })), z.looseObject({ raw: z.string() })]),
  response: z
    .looseObject({
      output: z.unknown().optional(),
      tokenUsage: Tokens.nullish(),
      cached: z.boolean().nullish(),
      finishReason: z.string().nullish().catch(null),
    })
    .nullish(),
  error: z.union([z.string(), message, z.unknown().transform(error => JSON.stringify(error))]).nullish(),
  failureReason: z.int().nullish(),
  success: z.boolean(),
  score: z.number().nullish().catch(null),
  namedScores: Named.nullish(),
  latencyMs: z.number().nullish(),
  testCase: TestCase.nullish(),
  gradingResult: Grading.nullish(),
})
type Read = z.infer<typeof Result>
export type PromptfooResult = Read & { readonly promptIdx: number; readonly testIdx: number }

/** Version 2 kept its results as a table: a row for each test, a column for each prompt and provider. */
const Table = z.looseObject({
  head: z.looseObject({
    prompts: z.array(z.looseObject({ raw: z.string(), label: z.string().nullish(), provider: z.string().nullish() })),
  }),
  body: z.array(
    z.looseObject({
      outputs: z.array(
        z.looseObject({
          pass: z.boolean(),
          score: z.number().nullish().catch(null),
          text: z.unknown(),
          prompt: z.string(),
          error: z.string().nullish(),
          latencyMs: z.number().nullish(),
          tokenUsage: Tokens.nullish(),
          namedScores: Named.nullish(),
          gradingResult: Grading.nullish(),
        }),
      ),
      test: TestCase.nullish(),
    }),
  ),
})

const Repeating = z.looseObject({ repeat: z.int().nullish() })
const Config = z.looseObject({
  description: z.string().nullish(),
  evaluateOptions: Repeating.nullish().catch(null),
  providers: z.unknown().optional(),
  targets: z.unknown().optional(),
})
const Stats = z.looseObject({ successes: z.int(), failures: z.int(), errors: z.int().default(0) })
const Summary = z.looseObject({ results: z.array(z.unknown()), table: z.unknown().optional(), stats: Stats.nullish().catch(null) })
const Export = z.looseObject({
  results: Summary,
  config: Config.nullish(),
  runtimeOptions: Repeating.nullish().catch(null),
  metadata: z.unknown().optional(),
})

export interface PromptfooFile {
  readonly results: readonly PromptfooResult[]
  readonly description: string | null
  /** How the providers of its configuration were asked. */
  readonly asked: ProviderSettings
  /** Every test was asked several times, each under a number of its own (`--repeat`). */
  readonly isRepeated: boolean
  /** The release that wrote it, where it says so. */
  readonly release: string | null
  readonly metadata: unknown
  /** Results that its own counts add up to; null where it has none. */
  readonly stated: number | null
  /** Which results could not be read, and why. */
  readonly unread: readonly string[]
}

/**
 * Results of promptfoo: its export, the summary that its Node package returns, the results alone, a line for each, or the table of
 * version 2. @throws LogError
 */
export function readPromptfooFile({ name, bytes }: { readonly name: string; readonly bytes: Buffer }): PromptfooFile {
  const text = bytes.toString('utf8')
  const lines = isLines(text) ? linesOf(text, name) : null
  const value = lines ? { results: lines.results } : parseLogJson(text, name)
  const { results, config, runtimeOptions, metadata } = read(Export, isExport(value) ? value : { results: value }, name)
  const isPlaced = results.results.some(one => z.looseObject({ promptIdx: z.number() }).safeParse(one).success)
  const table = isPlaced ? undefined : Table.safeParse(results.table).data
  const each = readEach(
    results.results.map((value: unknown, i) => ({ name: `${name}, result ${i + 1}`, value })),
    one => read(Result, one.value, one.name),
  )
  const found = table ? resultsOf(table) : placed(each.found)
  if (found.length === 0) throw new LogError(`"${name}" has no results.`)
  const stated = z.looseObject({ promptfooVersion: z.string() }).safeParse(metadata)
  return {
    results: found,
    description: config?.description ?? null,
    asked: readProviders(config?.providers ?? config?.targets),
    isRepeated: (config?.evaluateOptions?.repeat ?? runtimeOptions?.repeat ?? 1) > 1,
    release: stated.data?.promptfooVersion ?? null,
    metadata,
    stated: results.stats ? results.stats.successes + results.stats.failures + results.stats.errors : null,
    unread: [...(lines?.unread ?? []), ...(table ? [] : each.warnings)],
  }
}

/** Which test it is, whatever its number. */
export function testOf({ testCase, vars, prompt }: Read): string {
  return JSON.stringify([
    testCase?.vars ?? vars ?? prompt.raw,
    testCase?.assert ?? null,
    testCase?.threshold ?? null,
    testCase?.description ?? null,
  ])
}

/** Results without places are of the prompt with their template, and of the test with their variables and assertions. */
function placed(results: readonly Read[]): PromptfooResult[] {
  const [templates, tests] = [new Map<string, number>(), new Map<string, number>()]
  const placeOf = (places: Map<string, number>, key: string): number => {
    const place = places.get(key) ?? places.size
    places.set(key, place)
    return place
  }
  return results.map(result => {
    const { promptIdx, testIdx, prompt, vars, testCase } = result
    const label = 'label' in prompt ? prompt.label : 'display' in prompt ? prompt['display'] : undefined
    return {
      ...result,
      prompt: { ...prompt, label },
      testCase: testCase ?? { vars },
      promptIdx: promptIdx ?? placeOf(templates, typeof label === 'string' ? label : prompt.raw),
      testIdx: testIdx ?? placeOf(tests, testOf(result)),
    }
  })
}

function isExport(value: unknown): boolean {
  return z.looseObject({ results: z.looseObject({ results: z.unknown() }) }).safeParse(value).success
}

function isLines(text: string): boolean {
  const [first = '', second = ''] = text.trimStart().split('\n', 2)
  return (
    first.trimEnd().endsWith('}') &&
    (second.trim() === '' ? /"promptIdx"/.test(first) && !/"results"\s*:/.test(first) : second.startsWith('{'))
  )
}

/** A line that cannot be read, such as the last of a run that was stopped, refuses no other. */
function linesOf(text: string, name: string) {
  const lines = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ line, place: `${name}, line ${i + 1}` }]))
  const { found: results, faults } = eachOf(lines, ({ line, place }) => parseLogJson(line, place))
  if (results.length === 0 && faults[0]) throw faults[0]
  return { results, unread: leftOut(faults) }
}

function read<Value>(schema: z.ZodType<Value>, value: unknown, name: string): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LogError(
    `"${name}" is not as "promptfoo eval --output" writes it (.json or .jsonl): ${describeFirst(parsed.error.issues, 'it')}.`,
  )
}

function resultsOf({ head, body }: z.infer<typeof Table>): PromptfooResult[] {
  return body.flatMap(({ outputs, test }, testIdx) =>
    outputs.map(
      ({ pass: success, score, text: output, prompt: raw, error, latencyMs, tokenUsage, namedScores, gradingResult }, promptIdx) => {
        const { provider, label } = head.prompts[promptIdx] ?? {}
        return {
          promptIdx,
          testIdx,
          provider: { id: provider ?? 'unknown provider' },
          prompt: { raw, label },
          response: { output, tokenUsage },
          error,
          success,
          score,
          namedScores,
          latencyMs,
          testCase: test,
          gradingResult,
        }
      },
    ),
  )
}
