import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { JSDOM } from 'jsdom'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AnswerImport } from '../../src/contract/answers/answers.schemas.ts'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { Run } from '../../src/contract/runs/runs.schemas.ts'
import { confirm } from '../../src/headless/client/find-running.ts'
import { connect as connectService } from '../../src/headless/client/service-client.ts'
import { braintrustKey } from '../support/trace-providers/braintrust-server.ts'
import { connect, startProvider } from '../support/trace-providers/connected.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { assay, startAssay } from '../support/assay.ts'
import { assayHere } from '../support/assay-here.ts'
import { frozenVersion } from '../support/judging.ts'
import { ensureNamespace, packageZip, sums as sumsOf } from '../support/packages.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

let service: TestService
const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  await service.close()
  folder.remove()
})

const here = (...args: string[]) => assayHere([...args, '--data-dir', service.dataDir])
const elsewhere = (...args: string[]) => assay([...args, '--data-dir', service.dataDir])
const unknownId = crypto.randomUUID()
/** A file where a folder is wanted. */
const notFolder = import.meta.filename
const sums = ['--benchmark', 'arithmetic-word-problems']
const config = (model: string, more = '') => `version: 1
model: ${model}
benchmarks: [arithmetic-word-problems]
coverage: {sample: 120, seed: 7}
${more}`

const ended = new Map<string, Promise<string>>()

/** The id of an ended run of the model, the same one for every test. */
function runOf(model: string): Promise<string> {
  const found = ended.get(model) ?? runFor(model)
  ended.set(model, found)
  return found
}

async function runFor(model: string): Promise<string> {
  const { code, out } = await here('run', '--model', model, ...sums, '--sample', '120', '--seed', '7', '--wait', '--json', '--quiet')
  expect(code).toBe(0)
  const { run_id: id } = JSON.parse(out) as { run_id: string } // a result, as the contract has it
  return id
}

