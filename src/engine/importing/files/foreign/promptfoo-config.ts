import { z } from 'zod'
import { nameFew } from '../../../../lib/format/name-few.ts'
import type { FileContent, ImportSource } from '../import-source.ts'
import { type LeftPart, type OpenedOrder, type OrderedFile, sourceOf } from '../import-order.ts'
import { noShots } from '../import-tally.ts'
import type { MediaIntake } from '../../media/media-intake.ts'
import { OrderFault, orderFault } from '../order-fault.ts'
import { readYaml, type YamlFile } from '../read-yaml.ts'
import { type Row, RowError } from '../row.ts'
import { createJudged, type Judged, judgeNeeded, judgedAssertions, needsJudge } from './judged-assertions.ts'
import { caseTask, type PromptfooCase } from './promptfoo-case.ts'
import { promptfooBenchmark } from './promptfoo-benchmark.ts'
import { SentFiles } from './promptfoo-files.ts'
import { listedPrompts, promptSettings, promptsOf } from './promptfoo-prompt-files.ts'
import { preparePrompts, prepareQuestion, type PromptfooPrompt } from './promptfoo-prompts.ts'
import { dereferenced } from './promptfoo-references.ts'
import { testsOfScenarios } from './promptfoo-scenarios.ts'
import { type ProviderSettings, readProviders } from './promptfoo-providers.ts'
import type { ScriptLanguage } from './promptfoo-script.ts'
import { itemOfRow, promptfooTable } from './promptfoo-tests.ts'
import { caseOfItem, expandVars, readDefaults, type Shared } from './promptfoo-yaml-case.ts'
import { isObject } from '../../../../lib/json-value.ts'

const settings = /\.(?:ya?ml|json)$/i

interface Own {
  readonly title: string
  readonly slug: string
  readonly mapping: { readonly input?: string | undefined }
  readonly leaveOut?: boolean | undefined
}

/** What the tests of an import turned out to have. */
interface Found {
  readonly judged: Judged
  readonly parts: LeftPart[]
  readonly language: ScriptLanguage
  /** Names that assertions give to their scores. */
  readonly metrics: Set<string>
  unasserted: number
  /** Answers to each test, as the configuration says. */
  repeats: number
}

const nothing: ProviderSettings = { systemPrompt: null, temperature: null, maxOutputTokens: null, left: [] }

function opened(
  { title, slug }: Own,
  found: Found,
  sources: readonly ImportSource[],
  prompts: readonly PromptfooPrompt[],
  asked: ProviderSettings,
): OpenedOrder {
  const { judged, parts } = found
  return {
    sources,
    shots: noShots,
    judged: () => judgedAssertions(judged),
    leftParts: () => ({ parts, isAccepted: judged.leaveOut }),
    noted: () => [
      ...(found.unasserted === 0 ? [] : [unassertedNote(found.unasserted)]),
      ...(found.repeats > 1 ? [`promptfoo asks every test ${found.repeats} times: choose ${found.repeats} epochs for a run.`] : []),
      ...(judged.bounded === 0 ? [] : [boundedNote(judged.bounded)]),
      ...(found.metrics.size === 0 ? [] : [metricsNote([...found.metrics])]),
    ],
    define: () =>
      promptfooBenchmark(title, slug, prompts, {
        without: parts.length > 0 ? 'left_out' : judged.tests.size > 0 ? 'judged' : null,
        language: found.language.chosen,
        asked,
      }),
  }
}

function unassertedNote(count: number): string {
  return `${count === 1 ? 'One test has' : `${count} tests have`} no assertion that is graded here: asked, answered and without a score.`
}

function boundedNote(count: number): string {
  return `${count === 1 ? 'One assertion' : `${count} assertions`} for a judge ${count === 1 ? 'has' : 'have'} a threshold or weight, which ${count === 1 ? 'is' : 'are'} not imported: set the passing score in the evaluator.`
}

function metricsNote(names: readonly string[]): string {
  const shown = names.map(name => `"${name.slice(0, 60)}"`)
  return `Metrics that assertions name have no figure of their own here; their assertions count in the score of each test: ${nameFew(shown, 10)}.`
}

function foundBy({ leaveOut = false }: Own): Found {
  return { judged: createJudged(leaveOut), parts: [], language: { chosen: null }, metrics: new Set(), unasserted: 0, repeats: 1 }
}

/** Test cases alone: one of their variables is the question. */
export function openPromptfooTable(own: Own, files: readonly OrderedFile[]): OpenedOrder {
  const found = foundBy(own)
  const how = { ask: prepareQuestion(own.mapping.input), shared: sharedNothing(new SentFiles([]), found), found }
  const sources = files.map(file => sourceOf(file, tableContent(how, file.name, files.length > 1)))
  return opened(own, found, sources, [{ label: 'Question', raw: '' }], nothing)
}

