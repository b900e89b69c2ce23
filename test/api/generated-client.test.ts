import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { generate } from 'orval'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService, temporaryFolder } from '../support/service.ts'

/** What an author writes against the generated client: the job in six requests, each with the smallest body that the guide shows. */
const job = `
import { createQuote, getRun, getRunResults, listBenchmarks, listModels, submitRun } from './client.ts'

const { API_KEY, WORKSPACE_ID } = process.env
const headers = { authorization: 'Bearer ' + API_KEY, 'x-workspace-id': WORKSPACE_ID ?? '' }

function accepted<Reply extends { status: number }, Status extends Reply['status']>(reply: Reply, status: Status): Extract<Reply, { status: Status }> {
  if (reply.status !== status) throw new Error(JSON.stringify(reply))
  return reply as Extract<Reply, { status: Status }>
}

const benchmarks = accepted(await listBenchmarks({ q: 'word problems' }, { headers }), 200)
const profile = benchmarks.data.items.find(item => item.quote_availability.status === 'ready_for_quote')?.profile_ids[0]
const models = accepted(await listModels({}, { headers }), 200)
const model = models.data.items.find(route => route.route_id === 'assay/oracle-75')
if (!profile || !model) throw new Error('nothing to run')
const quote = accepted(
  await createQuote(
    {
      model: { kind: 'managed', route_id: model.route_id },
      selection: { profile_ids: [profile] },
      coverage: { mode: 'sample', sample_count: 20, seed: 1 },
      max_charge_microusd: '0',
    },
    { headers },
  ),
  201,
)
const submitted = accepted(
  await submitRun({ quote_id: quote.data.id, name: 'Generated' }, { headers: { ...headers, 'idempotency-key': quote.data.id } }),
  202,
)
for (;;) {
  const run = accepted(await getRun(submitted.data.run_id, { headers }), 200)
  if (run.data.status === 'complete') break
  if (run.data.status === 'failed' || run.data.status === 'cancelled') throw new Error(run.data.status)
}
const results = accepted(await getRunResults(submitted.data.run_id, {}, { headers }), 200)
console.log(JSON.stringify(results.data.metrics.map(({ estimate: { mean, n } }) => ({ mean, n }))))
`

const require = createRequire(import.meta.url)

test('generates a client that compiles strictly and does the six-request job', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { path: folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const document = await (await fetch(`${service.baseUrl}/v1/openapi.json`)).text()
  writeFileSync(join(folder, 'openapi.json'), document)
  await generate({
    input: join(folder, 'openapi.json'),
    output: { target: join(folder, 'client.ts'), client: 'fetch', mode: 'single', baseUrl: service.baseUrl },
  })
  writeFileSync(join(folder, 'job.ts'), job)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [dirname(dirname(require.resolve('@types/node/package.json')))],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  const compiled = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  expect({ status: compiled.status, output: compiled.stdout }).toEqual({ status: 0, output: '' })
  const env = { ...process.env, API_KEY: service.file.api_key, WORKSPACE_ID: service.workspaceId }
  const child = spawn(process.execPath, [join(folder, 'job.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) printed += String(chunk)
  expect(JSON.parse(printed)).toContainEqual({ mean: expect.closeTo(0.75, 0), n: 20 })
})