describe('usage', () => {
  test.each([
    [['nonsense'], 'unknown command'],
    [['run', '--nonsense'], 'unknown option'],
    [['run', ...sums], '--model is missing'],
    [['run', '--model', 'assay/oracle-75', '--model', 'assay/echo', ...sums], 'a run has one model'],
    [
      ['run', '--model', 'assay/oracle-75', ...sums, '--evaluator', 'no-such'],
      '--evaluator must be a UUID, not "no-such". "assay evaluators" lists them.',
    ],
    [
      ['run', '--model', 'assay/oracle-75', ...sums, '--evaluator', unknownId],
      `--evaluator: there is no evaluator version "${unknownId}" in this workspace. "assay evaluators" lists them.`,
    ],
    [
      ['quote', '--model', 'assay/oracle-75', ...sums, '--evaluator', unknownId],
      `--evaluator: there is no evaluator version "${unknownId}"`,
    ],
    [
      ['quote', '--model', 'assay/oracle-75', ...sums, '--evaluator', unknownId, '--evaluator', unknownId],
      `--evaluator: "${unknownId}" is selected twice\n`,
    ],
    [['evaluators', 'show', 'no-such'], 'must be a UUID, not "no-such"'],
    [['package', 'init', notFolder], `The folder ${notFolder} could not be made`],
    [['world', 'init', notFolder], `${notFolder}/tools could not be made`],
    [['calibrate', crypto.randomUUID()], '--dataset-version is missing'],
    [['package', 'upload', '/no/such/file.zip'], '/no/such/file.zip: no such file or directory'],
    [['run', '--model', 'assay/oracle-75', ...sums, '--fail-under', 'primary=2'], 'METRIC=SCORE'],
    [['run', '--model', 'assay/oracle-75', ...sums, '--no-regression'], 'needs a "baseline"'],
    [['quote', '--model', 'assay/oracle-75', '--benchmark', 'arithmetic-word-problems:no-such'], 'has no profile'],
    [['quote', '--model', 'no such model', ...sums], 'is called "no such model"'],
    [['runs', 'show', 'not-an-id'], 'No run has the id or name "not-an-id"'],
    [['run', '--model', 'assay/oracle-75', '--benchmark', 'no-such'], '"assay benchmarks" lists them'],
    [['run', '--model', 'assay/oracle-75', ...sums, '--sample', '0'], '--sample must be at least 1'],
    [['run', '--model', 'assay/oracle-75', ...sums, '--sample', '1.5'], '--sample must be a whole number'],
    [['run', '--model', 'assay/oracle-75', ...sums, '--junit', '/no/such/folder/junit.xml'], '/no/such/folder does not exist'],
    [['import', '/no/such/file', '--format', 'jsonl'], '/no/such/file: no such file or directory'],
    [['import', folder.path, '--format', 'jsonl'], 'is not a file'],
    [['import', 'x', '--format', 'jsonl', '--fetch-media', 'a.example'], 'must be HOST=COUNT'],
    [['import', 'x', '--format', 'jsonl', '--fetch-media', 'a.example=1', '--fetch-media', 'a.example=2'], 'names a.example twice'],
    [['runs', '--data-dir', ''], 'must name a folder'],
    [['export', 'x', '--format', 'docx'], 'docx'],
    [['export', 'x', '--format', 'csv', '-o', ''], 'The name of the file is empty'],
    [['verify', '/no/such/record'], 'The file cannot be read: /no/such/record: no such file or directory'],
    [['score', '/no/such/rows'], 'The file cannot be read: /no/such/rows: no such file or directory'],
    [['stats', '--vectors', '/no/such/rows'], 'The file cannot be read: /no/such/rows: no such file or directory'],
    [['run', '--config', '/no/such/config'], 'The file cannot be read: /no/such/config: no such file or directory'],
  ])('%j exits with 2', async (args, message) => {
    const { code, out, err } = await here(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })

  test.each([
    [['no-such-command'], "unknown command 'no-such-command'"],
    [['runs', '--no-such-option'], "unknown option '--no-such-option'"],
    [['export', 'x'], "required option '--format <format>' not specified"],
    [['export', 'x', '--format', 'docx'], "option '--format <format>' argument 'docx' is invalid"],
    [['restore', 'x'], "too many arguments for 'restore'"],
  ])('%j with --json is refused in JSON', async (args, message) => {
    const { code, out, err } = await here(...args, '--json')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(JSON.parse(err)).toEqual({ error: { code: 'usage', message: expect.stringContaining(message) } })
  })

  test('names the line and column of a fault in assay.yaml', async () => {
    writeFileSync(file('bad.yaml'), config('assay/oracle-75', 'gates:\n  fail_under:\n    primary: 7\n'))
    const { code, err } = await here('run', '--config', file('bad.yaml'))
    expect(code).toBe(2)
    expect(err).toContain('bad.yaml:7:14: gates.fail_under.primary')
  })
})

test('refuses a baseline that does not exist before anything is run', async () => {
  const before = await service.client.call('listRuns', { query: {} })
  const { code, err } = await here('run', '--model', 'assay/oracle-75', ...sums, '--no-regression', '--baseline', crypto.randomUUID())
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('There is no run') as string })
  expect(await service.client.call('listRuns', { query: {} })).toEqual(before)
})

test('refuses a baseline without a result, as the run that it would attach to, before anything is run', async () => {
  const ended = Promise.withResolvers<null>()
  const models = await startModelServer({ answers: () => '#### 13', held: asked => (asked > 10 ? ended.promise : null) })
  onTestFinished(() => models.close())
  onTestFinished(() => ended.resolve(null))
  const { id } = await service.client.call('createConnection', {
    body: { name: 'held model', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 2 } },
  })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  const what = ['--model', 'held model', ...sums, '--sample', '30', '--quiet']
  const { run_id: runId } = JSON.parse((await here('run', ...what, '--json')).out) as { run_id: string } // a submitted run
  const again = await here('run', ...what, '--resume', '--no-regression', '--baseline', 'latest')
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining(`the run ${runId} is`) as string })
  expect(again.err).toContain('no result to compare with')
  await service.client.call('cancelRun', { params: { run_id: runId } })
})