function sharedNothing(files: SentFiles, { language }: Found): Shared {
  return { defaults: {}, files, templates: {}, language }
}

const Repeating = z
  .looseObject({ repeat: z.int().optional().catch(undefined) })
  .nullish()
  .catch(null)
const Config = z.looseObject({
  prompts: z.unknown().optional(),
  tests: z.unknown().optional(),
  scenarios: z.unknown().optional(),
  defaultTest: z.unknown().optional(),
  providers: z.unknown().optional(),
  targets: z.unknown().optional(),
  assertionTemplates: z.record(z.string(), z.unknown()).nullish(),
  redteam: z.unknown().optional(),
  evaluateOptions: Repeating,
  commandLineOptions: Repeating,
  env: z.record(z.string(), z.unknown()).nullish().catch(null),
})
/** Parts of a configuration that would change prompts or grading. */
const unusedParts = ['extensions', 'nunjucksFilters', 'derivedMetrics', 'redteam'] as const

/**
 * A configuration of promptfoo with the files that it names, or a list of its tests: each prompt a profile, each test a task.
 * @throws OrderFault naming the line of what cannot be imported
 */
export function openPromptfoo(own: Own, files: readonly OrderedFile[], intake: MediaIntake): OpenedOrder {
  const isYaml = ({ name }: OrderedFile): boolean => /\.ya?ml$/i.test(name)
  const read = files.filter(isYaml).map(file => ({ file, read: readYaml(file) }))
  // A configuration may be JSON, as may what it names.
  const yaml = read.some(isMain)
    ? read
    : [...files.filter(file => settings.test(file.name) && !isYaml(file)).flatMap(jsonSettings), ...read]
  const main =
    yaml.find(one => isMain(one) && /(?:^|\/)promptfooconfig\.\w+$/.test(one.file.name)) ??
    yaml.find(hasPrompts) ??
    yaml.find(isMain) ??
    yaml[0]
  if (!main)
    throw orderFault(files[0]?.name ?? '', null, 'Send the configuration as YAML or JSON: one that is a program cannot be imported.')
  for (const { read } of yaml) refuseTags(read)
  const sent = new SentFiles(
    files.filter(file => file !== main.file),
    main.file.name,
  )
  const found = foundBy(own)
  const noted = (order: OpenedOrder): OpenedOrder => namingUnused({ ...order, media: intake }, main, sent)
  if (Array.isArray(main.read.value)) {
    const how = { ask: prepareQuestion(own.mapping.input), shared: sharedNothing(sent, found), found }
    const source = listSource(main, null, main.read.value, how)
    return noted(opened(own, found, [source], [{ label: 'Question', raw: '' }], nothing))
  }
  const { sources, prompts, asked } = configured(main, sent, yaml, { found, intake })
  return noted(opened(own, found, sources, prompts, asked))
}

function isMain(file: ReadFile): boolean {
  const { value } = file.read
  return hasPrompts(file) || (isObject(value) && 'tests' in value && ('providers' in value || 'targets' in value))
}

function hasPrompts({ read: { value } }: ReadFile): boolean {
  return isObject(value) && 'prompts' in value
}

/** What promptfoo asks where a configuration has no prompts, as those of red teams: the variable "prompt" of a test. */
function usualPrompt({ tests }: z.infer<typeof Config>): string | undefined {
  const isAsked = [tests].flat().some(test => isObject(test) && isObject(test['vars']) && 'prompt' in test['vars'])
  return isAsked ? '{{prompt}}' : undefined
}

/** A file of JSON that is a configuration; other files of JSON are read where they are named. */
function jsonSettings(file: OrderedFile): ReadFile[] {
  try {
    const read = { file, read: readYaml(file) }
    return isMain(read) ? [read] : []
  } catch (error) {
    if (error instanceof OrderFault) return []
    throw error
  }
}

/** Files that nothing names are known once the tests were read. */
function namingUnused(order: OpenedOrder, main: ReadFile, sent: SentFiles): OpenedOrder {
  return {
    ...order,
    definedByFiles: true,
    noted: () => {
      const [unused] = sent.unused()
      return [
        ...(order.noted?.() ?? []),
        ...(order.media?.warnings() ?? []),
        ...(unused ? [`"${main.file.name}" does not name "${unused.name}", which was not read.`] : []),
      ]
    },
  }
}

interface ReadFile {
  readonly file: OrderedFile
  readonly read: YamlFile
}

