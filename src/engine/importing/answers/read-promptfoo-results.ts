import { z } from 'zod'
import { readExportedMetrics } from '../../tasks/exported-metrics.ts'
import type { Task } from '../../tasks/task.ts'
import { promptfooBenchmark } from '../files/foreign/promptfoo-benchmark.ts'
import { type CaseAssertion, hasScripts, isMeasured, type PromptfooCase, readAssertion } from '../files/foreign/promptfoo-case.ts'
import { chatOf } from '../files/foreign/promptfoo-prompts.ts'
import { noFiles } from '../files/foreign/promptfoo-files.ts'
import { RowError } from '../files/row.ts'
import { MediaIntake } from '../media/media-intake.ts'
import { readConversation, taskInput } from '../messages/read-conversation.ts'
import type { ForeignLog, MetricPair } from './foreign-log.ts'
import { readPromptfooFile, type PromptfooResult, testOf } from './promptfoo-results.ts'
import { type MatchedAnswer, noFacts } from './given-answer.ts'
import { needsJudge } from '../files/foreign/judged-assertions.ts'

/** An answer with the number of the repetition that it is of. */
type Result = PromptfooResult & { readonly epoch: number }

const scoringFunction = 'assertScoringFunction'
const partialScore = 'score of the assertions that are graded here'

const AssertionParts = z
  .looseObject({ type: z.string().catch(''), weight: z.number().catch(1), assert: z.array(z.unknown()).nullish().catch(null) })
  .catch({ type: '', weight: 1 })

/**
 * An export of promptfoo: its tests are the tasks, each prompt a profile, each provider a model. Only assertions that need no model and
 * know nothing about cost and time are graded; where a test has others, the log's own verdict decides, and its score over the graded ones is
 * compared. @throws LogError
 */
export function readPromptfooResults(
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
  intake = new MediaIntake(),
): ForeignLog {
  const { results: all, isRepeated, description, asked, release, metadata, stated, unread } = readPromptfooFile({ name, bytes })
  const exported = new Set(Object.keys(readExportedMetrics(metadata) ?? {}))
  const named = [...new Set(all.flatMap(({ namedScores }) => Object.keys(namedScores ?? {})))].filter(
    name => name !== 'success' && name !== 'score',
  )
  const results = isRepeated ? asEpochs(all) : all.map(result => ({ ...result, epoch: 1 }))
  const tests = Map.groupBy(results, result => result.testIdx)
  // A prompt that several providers answered appears once per provider.
  const texts = promptTexts(results)
  const leftOut = new Set<string>()
  const asText = new Set<string>()
  const tasks = [...tests]
    .sort(([a], [b]) => a - b)
    .map(([testIdx, of]) => taskOf(testIdx, of, texts, leftOut, raw => asText.add(raw), intake))
  const ungraded = [...leftOut].filter(name => name !== scoringFunction).sort()
  const indexes = new Map(tasks.map(({ id }, i) => [id, i]))
  const keyOf = (text: string): string => (texts.length === 1 ? 'zero-shot' : `prompt-${texts.indexOf(text) + 1}`)
  const isPartlyGraded = tasks.some(({ metadata }) => metadata['assertions'] !== undefined)
  const isUngraded = leftOut.size === 0 && !isPartlyGraded
  return {
    title: description ?? 'promptfoo results',
    tasks,
    answers: results.map(result => ({
      ...answerOf(result, named, leftOut.size > 0),
      taskIndex: indexes.get(testId(result.testIdx)) ?? 0,
      profileKey: keyOf(templateOf(result)),
    })),
    counted: stated === null ? null : { stated, read: all.length, missing: [] },
    isGraded: isPartlyGraded,
    pairs: metricPairs({ named, exported, leftOut, isPartlyGraded, isUngraded }).map(pair => ({
      ...pair,
      release: release === null ? null : `promptfoo ${release.slice(0, 60)}`,
    })),
    warnings: [
      ...(ungraded.length > 0 ? [`Assertions that are not graded here: ${ungraded.join(', ')}.`] : []),
      ...(leftOut.has(scoringFunction) ? [`Scoring functions ("${scoringFunction}") are not run here.`] : []),
      ...(isUngraded && exported.size === 0 ? ['The tests have no assertions: "Passed" says that an output came, and nothing more.'] : []),
      ...promptWarnings(tests, texts, asText.size),
      ...asked.left,
      ...unread,
    ],
    define: (slug, title) =>
      promptfooBenchmark(
        title,
        slug,
        texts.map(label => ({ label, raw: label })),
        { without: leftOut.size > 0 ? 'left_out' : null, asked },
      ),
  }
}