test('refuses a baseline that is the run of its own quote', async () => {
  const { out } = await here('quote', '--model', 'assay/oracle-75', ...sums, '--json', '--quiet')
  const { id } = JSON.parse(out) as { id: string } // a quote, as the contract has it
  expect((await here('run', '--quote', id, '--wait')).code).toBe(0)
  const again = await here('run', '--quote', id, '--no-regression', '--baseline', 'latest')
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('is the run of this command itself') as string })
})

test('goes on when its reader is gone, and exits by its own outcome', async () => {
  const command = startAssay(['benchmarks', '--json', '--data-dir', service.dataDir], { isReaderGone: true })
  expect(await command.ended).toEqual({ code: 0, out: '', err: '' })
  const args = ['export', await runOf('assay/oracle-75'), '--format', 'json', '--data-dir', service.dataDir]
  expect(await startAssay(args, { isReaderGone: true }).ended).toEqual({ code: 0, out: '', err: '' })
})

test.skipIf(!existsSync('/dev/full'))('says once that its output could not be written', async () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  for (const args of [['export', await runOf('assay/oracle-75'), '--format', 'json'], ['benchmarks']])
    expect(await startAssay([...args, '--data-dir', service.dataDir], { out: full }).ended).toEqual({
      code: 1,
      out: '',
      err: 'The output could not be written: no space left on device\n',
    })
})

test('reads again over a socket that was closed as it was used, changes nothing twice, and says who did not answer', async () => {
  const client = await connectService(service.dataDir)
  const cut = () => new TypeError('fetch failed', { cause: new Error('other side closed') })
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(cut())
  onTestFinished(() => fetched.mockRestore())
  expect(await client.call('getMe', {})).toMatchObject({ workspaces: [{ id: service.workspaceId }] })
  fetched.mockRejectedValueOnce(cut())
  await expect(client.call('startBackup', {})).rejects.toThrow(`The service at ${service.baseUrl} did not answer: other side closed`)
  expect(fetched).toHaveBeenCalledTimes(3)
})

test('says that no service runs, without sending anything', async () => {
  const { code, err } = await assay(['runs', '--data-dir', file('empty')])
  expect(code).toBe(1)
  expect(err).toContain('No service is running')
})

test('prints the body of the API alone with --json, and a table otherwise', async () => {
  const [json, table] = await Promise.all([elsewhere('models', '--json', '--search', 'oracle'), elsewhere('models', 'list')])
  expect(JSON.parse(json.out)).toMatchObject({ items: [{ route_id: 'assay/oracle-50' }, {}, {}], next_cursor: null })
  expect(json.err).toBe('')
  expect(table.out).toMatch(/^ROUTE +TITLE +KIND +STATUS\n/)
})

