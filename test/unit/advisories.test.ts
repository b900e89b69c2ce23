import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readAdvisories } from '../support/advisories.ts'

/** Those that do not concern Assay, each with the reason. */
const accepted: Readonly<Record<string, string>> = {}

const Installed = z.record(z.string(), z.array(z.string()))

/** A registry on this machine that knows one advisory; what it was asked is kept. */
async function registry(name: string) {
  const asked: Record<string, string[]>[] = []
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET') {
      // npm reads which versions there are of what it was told about.
      const wanted = decodeURIComponent((request.url ?? '').slice(1))
      const versions = Object.fromEntries((asked[0]?.[wanted] ?? []).map(version => [version, { name: wanted, version }]))
      response.end(JSON.stringify({ name: wanted, 'dist-tags': {}, versions }))
      return
    }
    const advisory = {
      id: 1,
      url: 'https://example.com/1',
      title: 'Planted',
      severity: 'high',
      vulnerable_versions: '>=0',
      cwe: [],
      cvss: {},
    }
    void buffer(request).then(body => {
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
      asked.push(Installed.parse(JSON.parse(text)))
      response.end(JSON.stringify({ [name]: [advisory] }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has such an address
  return { url: `http://127.0.0.1:${port}/`, asked, close: () => new Promise(resolve => server.close(resolve)) }
}

describe('advisories of dependencies', () => {
  test('name the package that ships, what is known of it and where', async () => {
    const { url, asked, close } = await registry('better-sqlite3')
    const found = await readAdvisories({ ...process.env, npm_config_registry: url })
    await close()
    expect(found).toEqual([{ name: 'better-sqlite3', severity: 'high', title: 'Planted', url: 'https://example.com/1' }])
    expect(asked).toEqual([expect.objectContaining({ 'better-sqlite3': [expect.any(String)] })])
  })

  test('are unavailable, with the reason, where no registry answers', async () => {
    const { url, close } = await registry('better-sqlite3')
    await close()
    expect(await readAdvisories({ ...process.env, npm_config_registry: url })).toEqual({
      unavailable: expect.stringContaining('could not be read'),
    })
  })

  test.skipIf(process.env['ASSAY_ADVISORIES'] === undefined)(
    'of the configured registry are none of high severity (asked only by npm run test:advisories)',
    async ({ skip }) => {
      const found = await readAdvisories()
      if ('unavailable' in found) skip(found.unavailable)
      else expect(found.filter(({ severity, url }) => ['high', 'critical'].includes(severity) && !(url in accepted))).toEqual([])
    },
  )
})
