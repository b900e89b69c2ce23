import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assayHere } from '../support/assay-here.ts'
import { startMcpServer } from '../support/mcp-http-server.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

let service: TestService
let server: Awaited<ReturnType<typeof startMcpServer>>
let length = 0
const root = temporaryFolder()
beforeAll(async () => {
  service = await startTestService()
  server = await startMcpServer(about => (length > 0 ? 'x'.repeat(length) : `Note about ${about}; token sk-proj-${'a1B2'.repeat(12)}`))
})
afterAll(async () => {
  await server.close()
  await service.close()
  root.remove()
})

const here = (...args: string[]) => assayHere(['world', ...args, '--data-dir', service.dataDir])

/** A folder with one task that asks the server's tool about a person. */
function folderOf(url: string, about = 'ada@corp.test'): string {
  const folder = mkdtempSync(join(root.path, 'world-'))
  const call = { name: 'note_of', arguments: { about } }
  const world = { slug: 'notes', title: 'Notes', tools: [{ name: 'note_of', behavior: { kind: 'mcp', server: { url } } }] }
  const task = {
    id: 'one',
    messages: [{ role: 'user', content: 'What is noted?' }],
    expected: { calls: { exact: [call] } },
    reference: { calls: [call], answer: 'Something.' },
  }
  writeFileSync(join(folder, 'world.yaml'), stringify(world))
  writeFileSync(join(folder, 'tasks.jsonl'), JSON.stringify(task))
  return folder
}

test('a tool over HTTP is recorded without secrets, and the reference that names a person replays', async () => {
  const folder = folderOf(server.url)
  expect(await here('record', folder, '--approve', server.url)).toMatchObject({ code: 0, out: expect.stringContaining('1 call') })
  const cassette = readFileSync(join(folder, 'cassettes', 'note_of.jsonl'), 'utf8')
  expect(cassette).toContain('"about":"ada@corp.test"')
  expect(cassette).toContain('Note about person1@example.com')
  expect(cassette).not.toContain('a1B2a1B2')
  expect(await here('check', folder)).toMatchObject({ code: 0, out: expect.stringContaining('1 of 1 references pass') })
})

test('an approved address that redirects elsewhere is not followed', async () => {
  const folder = folderOf(server.movedUrl)
  const recorded = await here('record', folder, '--approve', server.movedUrl)
  expect(recorded).toMatchObject({ code: 2, err: expect.stringContaining('did not answer') })
  expect(server.redirected()).toBeGreaterThan(0)
})

test('a result that no world holds is refused, and nothing is written', async () => {
  const folder = folderOf(server.url)
  length = 70_000
  const recorded = await here('record', folder, '--approve', server.url)
  length = 0
  expect(recorded).toMatchObject({ code: 2, err: expect.stringContaining('answered 70000 characters') })
  expect(await here('record', folder, '--approve', server.url)).toMatchObject({ code: 0 })
})

test('links out of a folder are neither read nor written through', async () => {
  const outside = mkdtempSync(join(root.path, 'outside-'))
  writeFileSync(join(outside, 'private.js'), '() => ({ state: {}, result: "PRIVATE" })')
  writeFileSync(join(outside, 'victim'), 'untouched')

  const linked = folderOf(server.url)
  mkdirSync(join(linked, 'tools'))
  symlinkSync(join(outside, 'private.js'), join(linked, 'tools', 'private.js'))
  const tools = [{ name: 'private', behavior: { kind: 'function', file: 'tools/private.js' } }]
  writeFileSync(join(linked, 'world.yaml'), stringify({ slug: 'notes', title: 'Notes', tools }))
  expect(await here('check', linked)).toMatchObject({ code: 2, err: expect.stringContaining('tools/private.js is outside') })

  const folder = folderOf(server.url)
  symlinkSync(outside, join(folder, 'cassettes'))
  expect(await here('record', folder, '--approve', server.url)).toMatchObject({ code: 2, err: expect.stringContaining('is outside') })
  rmSync(join(folder, 'cassettes'))
  mkdirSync(join(folder, 'cassettes'))
  symlinkSync(join(outside, 'victim'), join(folder, 'cassettes', 'note_of.jsonl'))
  expect(await here('record', folder, '--approve', server.url)).toMatchObject({ code: 2, err: expect.stringContaining('is outside') })
  expect(readFileSync(join(outside, 'victim'), 'utf8')).toBe('untouched')
})
