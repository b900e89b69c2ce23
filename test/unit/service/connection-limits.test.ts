import { once } from 'node:events'
import { createServer, Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createConnectionLimits } from '../../../src/service/http/connection-limits.ts'

const refused = (open: () => unknown) => expect(open).toThrow(expect.objectContaining({ code: 'rate_limited', status: 429 }))

test('one key has a hundred event streams, others have theirs, and one that ends makes room', () => {
  const limits = createConnectionLimits()
  const ends = Array.from({ length: 100 }, () => limits.openStream('greedy'))
  refused(() => limits.openStream('greedy'))
  limits.openStream('modest')
  ends[0]?.()
  // Ending twice counts once.
  ends[0]?.()
  limits.openStream('greedy')
  refused(() => limits.openStream('greedy'))
})

test('many keys together leave eight streams for each newcomer', () => {
  const limits = createConnectionLimits()
  for (const key of ['a', 'b', 'c', 'd', 'e']) for (let i = 0; i < 100; i++) limits.openStream(key)
  for (let i = 0; i < 8; i++) limits.openStream('newcomer')
  refused(() => limits.openStream('newcomer'))
})

test('every request of a connection that ends is over, also those that wait behind another, and a connection has four', async () => {
  const limits = createConnectionLimits()
  const replies: ServerResponse[] = []
  const ended: ServerResponse[] = []
  const server = createServer((_request, reply) => {
    replies.push(reply)
    reply.once('close', () => ended.push(reply))
  })
  limits.watch(server, 'connection')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a server that listens on a port
  const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
  const client = connect(port, '127.0.0.1')
  client.write(request.repeat(4))
  await vi.waitUntil(() => replies.length === 4)
  expect(ended).toEqual([])
  client.destroy()
  await vi.waitUntil(() => ended.length === 4)
  const greedy = connect(port, '127.0.0.1').on('error', () => undefined)
  greedy.write(request.repeat(5))
  await once(greedy, 'close')
  await vi.waitUntil(() => ended.length === replies.length)
  server.close()
})

test('a client shows who it is while the answer to its request before is being sent', async () => {
  const limits = createConnectionLimits()
  const admitted: unknown[] = []
  const server = createServer(({ socket, url }, reply) => {
    if (url === '/public') return void reply.write('begun')
    try {
      admitted.push(limits.admit(socket, 'key'))
    } catch (error) {
      admitted.push(error)
    }
  })
  limits.watch(server, 'connection')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a server that listens on a port
  const client = connect(port, '127.0.0.1')
  client.write('GET /public HTTP/1.1\r\nHost: a\r\n\r\nGET /own HTTP/1.1\r\nHost: a\r\n\r\n')
  await vi.waitUntil(() => admitted.length === 1)
  client.destroy()
  server.close()
  expect(admitted).toEqual([undefined])
})

test('refusals of strangers wait once there are many, those of clients that are known do not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const limits = createConnectionLimits(() => 0)
  const server = new Server()
  limits.watch(server, 'connection')
  const [stranger, known] = [new Socket(), new Socket()]
  for (const socket of [stranger, known]) server.emit('connection', socket)
  limits.admit(known, 'key')
  for (let i = 0; i < 2000; i++) await limits.refuse(stranger)
  let isRefused = false
  void limits.refuse(stranger).then(() => {
    isRefused = true
  })
  await limits.refuse(known)
  expect(isRefused).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isRefused).toBe(true)
  vi.useRealTimers()
})
