import { Agent, request } from 'node:http'
import { z } from 'zod'

/** What a minimal client does: keeps its sockets, sends each body, parses each answer, stores nothing. */
const Job = z.object({ url: z.string(), bodies: z.array(z.string()), samples: z.number(), connections: z.number() })

process.on('message', message => {
  void run(Job.parse(message)).then(answer => process.send?.({ kind: 'bare', ...answer }))
})

async function run({ url, bodies, samples, connections }: z.infer<typeof Job>): Promise<{ seconds: number; cpuMs: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const cpu = process.cpuUsage()
  const started = performance.now()
  let next = 0
  const work = async () => {
    for (let i = next++; i < samples; i = next++) await ask(agent, url, bodies[i % bodies.length] ?? '')
  }
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  agent.destroy()
  return { seconds, cpuMs: (user + system) / 1000 }
}

function ask(agent: Agent, url: string, body: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request(url, { method: 'POST', agent, headers }, reply => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())))
    })
    call.on('error', reject)
    call.end(body)
  })
}
