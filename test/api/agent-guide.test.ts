import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { runToEnd } from '../support/runs.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const plain = async (path: string) => {
  const reply = await fetch(service.baseUrl + path)
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  return reply.text()
}

test('is linked from /llms.txt, and every address in both is served', async () => {
  const [llms, guide] = [await plain('/llms.txt'), await plain('/docs/agents')]
  expect(llms).toContain('/docs/agents')
  const paths = [...new Set([...`${llms}\n${guide}`.matchAll(/(?:\]\(|: )(\/[\w./]+)/g)].map(match => match[1] ?? ''))]
  expect(paths).toContain('/v1/openapi.json')
  for (const path of paths) expect({ path, status: (await fetch(service.baseUrl + path)).status }).not.toMatchObject({ status: 404 })
})

test('has bodies that work when pasted, from a quote to a comparison', async () => {
  const guide = await plain('/docs/agents')
  const known: Record<string, string> = {}
  const filled = (text: string) => Object.entries(known).reduce((sent, [name, value]) => sent.replaceAll(name, value), text)
  const post = async (path: string, key: string) => {
    const body = new RegExp(`POST ${path}\\n +(\\{.+\\})\\n`).exec(guide)?.[1]
    if (body === undefined) throw new Error(`The guide has no body for ${path}.`)
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    const reply = await service.fetch(path, { method: 'POST', headers, body: filled(body) })
    const answer = (await reply.json()) as { id: string; run_id: string } // ids are strings by the contract
    expect({ path, status: reply.status, answer }).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) })
    return answer
  }
  const { items } = await service.client.call('listBenchmarks', { query: { q: 'word problems' } })
  known['PROFILE_ID'] = items.find(({ quote_availability: { status } }) => status === 'ready_for_quote')?.profile_ids[0] ?? ''
  for (const name of ['RUN_A', 'RUN_B']) {
    known['QUOTE_ID'] = (await post('/v1/quotes', `quote ${name}`.replace(' ', '-'))).id
    known[name] = (await post('/v1/runs', name)).run_id
    await runToEnd(service.client, service.baseUrl, known[name])
  }
  await post('/v1/comparisons', 'comparison')
  await post('/v1/connections', 'connection')
  await post('/v1/feedback', 'feedback')
})

test('is named where a key is refused and where a path is unknown', async () => {
  const refused = await fetch(`${service.baseUrl}/v1/runs`, { headers: { authorization: 'Bearer asy_old' } })
  expect(await refused.text()).toContain('read service.json again')
  const unknown = await fetch(`${service.baseUrl}/no/such/path`, { headers: { accept: 'application/json' } })
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toMatchObject({ error: { code: 'not_found', message: expect.stringContaining('/docs/agents') } })
})

test('the quickstart of the README works when pasted', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, script = ''] = /### Quickstart\n[^]*?```bash\n([^]*?)```/.exec(readme) ?? []
  expect(script.trim().split('\n')).toHaveLength(10)
  const env = { ...process.env, ASSAY_DATA_DIR: service.dataDir }
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  await once(child, 'close')
  expect({ code: child.exitCode, printed }).toEqual({
    code: 0,
    printed: expect.stringMatching(/^exact_match_flexible: 0\.\d+ \[0\.\d+, 0\.\d+\], n = 100$/m) as string,
  })
})
