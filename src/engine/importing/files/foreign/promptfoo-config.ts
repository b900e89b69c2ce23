import { z } from 'zod'
import type { FileContent, ImportSource } from '../import-source.ts'
import { type LeftPart, type OpenedOrder, type OrderedFile, sourceOf } from '../import-order.ts'
import { noShots } from '../import-tally.ts'
import { orderFault } from '../order-fault.ts'
import { readYaml, type YamlFile } from '../read-yaml.ts'
import { type Row, RowError } from '../row.ts'
import { createJudged, type Judged, judgeNeeded, judgedAssertions, needsJudge } from './judged-assertions.ts'
import { caseTask, hasScripts, type PromptfooCase } from './promptfoo-case.ts'
import { promptfooBenchmark } from './promptfoo-benchmark.ts'
import { SentFiles } from './promptfoo-files.ts'
import { preparePrompts, type PromptfooPrompt } from './promptfoo-prompts.ts'
import { type ProviderSettings, readProviders } from './promptfoo-providers.ts'
import { itemOfRow, promptfooTable } from './promptfoo-tests.ts'
import { caseOfItem, expandVars, readDefaults, type Shared } from './promptfoo-yaml-case.ts'

const settings = /\.ya?ml$/i

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
  isScripted: boolean
  unasserted: number
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
    noted: () => (found.unasserted === 0 ? [] : [unassertedNote(found.unasserted)]),
    define: () =>
      promptfooBenchmark(title, slug, prompts, {
        without: parts.length > 0 ? 'left_out' : judged.tests.size > 0 ? 'judged' : null,
        isScripted: found.isScripted,
        asked,
      }),
  }
}

function unassertedNote(count: number): string {
  return `${count === 1 ? 'One test has' : `${count} tests have`} no assertion that is graded here: asked, answered and without a score.`
}

function foundBy({ leaveOut = false }: Own): Found {
  return { judged: createJudged(leaveOut), parts: [], isScripted: false, unasserted: 0 }
}

/** Test cases alone: one of their variables is the question. */
export function openPromptfooTable(own: Own, files: readonly OrderedFile[]): OpenedOrder {
  const found = foundBy(own)
  const how = { ask: preparePrompts(null, own.mapping.input), shared: sharedNothing(new SentFiles([])), found }
  const sources = files.map(file => sourceOf(file, tableContent(how, file.name, files.length > 1)))
  return opened(own, found, sources, [{ label: 'Question', raw: '' }], nothing)
}

function sharedNothing(files: SentFiles): Shared {
  return { defaults: {}, files, templates: {} }
}

const Config = z.looseObject({
  prompts: z.unknown().optional(),
  tests: z.unknown().optional(),
  scenarios: z.unknown().optional(),
  defaultTest: z.unknown().optional(),
  providers: z.unknown().optional(),
  targets: z.unknown().optional(),
  assertionTemplates: z.record(z.string(), z.unknown()).nullish(),
})
/** Parts of a configuration that would change prompts or grading. */
const unusedParts = ['extensions', 'nunjucksFilters', 'derivedMetrics', 'redteam']

/**
 * A configuration of promptfoo with the files that it names, or a list of its tests: each prompt a profile, each test a task.
 * @throws OrderFault naming the line of what cannot be imported
 */
export function openPromptfoo(own: Own, files: readonly OrderedFile[]): OpenedOrder {
  const yaml = files.filter(({ name }) => settings.test(name)).map(file => ({ file, read: readYaml(file) }))
  const main = yaml.find(({ read }) => !Array.isArray(read.value) && isConfig(read.value)) ?? yaml[0]
  if (!main) throw orderFault(files[0]?.name ?? '', null, 'The configuration must be a YAML file.')
  for (const { read } of yaml) refuseTags(read)
  const sent = new SentFiles(files.filter(file => file !== main.file))
  const found = foundBy(own)
  if (Array.isArray(main.read.value)) {
    const how = { ask: preparePrompts(null, own.mapping.input), shared: sharedNothing(sent), found }
    const source = listSource(main, null, main.read.value, how)
    return namingUnused(opened(own, found, [source], [{ label: 'Question', raw: '' }], nothing), main, sent)
  }
  const { sources, prompts, asked } = configured(main, sent, yaml, found)
  return namingUnused(opened(own, found, sources, prompts, asked), main, sent)
}