interface Grading {
  /** Named scores of the log. */
  readonly named: readonly string[]
  /** Metrics that Assay exported with the answers. */
  readonly exported: ReadonlySet<string>
  /** Types of the assertions that are not graded here. */
  readonly leftOut: ReadonlySet<string>
  readonly isPartlyGraded: boolean
  /** No test has an assertion. */
  readonly isUngraded: boolean
}

/** Scores of the log, each with the metric that it is compared with, or why there is none. */
function metricPairs({ named, exported, leftOut, isPartlyGraded, isUngraded }: Grading): Omit<MetricPair, 'release'>[] {
  const graded = 'Assay graded it; results of promptfoo have no references to grade by again.'
  const own = isUngraded
    ? exported.size > 0
      ? graded
      : 'Its tests have no assertions, so promptfoo passes every output.'
    : `It counts what is not graded here: ${[...leftOut].sort().join(', ')}.`
  return [
    ...(leftOut.size === 0 && isPartlyGraded
      ? [
          { log: 'success', metric: 'pass', reason: null },
          { log: 'score', metric: 'score', reason: null },
        ]
      : ['success', 'score'].map(log => ({ log, metric: null, reason: own }))),
    ...(leftOut.size > 0 && isPartlyGraded ? [{ log: partialScore, metric: 'score', reason: null, isDerived: true }] : []),
    ...named.map(log => ({
      log,
      metric: null,
      reason: exported.has(log) ? graded : 'A named score of the log; it is shown as it was recorded.',
    })),
  ]
}

/** `--repeat` writes a test again under another number: the same test, prompt and provider make the next epoch. */
function asEpochs(results: readonly PromptfooResult[]): Result[] {
  const firstOf = new Map<string, number>()
  const counts = new Map<string, number>()
  return [...results]
    .sort((a, b) => a.testIdx - b.testIdx)
    .map(result => {
      const { promptIdx, provider } = result
      const test = testOf(result)
      const testIdx = firstOf.get(test) ?? result.testIdx
      firstOf.set(test, testIdx)
      const asked = JSON.stringify([testIdx, promptIdx, provider.id])
      const epoch = (counts.get(asked) ?? 0) + 1
      counts.set(asked, epoch)
      return { ...result, testIdx, epoch }
    })
}

function templateOf({ prompt, promptIdx }: Result): string {
  const label = prompt['label']
  return typeof label === 'string' && label !== '' ? label : `prompt ${promptIdx + 1}`
}

function promptTexts(results: readonly Result[]): string[] {
  return [...new Set([...results].sort((a, b) => a.promptIdx - b.promptIdx).map(templateOf))]
}

function testId(testIdx: number): string {
  return `test-${String(testIdx + 1).padStart(4, '0')}`
}

/** What a new run asks in another way than promptfoo did. */
function promptWarnings(tests: ReadonlyMap<number, readonly Result[]>, prompts: readonly string[], asText: number): string[] {
  const differing = prompts.filter(label =>
    [...tests.values()].some(of => new Set(of.filter(one => templateOf(one) === label).map(({ prompt }) => prompt.raw)).size > 1),
  )
  return [
    ...(asText === 0
      ? []
      : [
          `${asText === 1 ? 'One prompt is a list' : `${asText} prompts are lists`} of messages that cannot be asked as a conversation, such as one that ends with words of the model. New runs ask ${asText === 1 ? 'it' : 'them'} as text.`,
        ]),
    ...differing.map(
      label =>
        `Results under the prompt "${label.slice(0, 60)}" were asked in different words. New runs ask what the first of each test was asked.`,
    ),
  ]
}

function taskOf(
  testIdx: number,
  results: readonly Result[],
  prompts: readonly string[],
  leftOut: Set<string>,
  leaveAsText: (raw: string) => void,
  intake: MediaIntake,
): Task {
  const assertions: CaseAssertion[] = []
  const vars = varsOf(results[0])
  for (const assertion of results[0]?.testCase?.assert ?? []) {
    const read = readable(assertion, vars)
    if (read) assertions.push(read)
    else leftOut.add(typeOf(assertion))
  }
  if (results.some(({ testCase }) => testCase?.[scoringFunction] != null)) leftOut.add(scoringFunction)
  const asked = prompts.map((label, i) => {
    const raw = results.find(result => templateOf(result) === label)?.prompt.raw ?? ''
    const field = `prompt_${i + 1}`
    const conversation = askedIn(raw, field, intake)
    if (conversation === 'unreadable') leaveAsText(raw)
    return typeof conversation === 'object' ? conversation : { fields: { [field]: raw } }
  })
  const conversations = Object.assign({}, ...asked.map(one => one.conversations ?? {}))
  const threshold = results[0]?.testCase?.threshold
  return {
    id: testId(testIdx),
    split: 'test',
    fields: Object.assign({}, ...asked.map(({ fields }) => fields)),
    ...(Object.keys(conversations).length > 0 && { conversations }),
    targets: [],
    choices: null,
    metadata: {
      ...(assertions.length > 0 && { assertions }),
      ...(threshold != null && { threshold }),
    },
    capabilities: [],
    dependsOn: [],
  }
}

