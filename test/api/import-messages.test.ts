import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FormatsAs, formatsAs } from '../../src/contract/catalog/file-formats.ts'
import { answersEnd, sendAnswers } from '../support/answers.ts'
import { AnswerFormat } from '../../src/contract/answers/answers.schemas.ts'
import { profileId } from '../support/runs.ts'
import { importFiles } from '../support/imports.ts'
import { makeZip } from '../support/make-zip.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Of the large suites one file in 24 is sent, and of results of tools the first four of a kind; every one with `npm run test:messages`. */
const step = Number(process.env['ASSAY_MESSAGES_STEP'] ?? 24)
const ofKind = step === 1 ? Number.POSITIVE_INFINITY : 4

type ImportFormat = FormatsAs<'benchmark'>

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** Words of parsers and schema libraries, and faults that come before their cure. */
const words = [
  /Invalid input/i,
  /Invalid (?:string|option|key|element|number|regular)/,
  /expected \w+, received/i,
  /Unexpected (?:token|end|number|string|non-whitespace|scalar|flow|block|seq|map|double|property)/i,
  /JSON at position/,
  /[Nn]ot valid (?:JSON|YAML)/,
  /end of central directory/i,
  /error parsing regexp/,
  /\bre2|\bzod\b|hyparquet|\bfooter\b|ArrayBuffer|undefined|\[object|TypeError|RangeError/i,
  /Implicit (?:keys|map)|Nested mappings|Plain value cannot|Map keys must|All (?:mapping|collection) items|Missing closing|must end with a|Unresolved (?:alias|tag)|Excessive alias/,
  /ENOENT|EISDIR|Z_DATA|incorrect header check|invalid (?:block|distance|stored)|unknown compression/i,
]

const shared = (path: string) => new URL(`../../../shared/${path}`, import.meta.url)
const hasShared = existsSync(shared('badinput'))

function filesIn(folder: string, every = 1): string[] {
  const root = fileURLToPath(shared(folder))
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(name => `${root}/${name}`)
    .filter(path => statSync(path).isFile() && statSync(path).size < 3_000_000)
    .filter((_, i) => i % every === 0)
}

/** The first files of each kind: a subfolder, which is a tool, and an ending. */
function kindsIn(folder: string): string[] {
  const kinds = Map.groupBy(filesIn(folder).toSorted(), path => path.replace(/[^/]*(?=\.)/, ''))
  return [...kinds.values()].flatMap(paths => paths.slice(0, ofKind))
}

/** Formats that a person may choose for a file: those of its name, and one that it does not have. */
const formatsFor = (path: string): readonly ImportFormat[] =>
  /\.ya?ml$/.test(path)
    ? ['promptfoo_yaml', 'lm_eval_yaml']
    : /\.csv$|\.tsv$/.test(path)
      ? ['csv', 'promptfoo_csv']
      : path.endsWith('.json')
        ? ['json', 'inspect_jsonl']
        : path.endsWith('.parquet')
          ? ['parquet']
          : /\.zip$|\.eval$/.test(path)
            ? ['lm_eval_yaml', 'parquet']
            : ['jsonl', 'openai_evals_jsonl']

/** Every text of a reply under a key that is shown as a message. */
function messagesIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return /^(?:message|msg|detail|warnings|left_out|notices|error|reason)$/.test(key) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(one => messagesIn(one, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => messagesIn(inner, name))
}

const plainly = (messages: readonly string[]) =>
  messages.filter(message => words.some(word => word.test(message.replaceAll(/"[^"]*"/g, '""'))))

async function benchmark(name: string, content: Uint8Array | string, format: ImportFormat, fields = {}): Promise<string[]> {
  const record = await importFiles(service, { format, name: 'Hostile', dry_run: 'true', ...fields }, [{ name, content }]).catch(
    (error: unknown) => ({ message: String(error) }),
  )
  return messagesIn(record).map(message => `${name} as ${format}: ${message}`)
}

async function answers(name: string, content: Uint8Array | string, fields: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const reply = await sendAnswers(service, { model: 'm', dry_run: 'true', ...fields }, [{ name, content }])
  const body: unknown = await reply.json()
  const id = typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string' ? body.id : null
  return messagesIn(reply.status === 202 && id !== null ? await answersEnd(service, id) : body).map(
    message => `${name} as answers: ${message}`,
  )
}

describe.skipIf(!hasShared)('every message of the importers is in plain words (skipped where ../shared/badinput is absent)', () => {
  const cases = hasShared
    ? [...filesIn('badinput/own'), ...kindsIn('cases/answers'), ...filesIn('cases/formats'), ...filesIn('badinput/fuzzdb', step)].concat(
        filesIn('badinput/jsontestsuite/test_parsing', step),
        filesIn('badinput/yaml/src', step),
      )
    : []

  test('of benchmarks, by each format that fits the name', async () => {
    const said: string[] = []
    for (const path of cases) {
      const content = new Uint8Array(readFileSync(path))
      for (const format of formatsFor(path)) said.push(...(await benchmark(path.split('/').at(-1) ?? '', content, format)))
    }
    expect(said.length).toBeGreaterThan(100)
    expect(plainly(said)).toEqual([])
  })

  test('of outputs of runs', async () => {
    const said: string[] = []
    for (const [i, path] of cases.entries()) {
      const content = new Uint8Array(readFileSync(path))
      // In turn, since each reader calls the same parsers.
      const format = AnswerFormat.options[i % AnswerFormat.options.length] ?? ''
      const profile = format === 'jsonl' ? { profile_id: await profileId(service.client, 'arithmetic-word-problems', 'zero-shot') } : {}
      said.push(...(await answers(path.split('/').at(-1) ?? '', content, { format, ...profile })))
    }
    expect(said.length).toBeGreaterThan(100)
    expect(plainly(said)).toEqual([])
  })

  test('of examples of a dataset and packages', async () => {
    const said: string[] = []
    const { id } = await service.client.call('createDataset', { body: { name: 'Hostile', task: 'answer' } })
    const upload = async (path: string, fields: Readonly<Record<string, string>>, name: string, content: Uint8Array) => {
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) form.set(key, value)
      form.append('file', new Blob([new Uint8Array(content)]), name)
      const reply = await service.fetch(path, { method: 'POST', body: form })
      said.push(...messagesIn(await reply.json()).map(message => `${name} at ${path}: ${message}`))
    }
    for (const path of cases.filter((_, i) => i % 3 === 0)) {
      const name = path.split('/').at(-1) ?? ''
      const content = new Uint8Array(readFileSync(path))
      const format = formatsFor(path).find(one => formatsAs('examples').some(known => known === one)) ?? 'jsonl'
      await upload(`/v1/datasets/${id}/imports`, { format, dry_run: 'true' }, name, content)
      await upload('/v1/creator/packages', {}, name, content)
    }
    expect(said.length).toBeGreaterThan(50)
    expect(plainly(said)).toEqual([])
  })
})

test('what a parser finds is said by what mends it, with its place', async () => {
  const cut = makeZip([{ name: 'a.yaml', content: Buffer.from('task: a') }]).subarray(0, 40)
  const said = await Promise.all([
    benchmark('a.jsonl', '{"input": "a", "target": "b"}\n{"input": "a" "target"}', 'jsonl'),
    benchmark('a.json', '[{"input": "a", "target": "b"},\n {"input": }]', 'json'),
    benchmark('a.yaml', 'prompts: ["a"\ntests: []', 'promptfoo_yaml'),
    benchmark('a.yaml', 'task: a\nmetadata:\n\tversion: 1', 'lm_eval_yaml'),
    benchmark('a.parquet', 'PAR1 but cut', 'parquet'),
    benchmark('a.zip', cut, 'lm_eval_yaml'),
    answers('a.json', '{"version": 2, "status": ', { format: 'inspect_log' }),
  ])
  expect(plainly(said.flat())).toEqual([])
  expect(said.map(messages => messages[0])).toEqual([
    'a.jsonl as jsonl: Put a "," or "}" at column 15. The JSON breaks off there.',
    expect.stringContaining('Put a value, texts in double quotes, at column'),
    expect.stringContaining('Close the bracket that is open further up'),
    expect.stringContaining('Indent the line with spaces instead of a tab'),
    expect.stringContaining('Download it again'),
    expect.stringContaining('Choose another format'),
    expect.stringContaining('where the text ends. The JSON breaks off there.'),
  ])
})
