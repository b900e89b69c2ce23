import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { makePng } from '../support/media.ts'
import { temporaryFolder } from '../support/service.ts'

const folder = temporaryFolder()
const asked: string[] = []
const held: ServerResponse[] = []
let isHeld = true
/** Holds back half of every second picture until it is let go. */
const server = createServer((request, response) => {
  const path = request.url ?? ''
  asked.push(path)
  const picture = makePng([Number(path.slice(1)) * 10, 0, 0])
  response.writeHead(200)
  if (isHeld && Number(path.slice(1)) % 2 === 1) {
    response.write(picture.subarray(0, 20))
    held.push(response)
  } else response.end(picture)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  folder.remove()
})

test('a kill while media are downloaded loses none that were there, and takes none that came in part', async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
  const rows = Array.from({ length: 8 }, (_, i) => JSON.stringify({ question: `${i}?`, answer: 'a', image: `http://${host}/${i}` }))
  const body = new FormData()
  body.set('format', 'jsonl')
  body.set('name', 'Killed')
  body.set('fetch_media', JSON.stringify({ [host]: rows.length }))
  body.set('file', new Blob([rows.join('\n')]), 'd.jsonl')
  let service = await startChildService(folder.path)
  const reply = await fetch(`${service.baseUrl}/v1/catalog/imports`, { method: 'POST', body, headers: service.client.headers })
  const { id } = (await reply.json()) as { id: string } // an accepted import's record
  const read = ({ client }: ChildService) => client.call('getImport', { params: { import_id: id } })
  // All four at once are held, so that the others are there.
  await expect.poll(() => held.length).toBe(4)
  await expect.poll(async () => (await read(service)).fetch?.file_number).toBe(5)
  await service.kill()
  isHeld = false
  service = await startChildService(folder.path)
  await expect.poll(async () => (await read(service)).status).toBe('imported')
  expect(await read(service)).toMatchObject({ rows: { valid: 8 }, media: { files: 8 }, remote_media: [{ fetched: 8 }] })
  expect(asked.toSorted()).toEqual(['/0', '/1', '/1', '/2', '/3', '/3', '/4', '/5', '/5', '/6', '/7', '/7'])
  await service.stop()
})