describe('assay connections', () => {
  test('adds a connection that is checked and can be quoted by its name, with the key of an environment variable', async () => {
    const models = await startModelServer({ answers: () => '#### 13' })
    onTestFinished(() => models.close())
    vi.stubEnv('MY_PROVIDER_KEY', 'sk-from-the-environment')
    onTestFinished(() => void vi.unstubAllEnvs())
    const prices = ['--input-price', '0.25', '--output-price', '1.5', '--key-env', 'MY_PROVIDER_KEY']
    const added = await here('connections', 'add', '--url', models.baseUrl, '--model', 'replay', '--name', 'from a terminal', ...prices)
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining('from a terminal  replay  ready') as string })
    const listed = await service.client.call('listConnections', { query: {} })
    const connection = listed.items.find(({ name }) => name === 'from a terminal')
    expect(connection).toMatchObject({
      has_api_key: true,
      rates: { input_microusd_per_million: '250000', output_microusd_per_million: '1500000' },
    })
    expect(await here('connections', 'check', connection?.id ?? '')).toMatchObject({ code: 0 })
    expect(await here('connections', 'check', 'from a terminal')).toMatchObject({ code: 0 })
    expect(await here('connections', 'check', 'no such')).toMatchObject({ code: 2, err: expect.stringContaining('id or name "no such"') })
    const quoted = await here('quote', '--model', 'from a terminal', ...sums, '--benchmark', 'logic-choice', '--sample', '20')
    const warnings = quoted.out.split('\n').filter(line => line.startsWith('Warning'))
    expect({ code: quoted.code, warnings }).toEqual({ code: 0, warnings: [...new Set(warnings)] })
    expect(warnings.filter(line => line.includes('With 20 tasks'))).toHaveLength(1)
  })

  test('keeps one that does not answer, says why and exits with 1', async () => {
    const closed = await startModelServer({ answers: () => '' })
    await closed.close()
    const { code, out } = await here('connections', 'add', '--url', closed.baseUrl, '--model', 'gone')
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/gone {2}gone {2}failing\n.*ECONNREFUSED/s) as string })
  })

  test.each([
    [['add', '--model', 'm'], '--url is missing'],
    [['add', '--url', 'http://127.0.0.1:4887/v1'], '--model is missing'],
    [['add', '--url', 'nonsense', '--model', 'm'], 'base_url'],
    [['add', '--url', 'http://127.0.0.1:4887/v1', '--model', 'm', '--key-env', 'NOT_SET_ANYWHERE'], 'NOT_SET_ANYWHERE is not set'],
    [['add', '--url', 'http://127.0.0.1:4887/v1', '--model', 'm', '--input-price', '1'], '--output-price'],
    [['add', '--url', 'http://127.0.0.1:4887/v1', '--model', 'm', '--protocol', 'smoke'], '--protocol'],
    [['delete', 'x'], '"assay connections --help" has every action'],
  ])('%j exits with 2', async (args, message) => {
    const { code, out, err } = await here('connections', ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })
})

test('traces reconnect gives an integration a new key from an environment variable', async () => {
  const server = await startProvider('braintrust', [])
  onTestFinished(() => server.close())
  const { id } = await connect(service.client, 'braintrust', server.url)
  vi.stubEnv('NEW_TRACE_KEY', braintrustKey)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { code, out } = await here('traces', 'reconnect', id, '--key-env', 'NEW_TRACE_KEY')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/connected {2}key …/) as string })
  expect(out).not.toContain(braintrustKey)
  vi.stubEnv('NEW_TRACE_KEY', 'sk-of-nobody-at-all')
  expect(await here('traces', 'reconnect', id, '--key-env', 'NEW_TRACE_KEY')).toMatchObject({ code: 2 })
  expect(await here('traces', 'reconnect', id)).toMatchObject({ code: 2, err: expect.stringContaining('--key-env is missing') as string })
})

test('gives the same quote digest for the same file', async () => {
  writeFileSync(file('assay.yaml'), config('assay/oracle-75'))
  const quotes = [await here('quote', '--config', file('assay.yaml')), await here('quote', '--config', file('assay.yaml'))]
  const digests = quotes.map(({ err }) => /digest ([0-9a-f]{64})/.exec(err)?.[1])
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(digests[1]).toBe(digests[0])
  writeFileSync(file('other.yaml'), config('assay/oracle-75', 'execution: {epochs: 2}'))
  expect((await here('quote', '--config', file('other.yaml'))).err).not.toContain(digests[0])
})

test('writes an assay.yaml that can be quoted, and leaves one that is there', async () => {
  const path = file('first.yaml')
  expect(await here('init', path)).toMatchObject({ code: 0 })
  expect(await here('quote', '--config', path)).toMatchObject({ code: 0 })
  expect(await here('init', path)).toMatchObject({ code: 2 })
})

test('imports a file, and names its faults by line', async () => {
  writeFileSync(file('good.jsonl'), '{"id":"a","question":"1+1?","answer":"2"}\n{"id":"b","question":"1+2?","answer":"3"}\n')
  writeFileSync(file('bad.jsonl'), '{"id":"a","question":"1+1?","answer":"2"}\n{bad\n')
  const good = await here('import', file('good.jsonl'), '--format', 'jsonl', '--name', 'Two sums')
  expect(good).toMatchObject({ code: 0, out: expect.stringContaining('imported: eval://') as string })
  // What follows the host is a file.
  const fetching = ['--fetch-media', 'a.example=1', '--fetch-media', 'b.example:8080=2', file('good.jsonl')]
  expect(await here('import', '--format', 'jsonl', '--name', 'Two sums', '--dry-run', ...fetching)).toMatchObject({ code: 0 })
  const bad = await here('import', file('bad.jsonl'), '--format', 'jsonl', '--name', 'Bad', '--dry-run')
  expect(bad).toMatchObject({ code: 1, out: expect.stringContaining('bad.jsonl:2: ') as string })
})