function configured(
  main: ReadFile,
  sent: SentFiles,
  yaml: readonly ReadFile[],
  { found, intake }: { readonly found: Found; readonly intake: MediaIntake },
) {
  const { name } = main.file
  const config = Config.safeParse(dereferenced(main.read.value))
  if (!config.success) throw orderFault(name, null, 'The configuration must hold "prompts" and "tests".')
  const { prompts: given, defaultTest, assertionTemplates, env, evaluateOptions, commandLineOptions } = config.data
  found.repeats = commandLineOptions?.repeat ?? evaluateOptions?.repeat ?? 1
  const fault = (key: string, message: string) => orderFault(name, main.read.lineOf(key), message)
  const left = (key: string, message: string) => found.parts.push({ file: name, line: main.read.lineOf(key) ?? 1, message })
  const orLeft = <Value>(key: string, read: () => Value[]): Value[] => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      left(key, error.message)
      return []
    }
  }
  const defaults = orFault(
    () => readDefaults(defaultTest, sent, found.language),
    message => fault('defaultTest', `"defaultTest": ${message}`),
  )
  for (const key of unusedParts) if (config.data[key] != null) left(key, `"${key}" is not imported.`)
  const providers = config.data.providers === undefined ? 'targets' : 'providers'
  const asked = readProviders(config.data[providers])
  for (const message of asked.left) left(providers, message)
  const prepared = (prompts: readonly PromptfooPrompt[]) => preparePrompts(prompts, { sent, intake, env: env ?? {} })
  const prompts = listedPrompts(given ?? usualPrompt(config.data)).flatMap(prompt =>
    orLeft('prompts', () => {
      const read = promptsOf(prompt, sent)
      prepared(read)
      const settings = promptSettings(prompt)
      if (settings !== null) left('prompts', settings)
      return read
    }),
  )
  if (prompts.length === 0) throw fault('prompts', noPrompts(config.data, found.parts, main.read.lineOf('prompts')))
  const how = {
    ask: prepared(prompts),
    shared: { defaults, files: sent, templates: assertionTemplates ?? {}, language: found.language },
    found,
  }
  const sources = [
    ...testSources(config.data, main, yaml, how, orLeft),
    ...orLeft('scenarios', () => scenarioSources(config.data.scenarios, main, how)),
  ]
  if (sources.length > 0) return { sources, prompts, asked }
  throw fault('tests', found.parts.findLast(({ line }) => line === main.read.lineOf('tests'))?.message ?? noTests(config.data))
}

/** Why no prompt is left: what was said of the prompts, or that there are none. */
function noPrompts(config: z.infer<typeof Config>, parts: readonly LeftPart[], line: number | null): string {
  const said = parts.findLast(part => config.prompts !== undefined && part.line === line)
  if (said) return said.message
  return config.redteam != null && config.tests == null
    ? noTests(config)
    : 'The configuration has no prompts. Write them under "prompts": texts with the variables of the tests in double braces.'
}

function noTests({ redteam }: z.infer<typeof Config>): string {
  return redteam == null
    ? 'The configuration has no tests.'
    : 'The configuration has no tests: "redteam" makes them by a program. Run "promptfoo redteam generate" and import the file that it writes (redteam.yaml).'
}

function orFault<Value>(read: () => Value, fault: (message: string) => Error): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof RowError ? fault(error.message) : error
  }
}

/** How the tests of an import are asked and graded. */
interface How {
  readonly ask: ReturnType<typeof preparePrompts>
  readonly shared: Shared
  readonly found: Found
}

type OrLeft = <Value>(key: string, read: () => Value[]) => Value[]

/** A configuration without tests or scenarios asks each prompt once. */
function testSources(
  { tests, scenarios, redteam }: z.infer<typeof Config>,
  main: ReadFile,
  yaml: readonly ReadFile[],
  how: How,
  orLeft: OrLeft,
): ImportSource[] {
  if ([tests ?? []].flat().length === 0 && scenarios == null && redteam == null) return [listSource(main, [1], [{}], how)]
  const list = [tests ?? []].flat().map(item => pathOf(item) ?? item)
  const inline = list.filter(item => typeof item !== 'string')
  const paths = list.filter(item => typeof item === 'string')
  const lines = main.read.linesIn('tests').filter((_, i) => typeof list[i] !== 'string')
  return [
    ...(inline.length > 0 ? [listSource(main, lines, inline, how)] : []),
    ...paths.flatMap(path => orLeft('tests', () => filedTests(path, yaml, how))),
  ]
}