/** Messages in JSON are a conversation, as the providers of promptfoo take them. */
function askedIn(raw: string, field: string, intake: MediaIntake): Pick<Task, 'fields' | 'conversations'> | 'text' | 'unreadable' {
  const chat = chatOf(raw)
  if (chat === null) return 'text'
  try {
    const { messages, answer, left } = intake.withFetched(() => readConversation(chat, field, found => intake.reference(found, field)))
    if (answer !== null) return 'unreadable'
    intake.leave(left)
    return taskInput(messages, field)
  } catch (error) {
    if (error instanceof RowError) return 'unreadable'
    throw error
  }
}

/** Variables of a test, which the values of its assertions may name. */
function varsOf(result: PromptfooResult | undefined): PromptfooCase['vars'] {
  return z.record(z.string(), z.unknown()).safeParse(result?.testCase?.vars).data ?? {}
}

function readable(assertion: unknown, vars: PromptfooCase['vars']): CaseAssertion | null {
  try {
    const { assertion: read, left } = readAssertion(assertion, { vars, files: noFiles, language: { chosen: null } })
    const isKept = left.length === 0 && !needsJudge(read.type) && !hasScripts({ assertions: [read] }) && !isMeasured(read)
    return isKept ? read : null
  } catch (error) {
    if (error instanceof RowError) return null
    throw error
  }
}

function typeOf(assertion: unknown): string {
  const type = typeof assertion === 'object' && assertion !== null && 'type' in assertion ? assertion.type : ''
  return typeof type === 'string' ? type.slice(0, 60) : 'unknown'
}

function answerOf(result: Result, named: readonly string[], isPartial: boolean): Omit<MatchedAnswer, 'taskIndex'> {
  const { response, provider, error, failureReason, latencyMs } = result
  const output = response?.output
  const reason = result.gradingResult?.reason ?? ''
  const isFailed = failureReason === 2 || output === null || output === undefined
  return {
    ...noFacts,
    line: null,
    epoch: result.epoch,
    model: provider.id,
    finishReason: response?.finishReason ?? null,
    output: isFailed ? null : typeof output === 'string' ? output : JSON.stringify(output),
    error: isFailed ? (error ?? null) : null,
    inputTokens: response?.tokenUsage?.prompt ?? null,
    outputTokens: response?.tokenUsage?.completion ?? null,
    // Answers out of promptfoo's cache took no time.
    latencyMs: response?.cached === true ? null : (latencyMs ?? null),
    // An error is not a verdict on the answer.
    scores: isFailed
      ? {}
      : {
          success: result.success ? 1 : 0,
          ...(result.score != null && { score: result.score }),
          ...(isPartial && partialScoreOf(result, varsOf(result))),
          ...namedScores(result, named),
        },
    reasons: reason === '' ? {} : { success: reason, score: reason },
  }
}

function namedScores({ namedScores: scores }: Result, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(scores ?? {}).flatMap(([name, value]) => (value !== null && names.includes(name) ? [[name, value]] : [])),
  )
}

/** The weighted mean of the components that are graded here as well; nothing where it is not known which those are. */
function partialScoreOf({ gradingResult, testCase }: Result, vars: PromptfooCase['vars']): Record<string, number> {
  const components = gradingResult?.componentResults ?? []
  const given = (testCase?.assert ?? []).map(assertion => AssertionParts.parse(assertion))
  // A set comes before the results of its own assertions, which older files do not list.
  const sizes = given.map(({ assert }) => 1 + (assert?.length ?? 0))
  const isListed = components.length === sizes.reduce((sum, size) => sum + size, 0)
  if (!isListed && components.length !== given.length) return {}
  const parts = given.map((assertion, i) => ({
    assertion,
    component: components[isListed ? sizes.slice(0, i).reduce((sum, size) => sum + size, 0) : i],
  }))
  // Results of comparisons with other answers come last, wherever they were asked for.
  if (parts.some(({ assertion, component }) => assertion.assert == null && component?.assertion?.type !== assertion.type)) return {}
  const kept = parts.filter(({ assertion }) => readable(assertion, vars) !== null)
  const weights = kept.reduce((sum, { assertion }) => sum + assertion.weight, 0)
  if (weights === 0 || kept.some(({ component }) => component?.score == null)) return {}
  return { [partialScore]: kept.reduce((sum, { assertion, component }) => sum + (component?.score ?? 0) * assertion.weight, 0) / weights }
}
