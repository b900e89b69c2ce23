import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const require = createRequire(import.meta.url)
let service: TestService
let legacy: Promise<Record<string, string[]>>
let modern: Promise<Record<string, string[]>>
beforeAll(async () => {
  service = await startTestService()
  legacy = failuresByScenario('--suite', 'all', '--spec-version', '2025-11-25')
  modern = failuresByScenario('--requirements', '2026-07-28')
  // A failure belongs to the test that awaits it.
  for (const begun of [legacy, modern]) begun.catch(() => {})
})
afterAll(async () => {
  await Promise.allSettled([legacy, modern])
  await service.close()
})

/** The program that a package names, run to its end. */
async function run(program: string, args: readonly string[], cwd: string): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...process.env, HOME: cwd }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const status = await new Promise<number | null>(resolve => child.once('close', resolve))
  return { status, output }
}

function scratch(): string {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  return path
}

describe('the official inspector', () => {
  const cli = join(dirname(require.resolve('@modelcontextprotocol/inspector/package.json')), 'clients/launcher/build/index.js')
  const inspect = (...args: string[]) =>
    run(
      cli,
      ['--cli', `${service.baseUrl}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${service.file.api_key}`, ...args],
      scratch(),
    )

  test('lists tools and finds no schema that a client could refuse', async () => {
    const { status, output } = await inspect('--method', 'tools/list', '--strict')
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('"compare_runs"') })
  })

  test('calls a tool', async () => {
    const { status, output } = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'list_benchmarks',
      '--tool-arg',
      'query=word problems',
    )
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('arithmetic-word-problems') })
  })
})

const Checks = z.array(z.object({ status: z.string(), errorMessage: z.string().optional() }))
const conformance = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')

/** What fails of each scenario; the suite waits for most of its time, so that both eras go beside the other tests. */
async function failuresByScenario(...scenarios: string[]): Promise<Record<string, string[]>> {
  const { path, remove } = temporaryFolder()
  const proxy = await withKey()
  try {
    await run(conformance, ['server', '--url', proxy.url, '--output-dir', path, ...scenarios], path)
    const found = readdirSync(path).map(folder => {
      const checks = Checks.parse(JSON.parse(readFileSync(join(path, folder, 'checks.json'), 'utf8')))
      const scenario = /^server-(?<name>.+)-\d{4}-\d\d-\d\dT/.exec(folder)?.groups?.['name'] ?? folder
      return [scenario, checks.flatMap(({ status, errorMessage = '' }) => (status === 'FAILURE' ? [errorMessage] : []))] as const
    })
    return Object.fromEntries(found)
  } finally {
    proxy.close()
    remove()
  }
}

describe('the official conformance suite', () => {
  // The other scenarios call tools, prompts and resources of a server made for the suite, or concern capabilities that are not declared.
  const both = ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection']

  test('passes what concerns every server of the protocol before 2026-07-28', async () => {
    const failures = await legacy
    for (const scenario of [...both, 'server-initialize', 'ping']) expect({ [scenario]: failures[scenario] }).toEqual({ [scenario]: [] })
  })

  test('passes what the 2026-07-28 protocol requires of every server', async () => {
    const failures = await modern
    const required = ['caching', 'http-header-validation', 'sep-2164-resource-not-found', 'server-sse-multiple-streams']
    const inputs = ['missing-input-response', 'unsupported-methods', 'ignore-extra-params', 'validate-input']
    for (const scenario of [...both, ...required, ...inputs.map(name => `input-required-result-${name}`)])
      expect({ [scenario]: failures[scenario] }).toEqual({ [scenario]: [] })
    // 24 checks pass; four need the suite's own tools.
    expect(failures['server-stateless']).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^Not testable: .*diagnostic tool/)))
  })
})

/** The suite sends no key: this adds it, names the service where the suite names this, and passes everything else on as it came. */
async function withKey(): Promise<{ readonly url: string; readonly close: () => void }> {
  const { host: serviceHost, hostname, port } = new URL(service.baseUrl)
  let own = ''
  const proxy = createServer((incoming, response) => {
    const renamed = (value: string | undefined) => value?.replace(own, serviceHost)
    const { host, origin, ...rest } = incoming.headers
    const named = { ...(host === undefined ? {} : { host: renamed(host) }), ...(origin === undefined ? {} : { origin: renamed(origin) }) }
    const headers = { ...rest, ...named, authorization: `Bearer ${service.file.api_key}` }
    const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, reply => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  own = typeof address === 'object' && address ? `127.0.0.1:${address.port}` : ''
  const close = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  return { url: `http://${own}/mcp`, close }
}