describe('gates', () => {
  test('fail a pipeline with 100 on a planted regression, and pass without', async () => {
    const baseline = await runOf('assay/oracle-90')
    const gated = (model: string, junit: string) => {
      writeFileSync(file(`${junit}.yaml`), config(model, `gates: {baseline: ${baseline}, no_regression: true}`))
      return here('run', '--config', file(`${junit}.yaml`), '--junit', file(`${junit}.xml`))
    }
    const [same, worse] = [await gated('assay/oracle-90', 'same'), await gated('assay/oracle-50', 'worse')]
    expect(same).toMatchObject({ code: 0, out: expect.stringContaining('PASS') as string })
    expect(worse).toMatchObject({ code: 100, out: expect.stringContaining('FAIL') as string })
    const { document } = new JSDOM(readFileSync(file('worse.xml')), { contentType: 'text/xml' }).window
    expect(document.querySelectorAll('testcase')).toHaveLength(120)
    expect(Number(document.documentElement.getAttribute('failures'))).toBe(document.querySelectorAll('failure').length)
  })

  test('decide by a threshold: 100 below it, 3 where there is no such metric', async () => {
    const id = await runOf('assay/oracle-75')
    const codes = []
    for (const gate of ['primary=0.5', 'exact_match_strict=0.99', 'no_such=0.5'])
      codes.push((await here('wait', id, '--fail-under', gate)).code)
    expect(codes).toEqual([0, 100, 3])
  })

  test('are refused before anything runs where no benchmark has the metric', async () => {
    const before = await service.client.call('listRuns', { query: {} })
    const { code, err } = await here('run', '--model', 'assay/oracle-75', ...sums, '--sample', '5', '--fail-under', 'no_such=0.5')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('has a metric "no_such"') as string })
    expect(await service.client.call('listRuns', { query: {} })).toEqual(before)
  })

  test('are inconclusive on five tasks, whatever they show', async () => {
    const five = [...sums, '--sample', '5', '--seed', '5', '--quiet']
    const baseline = JSON.parse((await here('run', '--model', 'assay/oracle-90', ...five, '--wait', '--json')).out) as { run_id: string } // a result
    const gates = ['--baseline', baseline.run_id, '--no-regression']
    const codes = []
    for (const also of [[], ['--fixed-tasks']]) codes.push((await here('run', '--model', 'assay/echo', ...five, ...gates, ...also)).code)
    expect(codes).toEqual([3, 100])
  })
})

test('loses no run when it is killed', async () => {
  const killed = Promise.withResolvers<null>()
  const models = await startModelServer({ answers: () => '#### 13', held: asked => (asked > 10 ? killed.promise : null) })
  onTestFinished(() => models.close())
  const { id } = await service.client.call('createConnection', {
    body: { name: 'slow model', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 2 } },
  })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  const { out } = await here('quote', '--model', 'slow model', ...sums, '--sample', '30', '--json', '--quiet')
  const { id: quoteId } = JSON.parse(out) as { id: string } // a quote, as the contract has it
  const command = startAssay(['run', '--quote', quoteId, '--wait', '--data-dir', service.dataDir])
  const [, runId = ''] = await command.waitFor(/Run (\S+) was submitted/)
  await command.waitFor(/running \d+ %/)
  command.kill('SIGKILL')
  await command.ended
  killed.resolve(null)
  // The same command again finds the run that the first one started.
  const again = await here('run', '--quote', quoteId, '--json', '--quiet')
  expect(JSON.parse(again.out)).toMatchObject({ run_id: runId })
  const waited = await here('wait', runId)
  expect(waited.code).toBe(0)
  const run = Run.parse(await service.client.call('getRun', { params: { run_id: runId } }))
  expect(run).toMatchObject({ status: 'complete', progress: { scored: 30, retries: 0 } })
})

