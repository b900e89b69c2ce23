import { z } from 'zod'
import { readExportedMetrics } from '../../tasks/exported-metrics.ts'
import type { Task } from '../../tasks/task.ts'
import { promptfooBenchmark } from '../files/foreign/promptfoo-benchmark.ts'
import { type CaseAssertion, hasScripts, isMeasured, type PromptfooCase, readAssertion } from '../files/foreign/promptfoo-case.ts'
import { noFiles } from '../files/foreign/promptfoo-files.ts'
import { RowError } from '../files/row.ts'
import type { ForeignLog, MetricPair } from './foreign-log.ts'
import { readPromptfooFile, type PromptfooResult } from './promptfoo-results.ts'
import { type MatchedAnswer, noFacts } from './given-answer.ts'
import { needsJudge } from '../files/foreign/judged-assertions.ts'

/** An answer with the number of the repetition that it is of. */
type Result = PromptfooResult & { readonly epoch: number }

const partialScore = 'score of the assertions that are graded here'

/**
 * An export of promptfoo: its tests are the tasks, each prompt a profile, each provider a model. Only assertions that need no model and
 * know nothing of cost and time are graded; where a test has others, the log's own verdict decides, and its score over the graded ones is
 * compared. @throws LogError
 */
export function readPromptfooResults({ name, bytes }: { readonly name: string; readonly bytes: Buffer }): ForeignLog {
  const { results: all, isRepeated, description, release, metadata, stated, unread } = readPromptfooFile({ name, bytes })
  const exported = new Set(Object.keys(readExportedMetrics(metadata) ?? {}))
  const named = [...new Set(all.flatMap(({ namedScores }) => Object.keys(namedScores ?? {})))].filter(
    name => name !== 'success' && name !== 'score',
  )
  const results = isRepeated ? asEpochs(all) : all.map(result => ({ ...result, epoch: 1 }))
  const tests = Map.groupBy(results, result => result.testIdx)
  // A prompt that several providers answered appears once per provider.
  const texts = promptTexts(results)
  const leftOut = new Set<string>()
  const tasks = [...tests].sort(([a], [b]) => a - b).map(([testIdx, of]) => taskOf(testIdx, of, texts, leftOut))
  const indexes = new Map(tasks.map(({ id }, i) => [id, i]))
  const keyOf = (text: string): string => (texts.length === 1 ? 'zero-shot' : `prompt-${texts.indexOf(text) + 1}`)
  const isPartlyGraded = tasks.some(({ metadata }) => metadata['assertions'] !== undefined)
  return {
    title: description ?? 'promptfoo results',
    tasks,
    answers: results.map(result => ({
      ...answerOf(result, named, leftOut.size > 0),
      taskIndex: indexes.get(testId(result.testIdx)) ?? 0,
      profileKey: keyOf(templateOf(result)),
    })),
    counted: stated === null ? null : { stated, read: all.length, missing: [] },
    isGraded: leftOut.size === 0 || isPartlyGraded,
    pairs: [
      ...(leftOut.size === 0
        ? [
            { log: 'success', metric: 'pass', reason: null },
            { log: 'score', metric: 'score', reason: null },
          ]
        : ['success', 'score'].map(log => ({
            log,
            metric: null,
            reason: `It counts assertions that are not graded here: ${[...leftOut].sort().join(', ')}.`,
          }))),
      ...(leftOut.size > 0 && isPartlyGraded ? [{ log: partialScore, metric: 'score', reason: null, isDerived: true }] : []),
      ...named.map(log => ({
        log,
        metric: null,
        reason: exported.has(log)
          ? 'Assay graded it; results of promptfoo have no references to grade by again.'
          : 'A named score of the log; it is shown as it was recorded.',
      })),
    ].map((pair: MetricPair) => ({ ...pair, release: release === null ? null : `promptfoo ${release.slice(0, 60)}` })),
    warnings: [...(leftOut.size > 0 ? [`Assertions that are not graded here: ${[...leftOut].sort().join(', ')}.`] : []), ...unread],
    define: (slug, title) =>
      promptfooBenchmark(
        title,
        slug,
        texts.map(label => ({ label, raw: label })),
        { without: leftOut.size > 0 ? 'left_out' : null },
      ),
  }
}

/** Which test it is, whatever its number. */
function testOf({ testCase, prompt }: PromptfooResult): string {
  return JSON.stringify([
    testCase?.vars ?? prompt.raw,
    testCase?.assert ?? null,
    testCase?.threshold ?? null,
    testCase?.description ?? null,
  ])
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

function taskOf(testIdx: number, results: readonly Result[], prompts: readonly string[], leftOut: Set<string>): Task {
  const assertions: CaseAssertion[] = []
  const vars = varsOf(results[0])
  for (const assertion of results[0]?.testCase?.assert ?? []) {
    const read = readable(assertion, vars)
    if (read) assertions.push(read)
    else leftOut.add(typeOf(assertion))
  }
  const fields = prompts.map((label, i): [string, string] => [
    `prompt_${i + 1}`,
    results.find(result => templateOf(result) === label)?.prompt.raw ?? '',
  ])
  const threshold = results[0]?.testCase?.threshold
  return {
    id: testId(testIdx),
    split: 'test',
    fields: Object.fromEntries(fields),
    targets: [],
    choices: null,
    metadata: {
      ...(assertions.length > 0 && {
        assertions,
      }),
      ...(threshold && { threshold }),
    },
    capabilities: [],
    dependsOn: [],
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
          ...(isPartial && partialScoreOf(result)),
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

/** The weighted mean of the components that are graded here as well; nothing where there are none. */
function partialScoreOf(result: Result): Record<string, number> {
  const { gradingResult, testCase } = result
  const isReadable = (assertion: unknown) => readable(assertion, varsOf(result)) !== null
  const kept = (gradingResult?.componentResults ?? []).filter(({ assertion }) => assertion && isReadable(assertion))
  const given = (testCase?.assert ?? []).filter(isReadable)
  if (kept.length === 0 || kept.length !== given.length) return {}
  const weightOf = (assertion: unknown): number => {
    const weight = typeof assertion === 'object' && assertion !== null && 'weight' in assertion ? assertion.weight : 1
    return typeof weight === 'number' ? weight : 1
  }
  const weights = kept.reduce((sum, { assertion }) => sum + weightOf(assertion), 0)
  return weights === 0 ? {} : { [partialScore]: kept.reduce((sum, part) => sum + part.score * weightOf(part.assertion), 0) / weights }
}