function isConfig(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'prompts' in value
}

/** Files that nothing names are known once the tests were read. */
function namingUnused(order: OpenedOrder, main: ReadFile, sent: SentFiles): OpenedOrder {
  return {
    ...order,
    definedByFiles: true,
    noted: () => {
      const unused = sent.unused()
      return [...(order.noted?.() ?? []), ...(unused ? [`"${main.file.name}" does not name "${unused.name}", which was not read.`] : [])]
    },
  }
}

interface ReadFile {
  readonly file: OrderedFile
  readonly read: YamlFile
}

function configured(main: ReadFile, sent: SentFiles, yaml: readonly ReadFile[], found: Found) {
  const { name } = main.file
  const config = Config.safeParse(main.read.value)
  if (!config.success) throw orderFault(name, null, 'The configuration must hold "prompts" and "tests".')
  const { prompts: given, tests, scenarios, defaultTest, assertionTemplates } = config.data
  const fault = (key: string, message: string) => orderFault(name, main.read.lineOf(key), message)
  const left = (key: string, message: string) => found.parts.push({ file: name, line: main.read.lineOf(key) ?? 1, message })
  if (scenarios !== undefined && scenarios !== null) throw fault('scenarios', '"scenarios" cannot be imported; write their tests out.')
  const reading = <Value>(key: string, read: () => Value): Value => orFault(read, message => fault(key, message))
  const defaults = orFault(
    () => readDefaults(defaultTest, sent),
    message => fault('defaultTest', `"defaultTest": ${message}`),
  )
  for (const key of unusedParts) if (config.data[key] != null) left(key, `"${key}" is not imported.`)
  const providers = config.data.providers === undefined ? 'targets' : 'providers'
  const asked = readProviders(config.data[providers])
  for (const message of asked.left) left(providers, message)
  const prompts = [given ?? []].flat().flatMap((prompt: unknown) => {
    try {
      return promptsOf(prompt, sent)
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      left('prompts', error.message)
      return []
    }
  })
  if (prompts.length === 0) throw fault('prompts', found.parts.at(-1)?.message ?? 'The configuration has no prompts.')
  const ask = reading('prompts', () => preparePrompts(prompts, undefined))
  const shared = { defaults, files: sent, templates: assertionTemplates ?? {} }
  const sources = reading('tests', () => testSources(tests, main, yaml, { ask, shared, found }))
  if (sources.length === 0) throw fault('tests', 'The configuration has no tests.')
  return { sources, prompts, asked }
}

function orFault<Value>(read: () => Value, fault: (message: string) => Error): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof RowError ? fault(error.message) : error
  }
}

const Prompt = z.union([
  z.string(),
  z.looseObject({ raw: z.string(), label: z.string().optional() }),
  // With "id" the text or its file, as with "raw".
  z.looseObject({ id: z.string(), label: z.string().optional() }).transform(({ id, label }) => ({ raw: id, label })),
])