/** Tests may be given by `path`, with settings for a program. */
function pathOf(item: unknown): string | null {
  return isObject(item) && typeof item['path'] === 'string' && !('vars' in item) ? item['path'] : null
}

/** @throws RowError, OrderFault */
function filedTests(path: string, yaml: readonly ReadFile[], how: How): ImportSource[] {
  if (/^(?!file:)\w+:\/\//.test(path))
    throw new RowError(`The tests "${path.slice(0, 200)}" are not fetched. Save them as CSV, JSON Lines or YAML and send them beside it.`)
  if (!/\.(?:csv|tsv|jsonl?|ya?ml)$/i.test(path))
    throw new RowError(
      `The tests "${path.slice(0, 200)}" are ${/\.xlsx?(?:#|$)/i.test(path) ? 'a workbook' : 'made by a program'}. Save them as CSV, JSON Lines or YAML and send them beside it.`,
    )
  const found = how.shared.files.matching(path).map(file => ({ file, read: yaml.find(one => one.file === file) }))
  // Folders are not sent, so that a pattern may match other files of settings.
  const isTests = ({ read }: (typeof found)[number]) => found.length === 1 || !read || Array.isArray(read.read.value)
  return found.filter(isTests).map(({ file, read }) => {
    if (read) return listSource(read, null, read.read.value, how)
    if (/\.[ct]sv$/i.test(file.name)) return sourceOf(file, tableContent(how, file.name, true))
    return sourceOf(file, itemContent({ kind: 'any', upstream: { kind: 'jsonl' } }, file.name, how))
  })
}

/** The tests of a configuration's scenarios. @throws RowError, OrderFault */
function scenarioSources(scenarios: unknown, main: ReadFile, how: How): ImportSource[] {
  const tests = testsOfScenarios(scenarios, how.shared.files, main.read.linesIn('scenarios'))
  const lines = tests.map(({ line }) => line)
  const list = tests.map(({ test }) => test)
  return tests.length === 0 ? [] : [listSource(main, lines, list, how, 'scenario')]
}

/** @param prefix of ids, beside the file's name, where a file has several lists */
function listSource({ file, read }: ReadFile, lines: readonly number[] | null, list: unknown, how: How, prefix = ''): ImportSource {
  if (!Array.isArray(list)) throw orderFault(file.name, null, 'The file must hold a list of tests.')
  const at = lines ?? read.linesIn(null)
  const rows = list.map((item: unknown, i) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? ({ kind: 'row', line: at[i] ?? 1, value: { ...item } } as const)
      : ({ kind: 'problem', line: at[i] ?? 1, message: 'A test must be an object with "vars" and "assert".' } as const),
  )
  return sourceOf(file, itemContent({ kind: 'given', rows }, prefix === '' ? file.name : `${file.name}-${prefix}`, how, file.name))
}

/** @param name ids of tasks begin with it @param file of which problems are reported */
function itemContent(format: FileContent['format'], name: string, how: How, file = name): FileContent {
  return {
    format,
    leaveOut: how.found.judged.leaveOut,
    holds: 'tasks',
    expand: row => expandVars(row.value, how.shared),
    read: row => taskOf(row, caseOfItem(row.value, how.shared), { id: `${name}-`, file }, how),
  }
}

/** @param isOneOfSeveral whether ids name the file that defines the tests */
function tableContent(how: How, name: string, isOneOfSeveral: boolean): FileContent {
  return {
    format: promptfooTable,
    leaveOut: how.found.judged.leaveOut,
    holds: 'tasks',
    read: row => {
      const [item = {}] = expandVars(itemOfRow(row), how.shared)
      return taskOf(row, caseOfItem(item, how.shared), { id: isOneOfSeveral ? `${name}-` : 'row-', file: name }, how)
    },
  }
}

function taskOf(row: Row, one: PromptfooCase, { id, file }: { readonly id: string; readonly file: string }, { ask, found }: How) {
  const number = String(row.position).padStart(4, '0')
  const task = caseTask(id + number, ask(one), one, found.judged)
  const judged = found.judged.leaveOut ? [] : one.assertions.filter(({ type }) => needsJudge(type)).map(({ type }) => judgeNeeded(type))
  for (const message of new Set([...one.left, ...judged])) found.parts.push({ file, line: row.line, message })
  if (one.assertions.length === 0) found.unasserted++
  for (const { metric } of one.assertions.flatMap(each => [each, ...(each.assert ?? [])])) if (metric) found.metrics.add(metric)
  return task
}

function refuseTags({ name, tagged }: YamlFile): void {
  const [first] = tagged
  if (first) throw orderFault(name, first.line, `"${first.path}" has the tag "${first.tag}", which cannot be imported.`)
}