test('changes what a file says by options, and names a run by what ran', async () => {
  writeFileSync(file('changed.yaml'), config('assay/oracle-50', 'execution: {epochs: 2}'))
  const evaluator = await service.client.call('createEvaluator', {
    body: { name: 'Any', definition: { kind: 'deterministic', scorer: 'assay/pattern', options: { pattern: '.' } } },
  })
  const options = [
    '--model',
    'assay/oracle-75',
    '--sample',
    '12',
    '--temperature',
    '0.5',
    '--concurrency',
    '3',
    '--top-p',
    '0.9',
    '--model-seed',
    '11',
    '--evaluator',
    evaluator.id,
  ]
  const { code, out } = await here('run', '--config', file('changed.yaml'), ...options, '--json', '--quiet')
  expect(code).toBe(0)
  const { run } = JSON.parse(out) as { run: Run } // a submitted run, as the command has it
  expect(run).toMatchObject({
    name: 'assay/oracle-75 on arithmetic-word-problems, 12 tasks',
    model: { route_id: 'assay/oracle-75' },
    coverage: { sample_count: 12, seed: 7, epochs: 2 },
    execution: { temperature: 0.5, concurrency: 3, top_p: 0.9, model_seed: 11, evaluators: [evaluator.id] },
  })
})

test('prints the API’s own reply for a refusal with --json', async () => {
  const { code, out, err } = await here('runs', 'show', crypto.randomUUID(), '--json')
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(ErrorBody.parse(JSON.parse(err)).error).toMatchObject({ code: 'not_found', feedback: { url: '/v1/feedback' } })
})

test('uploads a package and waits for its checks', async () => {
  await ensureNamespace(service.client)
  writeFileSync(file('package.zip'), packageZip(sumsOf(12)))
  const { code, out } = await here('package', 'upload', file('package.zip'))
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^[0-9a-f-]{36} {2}in_review\n$/) as string })
})

test('recommends tasks, lists keys and reports a defect', async () => {
  const found = await here('recommend', 'Solve arithmetic word problems', '--tasks', '5')
  expect(found).toMatchObject({ code: 0, out: expect.stringContaining('arithmetic-word-problems') as string })
  expect(await here('keys')).toMatchObject({ code: 0, out: expect.stringMatching(/^ID +NAME/) as string })
  const report = await here('feedback', 'The list is empty', '--kind', 'docs', '--severity', 'nice_to_have', '--json')
  expect(report.code).toBe(0)
  const { items } = await service.client.call('listFeedback', { query: {} })
  expect(items[0]).toMatchObject({ summary: 'The list is empty', kind: 'docs', severity: 'nice_to_have' })
})

test('calibrates an evaluator and exits by the verdict', async () => {
  const { versionId } = await frozenVersion(service.client, 40)
  const evaluatorOf = async (pattern: string) =>
    (
      await service.client.call('createEvaluator', {
        body: { name: pattern, definition: { kind: 'deterministic', scorer: 'assay/pattern', options: { pattern } } },
      })
    ).id
  const good = await here('calibrate', await evaluatorOf('^yes$'), '--dataset-version', versionId)
  expect(good).toMatchObject({ code: 0, out: expect.stringMatching(/^usable: kappa 1\.00 .*\(n = 40\)/) as string })
  const poor = await here('calibrate', await evaluatorOf('.'), '--dataset-version', versionId)
  expect(poor).toMatchObject({ code: 100, out: expect.stringMatching(/^(weak|uninformative)/) as string })
})