/** @throws RowError */
function promptsOf(prompt: unknown, sent: SentFiles): PromptfooPrompt[] {
  const parsed = Prompt.safeParse(prompt)
  if (!parsed.success)
    throw new RowError(
      `A prompt must be a text, the address of a text file, or have "raw" or "id" with one of these, not ${JSON.stringify(prompt)?.slice(0, 100)}.`,
    )
  const { raw, label } = typeof parsed.data === 'string' ? { raw: parsed.data, label: undefined } : parsed.data
  const isFile = raw.startsWith('file://') || /^[\w./*-]+\.(?:txt|md|jsonl?|ya?ml|[cm]?js|ts|py|j2)$/.test(raw)
  if (!isFile) return [{ raw, label: label ?? raw.slice(0, 60) }]
  if (!/\.(?:txt|md|jsonl?|j2|ya?ml|\*)$/i.test(raw))
    throw new RowError(
      `The prompt "${raw.slice(0, 200)}" is a program or another form; texts (.txt, .md, .json, .yaml, .j2) can be imported.`,
    )
  return sent.matching(raw).flatMap(({ name }) => {
    const parts = promptTexts(name, sent)
      .map(text => text.trim())
      .filter(text => text !== '')
    return parts.map((part, i) => ({ raw: part, label: parts.length > 1 ? `${label ?? name}, ${i + 1}` : (label ?? name) }))
  })
}

/** Prompts in a file: one of JSON or YAML, a line of JSON Lines each, or texts between lines of dashes. */
function promptTexts(name: string, sent: SentFiles): string[] {
  if (settings.test(name)) return [JSON.stringify(sent.settings(name))]
  const text = sent.text(name)
  if (/\.json$/i.test(name)) return [text]
  return /\.jsonl$/i.test(name) ? text.split('\n') : text.split(/^---\s*$/m)
}

/** How the tests of an import are asked and graded. */
interface How {
  readonly ask: ReturnType<typeof preparePrompts>
  readonly shared: Shared
  readonly found: Found
}

/** @throws RowError, OrderFault */
function testSources(tests: unknown, main: ReadFile, yaml: readonly ReadFile[], how: How): ImportSource[] {
  const list = [tests ?? []].flat()
  const inline = list.filter(item => typeof item !== 'string')
  const paths = list.filter(item => typeof item === 'string')
  const lines = main.read.linesIn('tests').filter((_, i) => typeof list[i] !== 'string')
  return [
    ...(inline.length > 0 ? [listSource(main, lines, inline, how)] : []),
    ...paths.flatMap(path => {
      if (!/\.(?:csv|tsv|jsonl?|ya?ml)$/i.test(path) || /^(?!file:)\w+:\/\//.test(path))
        throw new RowError(`The tests "${path.slice(0, 200)}" cannot be imported; there are files of CSV, JSON, JSON Lines and YAML.`)
      const found = how.shared.files.matching(path).map(file => ({ file, read: yaml.find(one => one.file === file) }))
      // Folders are not sent, so that a pattern may match other files of settings.
      const isTests = ({ read }: (typeof found)[number]) => found.length === 1 || !read || Array.isArray(read.read.value)
      return found.filter(isTests).map(({ file, read }) => {
        if (read) return listSource(read, null, read.read.value, how)
        if (/\.[ct]sv$/i.test(file.name)) return sourceOf(file, tableContent(how, file.name, true))
        return sourceOf(file, itemContent({ kind: 'any', upstream: { kind: 'jsonl' } }, file.name, how))
      })
    }),
  ]
}

/** Tests defined in a configuration file. */
function listSource({ file, read }: ReadFile, lines: readonly number[] | null, list: unknown, how: How): ImportSource {
  if (!Array.isArray(list)) throw orderFault(file.name, null, 'The file must hold a list of tests.')
  const at = lines ?? read.linesIn(null)
  const rows = list.map((item: unknown, i) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? ({ kind: 'row', line: at[i] ?? 1, value: { ...item } } as const)
      : ({ kind: 'problem', line: at[i] ?? 1, message: 'A test must be an object with "vars" and "assert".' } as const),
  )
  return sourceOf(file, itemContent({ kind: 'given', rows }, file.name, how))
}

function itemContent(format: FileContent['format'], name: string, how: How): FileContent {
  return {
    format,
    leaveOut: how.found.judged.leaveOut,
    holds: 'tasks',
    expand: row => expandVars(row.value, how.shared),
    read: row => taskOf(row, caseOfItem(row.value, how.shared), name, true, how),
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
      return taskOf(row, caseOfItem(item, how.shared), name, isOneOfSeveral, how)
    },
  }
}

function taskOf(row: Row, one: PromptfooCase, file: string, isOneOfSeveral: boolean, { ask, found }: How) {
  const number = String(row.position).padStart(4, '0')
  const task = caseTask(isOneOfSeveral ? `${file}-${number}` : `row-${number}`, ask(one), one, found.judged)
  const judged = found.judged.leaveOut ? [] : one.assertions.filter(({ type }) => needsJudge(type)).map(({ type }) => judgeNeeded(type))
  for (const message of new Set([...one.left, ...judged])) found.parts.push({ file, line: row.line, message })
  if (hasScripts(one)) found.isScripted = true
  if (one.assertions.length === 0) found.unasserted++
  return task
}

function refuseTags({ name, tagged }: YamlFile): void {
  const [first] = tagged
  if (first) throw orderFault(name, first.line, `"${first.path}" has the tag "${first.tag}", which cannot be imported.`)
}
