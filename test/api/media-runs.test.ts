import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Connection } from '../../src/contract/connections/connections.schemas.ts'
import { openZip } from '../../src/engine/archives/read-zip.ts'
import { saveJudge } from '../support/judging.ts'
import { makePng } from '../support/media.ts'
import { makeZip } from '../support/make-zip.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

const Body = z.object({
  model: z.string(),
  messages: z.array(
    z.object({ content: z.union([z.string(), z.array(z.looseObject({ image_url: z.object({ url: z.string() }).optional() }))]) }),
  ),
})

const Listed = z.array(z.object({ digest: z.string(), file: z.string() }))

/** Colour and size of a PNG that `makePng` made, by decoding it. */
function describePng(bytes: Buffer): string {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const at = bytes.indexOf('IDAT', 0, 'latin1')
  const pixels = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
  return `${pixels[1]},${pixels[2]},${pixels[3]} ${width}x${height}`
}

const names = new Map([
  ['0,0,255 64x64', 'Blue'],
  ['255,255,0 64x64', 'yellow.'],
])

/**
 * A model that sees: it answers what the pictures of a request are. The model `blind` sees none; `judge` passes an output that says what is
 * in the picture that it gets.
 */
function startVisionEndpoint(): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    if (request.method !== 'POST') return void response.writeHead(404).end()
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { messages, model } = Body.parse(JSON.parse(Buffer.concat(chunks).toString()))
      const urls = messages.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.flatMap(part => part.image_url?.url ?? []),
      )
      const seen = urls.map(url => describePng(Buffer.from(url.replace('data:image/png;base64,', ''), 'base64')))
      const asked = messages.at(-1)?.content
      const text = typeof asked === 'string' ? asked : JSON.stringify(asked)
      const isQuestion = model === 'judge' && text.includes('VERDICT')
      const verdict = seen.length === 1 && text.split(seen[0] ?? '').length > 1 ? 'pass' : 'fail'
      const content = isQuestion
        ? `VERDICT: ${verdict}`
        : model === 'blind'
          ? 'blue'
          : seen.map(one => names.get(one) ?? one).join(' and ') || 'nothing'
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: 'x', object: 'chat.completion', model: 'm', choices, usage }))
    })
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))
}

let service: TestService
let vision: Server
beforeAll(async () => {
  service = await startTestService()
  vision = await startVisionEndpoint()
})
afterAll(async () => {
  await service.close()
  vision.closeAllConnections()
  vision.close()
})

const count = 40
const colours = Array.from({ length: count }, (_, i) => [i * 6, 255 - i * 6, (i * 37) % 256] as const)

async function connect(model: string): Promise<Connection> {
  const { port } = vision.address() as AddressInfo // it listens on a port
  const { id } = await service.client.call('createConnection', {
    body: { name: model, base_url: `http://127.0.0.1:${port}/v1`, model, api_key: 'sk-none-1234', probes: ['images'] },
  })
  return service.client.call('checkConnection', { params: { connection_id: id } })
}

describe('a run of tasks with pictures', () => {
  test('sends each picture whole: a model that decodes them is right on all but the one that was changed', async () => {
    const rows = colours.map((colour, i) => ({
      id: `p${i}`,
      question: 'Colour and size?',
      // The picture of this one is another than its answer says.
      answer: i === 7 ? '0,0,0 8x8' : `${colour.join(',')} ${8 + i}x8`,
      image: `p/${i}.png`,
    }))
    const record = await importToEnd(service, {
      fields: { format: 'jsonl', name: 'Seen' },
      files: [
        {
          name: 'seen.zip',
          content: new Uint8Array(
            makeZip([
              { name: 'rows.jsonl', content: Buffer.from(rows.map(row => JSON.stringify(row)).join('\n')) },
              ...colours.map((colour, i) => ({ name: `p/${i}.png`, content: makePng(colour, { width: 8 + i, height: 8 }) })),
            ]),
          ),
        },
      ],
    })
    expect(record).toMatchObject({ status: 'imported', media: { files: count } })
    const connection = await connect('m')
    expect(connection.last_check?.capabilities).toMatchObject([{ capability: 'images', verified: true }])
    expect(connection.capabilities).toContain('images')
    const { id, compatibility } = await quote(service.client, {
      model: { kind: 'connection', connection_id: connection.id },
      profiles: [await profileId(service.client, 'seen', 'zero-shot')],
    })
    expect(compatibility.checks).toContainEqual(
      expect.objectContaining({ status: 'pass', detail: expect.stringContaining('m took images when it was checked') }),
    )
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
    expect(items.filter(({ passed }) => passed !== true).map(({ task_id }) => task_id)).toEqual(['p7'])
    expect(items.every(({ images }) => images.length === 1)).toBe(true)
    const reply = await service.fetch(`/v1/runs/${run.id}/exports/zip`)
    expect(reply.headers.get('content-disposition')).toContain('.zip')
    const archive = openZip(Buffer.from(await reply.arrayBuffer()))
    const listed = Listed.parse(JSON.parse(archive.read('media.json').toString()))
    expect(listed).toHaveLength(count)
    const shown = archive.read('samples/00001.jsonl').toString()
    for (const { digest, file } of listed) {
      expect(shown).toContain(`"media":"${digest}"`)
      expect(`sha256:${createHash('sha256').update(archive.read(file)).digest('hex')}`).toBe(digest)
    }
    const sample = await service.client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
    expect(sample.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', media: items[0]?.images[0] },
          { type: 'text', text: 'Colour and size?' },
        ],
      },
    ])
  })
  test('is graded by a judge that is shown the pictures; of one that is not, the quote says so', async () => {
    const { client, baseUrl } = service
    const judgedBy = async (model: string) => {
      const { id } = await saveJudge(client, (await connect(model)).id)
      return quote(client, {
        model: { kind: 'connection', connection_id: (await connect('m')).id },
        profiles: [await profileId(client, 'seen', 'zero-shot')],
        coverage: { mode: 'sample', sample_count: 6, seed: 1 },
        execution: { evaluators: [id], cache: false },
      })
    }
    const blind = await judgedBy('blind')
    expect(blind.warnings).toContainEqual({
      code: 'judges_see_text',
      message: expect.stringContaining('The judge blind is given the text of the tasks without their images'),
    })
    const seeing = await judgedBy('judge')
    expect(seeing.warnings.map(({ code }) => code)).not.toContain('judges_see_text')
    const run = await runToEnd(client, baseUrl, (await submit(client, seeing.id, 'judged')).id)
    const { metrics } = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
    expect(metrics.find(({ evaluator }) => evaluator?.judged)?.estimate).toMatchObject({ n: 6, mean: 1 })
  })
  test('is refused in its quote for a model that saw none when it was checked', async () => {
    const connection = await connect('blind')
    expect(connection.last_check?.capabilities).toEqual([
      {
        capability: 'images',
        verified: false,
        detail: 'Asked “Which color is this picture? Answer with one word.”, the model answered “blue”.',
      },
    ])
    const { compatibility } = await quote(service.client, {
      model: { kind: 'connection', connection_id: connection.id },
      profiles: [await profileId(service.client, 'seen', 'zero-shot')],
    })
    expect(compatibility.status).toBe('incompatible')
    expect(compatibility.checks).toContainEqual(
      expect.objectContaining({
        status: 'fail',
        detail: expect.stringContaining(`${count} of ${count} tasks have images, which blind did not take`),
      }),
    )
  })
})
