import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const require = createRequire(import.meta.url)
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

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

  it('lists tools and finds no schema that a client could refuse', async () => {
    const { status, output } = await inspect('--method', 'tools/list', '--strict')
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('"compare_runs"') })
  })

  it('calls a tool', async () => {
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

describe('the official conformance suite', () => {
  const program = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')
  // The other scenarios call tools, prompts and resources that a server made for the suite has.
  const scenarios = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection']

  it.each(scenarios)('passes %s', async scenario => {
    const url = await withKey()
    const { status, output } = await run(program, ['server', '--url', url, '--scenario', scenario], scratch())
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/Passed: [1-9]\d*\/\d+, 0 failed/) })
  })
})

/** The suite sends no key: this adds it, names the service where the suite names this, and passes everything else on as it came. */
async function withKey(): Promise<string> {
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
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const address = proxy.address()
  own = typeof address === 'object' && address ? `127.0.0.1:${address.port}` : ''
  return `http://${own}/mcp`
}
