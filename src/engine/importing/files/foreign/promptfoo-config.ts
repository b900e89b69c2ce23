import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import type { FileContent, ImportSource } from '../import-source.ts'
import { type OpenedOrder, type OrderedFile, sourceOf } from '../import-order.ts'
import { noShots } from '../import-tally.ts'
import { orderFault } from '../order-fault.ts'
import { readYaml, type YamlFile } from '../read-yaml.ts'
import { type Row, RowError } from '../row.ts'
import { createJudged, type Judged, judgedAssertions } from './judged-assertions.ts'
import type { ForeignInput } from './foreign-task.ts'
import { caseTask, type PromptfooCase, readAssertion } from './promptfoo-case.ts'
import { promptfooBenchmark } from './promptfoo-benchmark.ts'
import { preparePrompts, type PromptfooPrompt } from './promptfoo-prompts.ts'
import { caseOfRow, promptfooTable, questionOfRow } from './promptfoo-tests.ts'
import { caseOfItem, type Defaults, expandVars, readDefaults } from './promptfoo-yaml-case.ts'

const mostPromptBytes = 1024 * 1024
const settings = /\.ya?ml$/i

interface Own {
  readonly title: string
  readonly slug: string
  readonly mapping: { readonly input?: string | undefined }
  readonly leaveOut?: boolean | undefined
}

/** Test cases alone: one of their variables is the question. */
export function openPromptfooTable({ title, slug, mapping, leaveOut = false }: Own, files: readonly OrderedFile[]): OpenedOrder {
  const how = { ask: preparePrompts(null, mapping.input), defaults: {}, judged: createJudged(leaveOut) }
  return {
    sources: files.map(file => sourceOf(file, tableContent(how, files.length > 1 ? file.name : null))),
    judged: () => judgedAssertions(how.judged),
    shots: noShots,
    define: () => promptfooBenchmark(title, slug, [{ label: 'Question', raw: '' }], how.judged.tests.size > 0 ? 'judged' : null),
  }
}

const Config = z.object({
  description: z.string().optional(),
  prompts: z.unknown().optional(),
  tests: z.unknown().optional(),
  scenarios: z.unknown().optional(),
  defaultTest: z.unknown().optional(),
})

/**
 * A configuration of promptfoo with the files that it names, or a list of its tests: each prompt a profile, each test a task.
 * @throws OrderFault naming the line of what cannot be imported
 */
export function openPromptfoo(own: Own, files: readonly OrderedFile[]): OpenedOrder {
  const yaml = files.filter(({ name }) => settings.test(name)).map(file => ({ file, read: readYaml(file) }))
  const main = yaml.find(({ read }) => !Array.isArray(read.value)) ?? yaml[0]
  if (!main) throw orderFault(files[0]?.name ?? '', null, 'The configuration must be a YAML file.')
  for (const { read } of yaml) refuseTags(read)
  const rest = new Map(files.filter(file => file !== main.file).map(file => [file.name, file]))
  const judged = createJudged(own.leaveOut ?? false)
  const { sources, prompts } = Array.isArray(main.read.value) ? listOfTests(own, main, judged) : configured(main, rest, yaml, judged)
  const [unused] = rest.values()
  if (unused) throw orderFault(unused.name, null, `"${main.file.name}" does not name this file.`)
  return {
    sources,
    shots: noShots,
    definedByFiles: true,
    judged: () => judgedAssertions(judged),
    define: () => promptfooBenchmark(own.title, own.slug, prompts, judged.tests.size > 0 ? 'judged' : null),
  }
}

interface ReadFile {
  readonly file: OrderedFile
  readonly read: YamlFile
}

function listOfTests({ mapping }: Own, main: ReadFile, judged: Judged) {
  const source = listSource(main, null, main.read.value, { ask: preparePrompts(null, mapping.input), defaults: {}, judged })
  return { sources: [source], prompts: [{ label: 'Question', raw: '' }] }
}

function configured(main: ReadFile, rest: Map<string, OrderedFile>, yaml: readonly ReadFile[], judged: Judged) {
  const { name } = main.file
  const config = Config.safeParse(main.read.value)
  if (!config.success) throw orderFault(name, null, 'The configuration must hold "prompts" and "tests".')
  const { prompts: given, tests, scenarios, defaultTest } = config.data
  const fault = (key: string, message: string) => orderFault(name, main.read.lineOf(key), message)
  if (scenarios !== undefined && scenarios !== null) throw fault('scenarios', '"scenarios" cannot be imported; write their tests out.')
  const defaults = orFault(
    () => readDefaults(defaultTest),
    message => fault('defaultTest', `"defaultTest": ${message}`),
  )
  const prompts = (Array.isArray(given) ? given : given === undefined ? [] : [given]).flatMap(prompt =>
    promptsOf(prompt, rest, message => fault('prompts', message)),
  )
  if (prompts.length === 0) throw fault('prompts', 'The configuration has no prompts.')
  const ask = orFault(
    () => preparePrompts(prompts, undefined),
    message => fault('prompts', message),
  )
  const sources = testSources(tests, main, rest, yaml, { ask, defaults, judged }, message => fault('tests', message))
  if (sources.length === 0) throw fault('tests', 'The configuration has no tests.')
  return { sources, prompts }
}

type Fault = (message: string) => Error

function orFault<Value>(read: () => Value, fault: Fault): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof RowError ? fault(error.message) : error
  }
}

