import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Connection } from '../../src/contract/connections/connections.schemas.ts'
import { Package } from '../../src/contract/creator/packages.schemas.ts'
import { openZip } from '../../src/engine/archives/read-zip.ts'
import { mostTokensOf } from '../../src/engine/clients/tokens/media-tokens.ts'
import { saveJudge } from '../support/judging.ts'
import { makePng } from '../support/media.ts'
import { ensureNamespace, packageEnd, picturedPackage, reviewsOf } from '../support/packages.ts'
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

/** The letter before the picture that is like the first one. */
function chosen(content: z.infer<typeof Body>['messages'][number]['content'] | undefined, [first, ...choices]: readonly string[]): string {
  // As the check of a connection asks it.
  if (choices.length === 0) return names.get(first ?? '') ?? 'none'
  const texts = Array.isArray(content) ? content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])) : []
  const letters = texts.flatMap(text => /([A-D])\.$/.exec(text)?.[1] ?? [])
  return `I compared them.\nANSWER: ${letters[choices.indexOf(first ?? '')] ?? 'none'}`
}

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
          : model === 'chooser'
            ? chosen(messages.at(-1)?.content, seen)
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
    const report = await (await service.fetch(`/v1/runs/${run.id}/export?format=html`)).text()
    expect(report.match(/id="media-[0-9a-f]{64}">\{"type":"image\/webp"/g)).toHaveLength(count)
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
  test('is regraded within the bound of its quote, which counts the pictures that the judge is shown', async () => {
    const { client, baseUrl } = service
    const quoted = await quote(client, {
      model: { kind: 'connection', connection_id: (await connect('m')).id },
      profiles: [await profileId(client, 'seen', 'zero-shot')],
      coverage: { mode: 'sample', sample_count: 3, seed: 2 },
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id, 'regraded')).id)
    const { port } = vision.address() as AddressInfo // it listens on a port
    const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '0' }
    const body = { name: 'paid judge', base_url: `http://127.0.0.1:${port}/v1`, model: 'judge', rates }
    const connection = await client.call('createConnection', { body })
    await client.call('checkConnection', { params: { connection_id: connection.id } })
    const { id } = await saveJudge(client, connection.id)
    const params = { run_id: run.id }
    const terms = (max: string) => ({ params, body: { evaluator_version_id: id, max_charge_microusd: max } })
    const { upper_bound_microusd: most } = await client.call('createRegradeQuote', terms('0'))
    // A question with a picture, and one that asks again for a verdict, of each output.
    expect(Number(most)).toBeGreaterThanOrEqual(3 * 2 * mostTokensOf.image)
    const within = await client.call('createRegradeQuote', terms(most ?? '0'))
    await client.call('regradeRun', { params, body: { evaluator_version_id: id, regrade_quote_id: within.id } })
    await expect
      .poll(async () => (await client.call('getRunResults', { params, query: {} })).metrics.find(({ evaluator }) => evaluator?.judged))
      .toMatchObject({ estimate: { n: 3, mean: 1 } })
  })
  test('shows choices that are pictures behind their letters, and grades by letter', async () => {
    const { client, baseUrl } = service
    const right = (i: number) => i % 4
    const rows = Array.from({ length: 12 }, (_, i) => ({
      id: `c${i}`,
      question: 'Which choice is this picture?',
      picture: `p/${i}.png`,
      choices: Array.from({ length: 4 }, (__, k) => `p/${i + k - right(i) + (k < right(i) ? 40 : 0)}.png`),
      answer: 'ABCD'[right(i)],
    }))
    const of = (i: number) => makePng([i * 5, 9, 200], { width: 8, height: 8 })
    const record = await importToEnd(service, {
      fields: { format: 'jsonl', name: 'Chosen', mapping: JSON.stringify({ media: { picture: 'picture' } }) },
      files: [
        {
          name: 'chosen.zip',
          content: new Uint8Array(
            makeZip([
              { name: 'rows.jsonl', content: Buffer.from(rows.map(row => JSON.stringify(row)).join('\n')) },
              ...Array.from({ length: 51 }, (_, i) => ({ name: `p/${i}.png`, content: of(i) })),
            ]),
          ),
        },
      ],
    })
    expect([record.status, record.errors]).toEqual(['imported', []])
    const { id } = await quote(client, {
      model: { kind: 'connection', connection_id: (await connect('chooser')).id },
      profiles: [await profileId(client, 'chosen', 'zero-shot')],
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, id, 'chosen')).id)
    const { metrics } = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
    expect(metrics.map(({ estimate }) => estimate.mean)).toEqual([1, 1])
    const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
    const sample = await client.call('getSample', {
      params: { run_id: run.id, sample_id: items.find(one => one.task_id === 'c1')?.id ?? '' },
    })
    const digest = (i: number) => `sha256:${createHash('sha256').update(of(i)).digest('hex')}`
    expect(sample.choices).toEqual(['Choice A', 'Choice B', 'Choice C', 'Choice D'])
    expect(sample.messages.at(-1)?.content).toEqual([
      { type: 'image', media: digest(1) },
      { type: 'text', text: 'Which choice is this picture?\n\nA.' },
      { type: 'image', media: digest(40), alt: 'Choice A' },
      { type: 'text', text: 'B.' },
      { type: 'image', media: digest(1), alt: 'Choice B' },
      { type: 'text', text: 'C.' },
      { type: 'image', media: digest(2), alt: 'Choice C' },
      { type: 'text', text: 'D.' },
      { type: 'image', media: digest(3), alt: 'Choice D' },
      { type: 'text', text: expect.stringContaining('ANSWER: <letter>') },
    ])
  })
  test('is asked again with its pictures as the benchmark of a dataset', async () => {
    const { client, baseUrl } = service
    const picture = makePng([3, 200, 7], { width: 30, height: 8 })
    const form = new FormData()
    form.append('file', new Blob([picture]), 'x.png')
    const stored = await service.fetch('/v1/media', { method: 'POST', body: form })
    const { digest } = z.object({ digest: z.string() }).parse(await stored.json())
    const input = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Colour and size?' },
          { type: 'image', media: digest },
        ],
      },
    ]
    const { id: dataset_id } = await client.call('createDataset', { body: { name: 'Of pictures', task: 'answer' } })
    const params = { dataset_id }
    const { items } = await client.call('addExamples', { params, body: { examples: [{ input, expected: '3,200,7 30x8' }] } })
    await client.call('reviewExample', {
      params: { ...params, example_id: items[0]?.example_id ?? '' },
      body: { revision: 1, decision: 'approve' },
    })
    const { id: version_id } = await client.call('createDatasetVersion', { params, body: {} })
    const { id: evaluator_version_id } = await client.call('createEvaluator', {
      body: { name: 'Exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {} } },
    })
    const { profile_id } = await client.call('createDatasetBenchmark', {
      params: { ...params, version_id },
      body: { name: 'Pictures of examples', evaluator_version_id },
    })
    const { id } = await quote(client, {
      model: { kind: 'connection', connection_id: (await connect('m')).id },
      profiles: [profile_id],
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, id, 'of examples')).id)
    const { metrics } = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
    expect(metrics[0]?.estimate).toMatchObject({ n: 1, mean: 1 })
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
  test('resizes pictures above the size of its profile, which its quote counts and each sample names', async () => {
    const rows = [16, 17, 30].map(width => ({
      id: `w${width}`,
      question: 'Colour and size?',
      answer: width === 16 ? '1,2,3 16x16' : width === 17 ? '1,2,3 16x15' : '1,2,3 21x11',
      image: `data:image/png;base64,${makePng([1, 2, 3], { width, height: 16 }).toString('base64')}`,
    }))
    const { status } = await importToEnd(service, {
      fields: { format: 'jsonl', name: 'Small only', profile: JSON.stringify({ max_image_pixels: 256 }) },
      files: [{ name: 'd.jsonl', content: rows.map(row => JSON.stringify(row)).join('\n') }],
    })
    expect(status).toBe('imported')
    const profile = await profileId(service.client, 'small-only', 'zero-shot')
    const { id, compatibility } = await quote(service.client, {
      model: { kind: 'connection', connection_id: (await connect('m')).id },
      profiles: [profile],
    })
    expect(compatibility.checks).toContainEqual({
      check: 'model_capabilities',
      profile_id: profile,
      status: 'pass',
      detail: expect.stringMatching(
        /^2 images in 2 of 3 tasks have more than the 256 pixels .* the largest has 30 × 16\. They are resized before the call/,
      ),
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 10 } })
    expect(Object.fromEntries(items.map(({ task_id, passed }) => [task_id, passed]))).toEqual({ w16: true, w17: true, w30: true })
    for (const { id: sample_id, images, task_id } of items) {
      const params = { run_id: run.id, sample_id }
      const [attempt] = (await service.client.call('getSample', { params })).attempt_log
      const [original = ''] = images
      if (task_id === 'w16') {
        expect(attempt?.notes).toEqual([])
        continue
      }
      const note = attempt?.notes.find(({ code }) => code === 'image_resized')?.message ?? ''
      expect(note).toContain(`The image ${original} was resized to at most 256 pixels (max_image_pixels) and sent as sha256:`)
      const sent = note.match(/sha256:[0-9a-f]{64}/g)?.[1] ?? ''
      const bytes = Buffer.from(await (await service.fetch(`/v1/media/${sent}`)).arrayBuffer())
      expect(describePng(bytes)).toBe(task_id === 'w17' ? '1,2,3 16x15' : '1,2,3 21x11')
      // The transcript has the digest in its place.
      expect(attempt?.request).toContain(bytes.toString('base64'))
      const thumbnail = await service.fetch(`/v1/media/${original}/thumbnail?side=128`)
      expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/webp'])
    }
  })
  test('shows a judge the resized pictures, as the model was shown them', async () => {
    const { client, baseUrl } = service
    const { id } = await saveJudge(client, (await connect('judge')).id)
    const quoted = await quote(client, {
      model: { kind: 'connection', connection_id: (await connect('m')).id },
      profiles: [await profileId(client, 'small-only', 'zero-shot')],
      execution: { evaluators: [id], cache: false },
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id, 'judged small')).id)
    const { metrics } = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
    // It fails an answer that gives another size than that of the picture in front of it.
    expect(metrics.find(({ evaluator }) => evaluator?.judged)?.estimate).toMatchObject({ n: 3, mean: 1 })
  })
  test('may be those of a package: checked, sampled, approved, run and downloaded with its pictures', async () => {
    const { client } = service
    await ensureNamespace(client)
    const zip = picturedPackage()
    const form = new FormData()
    form.append('file', new Blob([zip]), 'package.zip')
    const sent = await service.fetch('/v1/creator/packages', { method: 'POST', body: form })
    const { id, status, profile_ids } = await packageEnd(client, Package.parse(await sent.json()))
    expect({ status, reviews: await reviewsOf(client, id) }).toMatchObject({
      status: 'in_review',
      reviews: { tasks: { figures: { tasks: 20, problems: 0 } }, reference: { outcome: 'pass' }, exact_duplicates: { outcome: 'pass' } },
    })
    const params = { package_id: id }
    const { items: sampled } = await client.call('samplePackageTasks', { params, query: { count: 1, seed: 1 } })
    const [part] = sampled[0]?.messages[0]?.content ?? []
    expect(part).toMatchObject({ type: 'image' })
    const shown = await service.fetch(`/v1/media/${typeof part === 'object' && 'media' in part ? part.media : ''}`)
    expect(shown.headers.get('content-type')).toBe('image/png')
    await client.call('createPackageReview', { params, body: { outcome: 'approve', note: 'Looked at the pictures.' } })
    const quoted = await quote(client, { model: { kind: 'connection', connection_id: (await connect('m')).id }, profiles: profile_ids })
    const run = await runToEnd(client, service.baseUrl, (await submit(client, quoted.id, 'of a package')).id)
    const { metrics } = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
    expect(metrics[0]?.estimate).toMatchObject({ n: 20, mean: 1 })
    const exported = await service.fetch(`/v1/creator/packages/${id}/export`)
    expect(Buffer.from(await exported.arrayBuffer())).toEqual(Buffer.from(zip))
  })
})
