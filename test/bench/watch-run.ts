import { request } from 'node:http'
import type { MeasuredService } from './processes.ts'

/** A key may hold a hundred streams while there are few. */
const streamsOfKey = 100

/** Opens event streams on a run, by as many keys as that takes. `events` counts what they were sent until they ended. */
export async function watchRun(
  service: MeasuredService,
  runId: string,
  streams: number,
): Promise<{ ended(): Promise<{ events: number }> }> {
  const keys = await Promise.all(
    Array.from({ length: Math.ceil(streams / streamsOfKey) }, (_, i) =>
      service.client.call('createApiKey', { body: { name: `watcher ${i + 1}`, scopes: ['runs:read'] } }),
    ),
  )
  let events = 0
  const watch = (key: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { ...service.client.headers, authorization: `Bearer ${key}` }
      const stream = request(`${service.baseUrl}/v1/runs/${runId}/events`, { headers, agent: false }, reply => {
        if (reply.statusCode !== 200) reject(new Error(`An event stream was refused with ${reply.statusCode}.`))
        reply.setEncoding('utf8').on('data', (text: string) => {
          events += text.split('data: ').length - 1
        })
        reply.on('end', resolve).on('error', reject)
      })
      stream.on('error', reject).end()
    })
  const all = Array.from({ length: streams }, (_, i) => watch(keys[Math.floor(i / streamsOfKey)]?.key ?? ''))
  return {
    ended: async () => {
      await Promise.all(all)
      return { events }
    },
  }
}
