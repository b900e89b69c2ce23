import { createServer } from 'node:http'
import { z } from 'zod'
import { listen, type RunningServer } from '../journeys/model-server/listen.ts'
import type { TestClient } from './service.ts'
import { rates } from './judging.ts'

const Body = z.object({ model: z.string(), input: z.array(z.string()) })

export interface EmbeddingServer extends RunningServer {
  /** Texts of every request so far, the check's left out. */
  readonly asked: string[][]
}

/** Serves `/v1/embeddings`, in another order than asked, as the protocol allows. A vector of undefined refuses the request. */
export async function startEmbeddings(vectorOf: (text: string) => readonly number[] | undefined): Promise<EmbeddingServer> {
  const asked: string[][] = []
  const server = createServer((request, response) => {
    const answer = async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      const send = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (request.url !== '/v1/embeddings') return send(404, { error: { message: 'Only embeddings are served here.' } })
      const { input, model } = Body.parse(JSON.parse(Buffer.concat(chunks).toString()))
      const isCheck = input[0]?.startsWith('Reply with the single word') === true
      if (!isCheck) asked.push(input)
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: isCheck ? [1, 0] : vectorOf(text) }))
      if (data.some(({ embedding }) => embedding === undefined)) return send(400, { error: { message: 'Unknown text.' } })
      send(200, {
        object: 'list',
        data: data.toReversed(),
        model,
        usage: { prompt_tokens: 5 * input.length, total_tokens: 5 * input.length },
      })
    }
    void answer()
  })
  const running = await listen(server, 0)
  return { ...running, asked, baseUrl: `${running.baseUrl}/v1` }
}

/** A checked connection to it. */
export async function connectEmbeddings(client: TestClient, { baseUrl }: RunningServer, priced = false): Promise<string> {
  const { id } = await client.call('createConnection', {
    body: {
      kind: 'openai_compatible',
      protocol: 'openai_embeddings',
      name: 'Embeddings',
      base_url: baseUrl,
      model: 'vectors',
      ...(priced && { rates }),
    },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  return id
}