const Prompt = z.union([
  z.string(),
  z.object({ raw: z.string(), label: z.string().optional() }),
  // With "id" the text or its file, as with "raw".
  z.object({ id: z.string(), label: z.string().optional() }).transform(({ id, label }) => ({ raw: id, label })),
])

function promptsOf(prompt: unknown, rest: Map<string, OrderedFile>, fault: Fault): PromptfooPrompt[] {
  const parsed = Prompt.safeParse(prompt)
  if (!parsed.success)
    throw fault(
      `A prompt must be a text, the address of a text file, or have "raw" or "id" with one of these, not ${JSON.stringify(prompt)?.slice(0, 100)}.`,
    )
  const { raw, label } = typeof parsed.data === 'string' ? { raw: parsed.data, label: undefined } : parsed.data
  const isFile = raw.startsWith('file://') || /^[\w./-]+\.(?:txt|md|json|ya?ml|js|cjs|mjs|ts|py|j2)$/.test(raw)
  if (!isFile) return [{ raw, label: label ?? raw.slice(0, 60) }]
  const file = taken(raw, rest, fault)
  if (!/\.(?:txt|md|json|j2)$/i.test(file.name))
    throw fault(`The prompt "${raw.slice(0, 200)}" is a program or another form; texts (.txt, .md, .json, .j2) can be imported.`)
  if (statSync(file.path).size > mostPromptBytes) throw fault(`The prompt "${file.name}" has more than ${mostPromptBytes} bytes.`)
  const text = readFileSync(file.path, 'utf8')
  const parts = /\.json$/i.test(file.name) ? [text] : text.split(/^---\s*$/m).map(part => part.trim())
  const name = label ?? file.name
  return parts.filter(part => part !== '').map((part, i) => ({ raw: part, label: parts.length > 1 ? `${name}, ${i + 1}` : name }))
}

/** The sent file that a path names; it counts as used. */
function taken(path: string, rest: Map<string, OrderedFile>, fault: Fault): OrderedFile {
  const name =
    path
      .replace(/^file:\/\//, '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  const file = rest.get(name)
  if (!file) throw fault(`It names "${path.slice(0, 200)}", which was not sent; send it beside the configuration.`)
  rest.delete(name)
  return file
}

/** How the tests of an import are asked and graded. */
interface How {
  readonly ask: ReturnType<typeof preparePrompts>
  readonly defaults: Defaults
  readonly judged: Judged
}

function testSources(
  tests: unknown,
  main: ReadFile,
  rest: Map<string, OrderedFile>,
  yaml: readonly ReadFile[],
  how: How,
  fault: Fault,
): ImportSource[] {
  const list = Array.isArray(tests) ? tests : tests === undefined || tests === null ? [] : [tests]
  const inline = list.filter(item => typeof item !== 'string')
  const paths = list.filter(item => typeof item === 'string')
  const lines = main.read.linesIn('tests').filter((_, i) => typeof list[i] !== 'string')
  return [
    ...(inline.length > 0 ? [listSource(main, lines, inline, how)] : []),
    ...paths.map(path => {
      if (!/\.(?:csv|tsv|jsonl?|ya?ml)$/i.test(path) || /^(?!file:)\w+:\/\//.test(path))
        throw fault(`The tests "${path.slice(0, 200)}" cannot be imported; there are files of CSV, JSON, JSON Lines and YAML.`)
      const file = taken(path, rest, fault)
      const read = yaml.find(one => one.file === file)
      if (read) return listSource(read, null, read.read.value, how)
      if (/\.[ct]sv$/i.test(file.name)) return sourceOf(file, tableContent(how, file.name))
      return sourceOf(file, itemContent({ kind: 'any', upstream: { kind: 'jsonl' } }, file.name, how))
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

function itemContent(format: FileContent['format'], name: string, { ask, defaults, judged }: How): FileContent {
  return {
    format,
    leaveOut: judged.leaveOut,
    holds: 'tasks',
    expand: row => expandVars(row.value, defaults),
    read: row => {
      const one = caseOfItem(row.value, defaults)
      return taskOf(row, one, name, ask(one), judged)
    },
  }
}

function tableContent({ ask, defaults, judged }: How, name: string | null): FileContent {
  return {
    format: promptfooTable,
    leaveOut: judged.leaveOut,
    holds: 'tasks',
    read: row => {
      const withDefaults = (one: PromptfooCase): PromptfooCase => ({
        ...one,
        vars: { ...defaults.vars, ...one.vars },
        prefix: one.prefix ?? defaults.options?.prefix,
        suffix: one.suffix ?? defaults.options?.suffix,
      })
      const asked = ask(withDefaults(questionOfRow(row)))
      const one = caseOfRow(row)
      const assertions = [...one.assertions, ...(defaults.assert ?? []).map(readAssertion)]
      return taskOf(row, withDefaults({ ...one, assertions, threshold: one.threshold ?? defaults.threshold }), name, asked, judged)
    },
  }
}

/** @param file that defines the tests, where there may be several */
function taskOf(row: Row, one: PromptfooCase, file: string | null, asked: ForeignInput, judged: Judged) {
  const number = String(row.position).padStart(4, '0')
  return caseTask(file === null ? `row-${number}` : `${file}-${number}`, asked, one, judged)
}

function refuseTags({ name, tagged }: YamlFile): void {
  const [first] = tagged
  if (first) throw orderFault(name, first.line, `"${first.path}" has the tag "${first.tag}", which cannot be imported.`)
}