describe('a run that is under way', () => {
  const slow = async (name: string) => {
    // It is under way until it is cancelled: the checks and some answers, and no more.
    const never = new Promise(() => {})
    const models = await startModelServer({ answers: () => '#### 13', held: asked => (asked > 20 ? never : null) })
    onTestFinished(() => models.close())
    const { id } = await service.client.call('createConnection', {
      body: { name, base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 1 } },
    })
    await service.client.call('checkConnection', { params: { connection_id: id } })
    return ['run', '--model', name, ...sums, '--sample', '60', '--wait']
  }

  test('continues after Ctrl+C, which says how to watch it; the second one leaves; the same command attaches', async () => {
    const line = await slow('interrupted model')
    const command = startAssay([...line, '--data-dir', service.dataDir])
    const [, runId = ''] = await command.waitFor(/Run (\S+) was submitted/)
    await command.waitFor(/running \d+ %/)
    command.kill('SIGINT')
    await command.waitFor(new RegExp(`Run ${runId} continues[^]*assay runs watch ${runId}[^]*assay cancel ${runId}[^]*--resume`))
    command.kill('SIGINT')
    expect((await command.ended).code).toBe(130)
    const again = startAssay([...line, '--resume', '--data-dir', service.dataDir])
    await again.waitFor(new RegExp(`Attached: Run ${runId} does the same`))
    again.kill('SIGKILL')
    await again.ended
    const watched = startAssay(['runs', 'watch', runId, '--data-dir', service.dataDir])
    await watched.waitFor(/running \d+ %/)
    await here('cancel', runId)
    expect((await watched.ended).out).toContain('cancelled')
    const { items } = await service.client.call('listRuns', { query: { q: 'interrupted model' } })
    expect(items.map(({ id }) => id)).toEqual([runId])
  })

  test('is named by the same command without --resume, which submits another', async () => {
    const line = (await slow('doubled model')).filter(word => word !== '--wait')
    const first = (await here(...line)).out.trim().split('\n').at(-1) ?? ''
    const { err, out } = await here(...line)
    expect(err).toContain(`Run ${first} does the same`)
    const second = out.trim().split('\n').at(-1) ?? ''
    expect(second).not.toBe(first)
    for (const id of [first, second]) await here('cancel', id)
  })
})

test.each([
  ['', true],
  ['y', true],
  ['No', false],
])('the offer to attach takes "%s" for %s', async (answer, attach) => {
  const input = Readable.from([`${answer}\n`])
  expect(await confirm('Attach to it?', input, new PassThrough())).toBe(attach)
})

test('exports a run in every format, and a benchmark as Croissant', async () => {
  const id = await runOf('assay/oracle-75')
  const target = file('run.eval')
  expect(await here('export', id, '--format', 'inspect', '-o', target)).toMatchObject({ code: 0 })
  const taken = await here('export', id, '--format', 'csv', '-o', target)
  expect(taken).toMatchObject({ code: 2, err: expect.stringContaining('replace it with --force') as string })
  expect(await here('export', id, '--format', 'inspect', '-o', target, '--force')).toMatchObject({ code: 0 })
  const form = new FormData()
  form.append('file', new Blob([readFileSync(target)]), 'run.eval')
  const reply = await service.fetch('/v1/runs/imports', { method: 'POST', body: form })
  expect(AnswerImport.parse(await reply.json()).format).toBe('inspect_log')
  const nowhere = await here('export', id, '--format', 'csv', '-o', '/no/such/folder/run.csv')
  expect(nowhere).toEqual({ code: 1, out: '', err: '/no/such/folder/run.csv could not be written: no such file or directory\n' })
  const onFolder = await here('export', id, '--format', 'csv', '-o', folder.path)
  expect(onFolder).toMatchObject({ code: 1, err: expect.stringContaining('illegal operation on a directory') as string })
  const croissant = await here('export', 'arithmetic-word-problems', '--format', 'croissant')
  expect(JSON.parse(croissant.out)).toMatchObject({ '@type': 'sc:Dataset', conformsTo: 'http://mlcommons.org/croissant/1.1' })
})

test('completes commands and options for shells', async () => {
  const [script, suggestions] = await Promise.all([assay(['completion', 'bash']), assay(['complete', '--', 'ru'])])
  expect(script.out).toContain('assay')
  expect(suggestions.out).toMatch(/^run\b/m)
})
