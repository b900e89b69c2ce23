import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { mostMediaBytes } from '../../src/contract/media/media.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { makePng, makeWav } from '../support/media.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importEnd, importToEnd, upload } from './imports-upload.ts'

type Answer = (response: ServerResponse) => void

let service: TestService
let pictures: Server
let other: Server
/** `127.0.0.1:PORT` of the server with the pictures, and of one that nobody names. */
let host = ''
let otherHost = ''
let answers: Readonly<Record<string, Buffer | Answer>> = {}
let asked: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[] = []
let otherAsked = 0

const hostOf = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP

beforeAll(async () => {
  pictures = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers })
    const found = answers[request.url ?? '']
    if (typeof found === 'function') found(response)
    else response.writeHead(found ? 200 : 404).end(found)
  })
  other = createServer((_, response) => {
    otherAsked++
    response.writeHead(200).end(makePng([9, 9, 9]))
  })
  for (const server of [pictures, other]) await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  host = hostOf(pictures)
  otherHost = hostOf(other)
  service = await startTestService()
})
afterAll(async () => {
  await service.close()
  pictures.close()
  other.close()
})
beforeEach(() => {
  answers = Object.fromEntries(colours.map((bytes, i) => [`/p/${i}.png`, bytes]))
  asked = []
  otherAsked = 0
})

const count = 6
const colours = Array.from({ length: count }, (_, i) => makePng([i * 40, 255 - i * 40, 128], { width: 16, height: 16 + i }))
const at = (i: number): string => `http://${host}/p/${i}.png`
const dataUri = (i: number): string => `data:image/png;base64,${colours[i]?.toString('base64') ?? ''}`
const rows = colours.map((_, i) => ({ id: `task-${i}`, question: `Which colour is picture ${i}?`, answer: `colour ${i}` }))
const jsonl = (values: readonly object[]): string => values.map(value => JSON.stringify(value)).join('\n')
const asTable = (place: (i: number) => string): string => jsonl(rows.map((row, i) => ({ ...row, image: place(i) })))
const yes = (files = count, named = host): string => JSON.stringify({ [named]: files })

/** The same tasks as tools write them, by address. */
const forms: readonly (readonly [name: string, fields: Readonly<Record<string, string>>, file: string, content: () => string])[] = [
  ['a table', { format: 'jsonl' }, 'd.jsonl', () => asTable(at)],
  ['messages of OpenAI', { format: 'jsonl' }, 'd.jsonl', () => asMessages(i => ({ type: 'image_url', image_url: { url: at(i) } }))],
  [
    'messages of Anthropic',
    { format: 'jsonl' },
    'd.jsonl',
    () => asMessages(i => ({ type: 'image', source: { type: 'url', url: at(i) } })),
  ],
  [
    'conversations of LLaVA',
    { format: 'json', mapping: JSON.stringify({ target: null }) },
    'd.json',
    () =>
      JSON.stringify(
        rows.map(({ id, question, answer }, i) => ({
          id,
          image: at(i),
          conversations: [
            { from: 'human', value: `<image>\n${question}` },
            { from: 'gpt', value: answer },
          ],
        })),
      ),
  ],
  [
    'content lists of Inspect',
    { format: 'inspect_jsonl' },
    'd.jsonl',
    () =>
      jsonl(
        rows.map(({ id, question, answer }, i) => ({
          id,
          input: [
            {
              role: 'user',
              content: [
                { type: 'image', image: at(i) },
                { type: 'text', text: question },
              ],
            },
          ],
          target: answer,
        })),
      ),
  ],
  [
    'a TSV of VLMEvalKit',
    { format: 'csv', mapping: JSON.stringify({ id: 'task' }) },
    'd.tsv',
    () => ['index\timage\ttask\tquestion\tanswer', ...rows.map((r, i) => `${i}\t${at(i)}\t${r.id}\t${r.question}\t${r.answer}`)].join('\n'),
  ],
]

function asMessages(part: (i: number) => object): string {
  return jsonl(
    rows.map(({ id, question, answer }, i) => ({
      id,
      messages: [{ role: 'user', content: [part(i), { type: 'text', text: question }] }],
      answer,
    })),
  )
}

const importOf = (fields: Readonly<Record<string, string>>, content: string, name = 'd.jsonl'): Promise<ImportRecord> =>
  importToEnd(service, { fields: { format: 'jsonl', ...fields }, files: [{ name, content }] })

function digestOf({ source_ref: ref }: ImportRecord): string | undefined {
  const db = openDatabase(`${service.dataDir}/assay.db`, { readonly: true })
  const found = db.all(
    db.sql
      .selectFrom('benchmark_versions')
      .select('digest')
      .where('source_ref', '=', ref ?? ''),
  )
  db.close()
  return found[0]?.digest
}

const uploadsLeft = (): string[] => (existsSync(`${service.dataDir}/uploads`) ? readdirSync(`${service.dataDir}/uploads`) : [])

describe('media that rows name by their address', () => {
  test.each(forms)(
    'are asked for in %s only after a yes with host and number, and import as the files themselves do',
    async (name, fields, file, content) => {
      const refused = await importOf({ ...fields, name: `Refused ${name}` }, content(), file)
      expect(refused).toMatchObject({
        status: 'failed',
        error_code: 'validation_error',
        error_count: 1,
        remote_media: [{ host, files: count, allowed: false, fetched: 0 }],
      })
      expect(refused.errors[0]?.message).toBe(
        `6 media files are at ${host}, and media files are fetched only where "fetch_media" names their host and number: {"${host}": 6}. Or download them and send them with the rows.`,
      )
      const preview = await importOf({ ...fields, name: `Preview ${name}`, fetch_media: yes(), dry_run: 'true' }, content(), file)
      expect(preview).toMatchObject({ status: 'previewed', remote_media: [{ host, files: count, allowed: true, fetched: 0 }] })
      expect(asked).toEqual([])

      const record = await importOf({ ...fields, name: `By address: ${name}`, fetch_media: yes() }, content(), file)
      expect({ status: record.status, errors: record.errors }).toEqual({ status: 'imported', errors: [] })
      expect(record).toMatchObject({
        media: { files: count },
        remote_media: [{ host, files: count, allowed: true, fetched: count }],
        fetch: { file_count: count },
      })
      expect(asked.map(({ path }) => path).toSorted()).toEqual(colours.map((_, i) => `/p/${i}.png`))
      const inline = await importOf({ name: `Inline: ${name}` }, asTable(dataUri))
      expect(digestOf(record)).toBe(digestOf(inline))
      expect(uploadsLeft()).toEqual([])
    },
  )

  test('are asked for without credentials, counted in the network log, and each once', async () => {
    const twice = jsonl([...rows, ...rows].map((row, i) => ({ ...row, id: `t${i}`, image: `${at(i % count)}#part` })))
    expect(await importOf({ name: 'Twice', fetch_media: yes() }, twice)).toMatchObject({ status: 'imported', media: { files: count } })
    expect(asked).toHaveLength(count)
    expect(asked.flatMap(({ headers }) => Object.keys(headers)).filter(name => /auth|cookie|key|referer/i.test(name))).toEqual([])
    const { items } = await service.client.call('listNetworkHosts', {})
    expect(items.find(({ origin }) => origin === `http://${host}`)?.requests).toBeGreaterThanOrEqual(count)
  })

  test('are of every kind, by their bytes', async () => {
    answers = { '/sound': makeWav(80) }
    const content = jsonl([{ question: 'What?', answer: 'x', audio: `http://${host}/sound` }])
    const record = await importOf({ name: 'Sound', fetch_media: yes(1) }, content)
    expect(record.preview[0]?.media.map(({ type }) => type)).toEqual(['audio'])
  })

  test('are refused where there are more than the yes says, and at a host that it does not name', async () => {
    const more = await importOf({ name: 'More', fetch_media: yes(count - 1) }, asTable(at))
    expect(more.errors.map(({ message }) => message)).toEqual([
      `6 media files are at ${host}, and "fetch_media" allows 5. Raise its number to fetch them.`,
    ])
    const elsewhere = await importOf(
      { name: 'Elsewhere', fetch_media: yes() },
      `${asTable(at)}\n${JSON.stringify({ id: 'x', question: 'q', answer: 'a', image: `http://${otherHost}/x.png` })}`,
    )
    expect(elsewhere.errors[0]?.message).toContain(`1 media file is at ${otherHost}`)
    expect({ asked, otherAsked }).toEqual({ asked: [], otherAsked: 0 })
  })

  test('leave their rows out with the yes to that alone, and nothing is asked for', async () => {
    const content = `${asTable(at)}\n${JSON.stringify({ id: 'own', question: 'Which?', answer: 'red', image: dataUri(0) })}`
    const record = await importOf({ name: 'Without', leave_out: 'true' }, content)
    expect(record).toMatchObject({ status: 'imported', rows: { valid: 1 }, left_out_count: count })
    expect(record.left_out[0]).toMatchObject({
      line: 1,
      message: `The file in "image" is at ${host}, which "fetch_media" does not name, so it is not fetched.`,
    })
    expect(asked).toEqual([])
  })

  const redirect =
    (to: string): Answer =>
    response =>
      response.writeHead(302, { location: to }).end()
  test('that cannot be had are named by address, and their rows left out only after a yes', async () => {
    answers = {
      ...answers,
      '/p/0.png': redirect(`http://${otherHost}/x.png`),
      '/p/1.png': Buffer.from('<!doctype html><p>Sign in'),
      '/p/3.png': response => response.writeHead(200, { 'content-length': mostMediaBytes + 1 }).end(),
      '/p/4.png': redirect('/p/5.png'),
    }
    const { ['/p/2.png']: _, ...kept } = answers
    answers = kept
    const content = asTable(i => `${at(i)}?token=hidden`)
    answers = Object.fromEntries(
      Object.entries(answers).flatMap(([path, answer]) => [
        [path, answer],
        [`${path}?token=hidden`, answer],
      ]),
    )
    const refused = await importOf({ name: 'Faults', fetch_media: yes() }, content)
    expect(refused.errors.map(({ line, message }) => [line, message])).toEqual([
      [
        1,
        `The file in "image" could not be fetched from http://${host}/p/0.png?…: ${host} redirects to http://${otherHost}, which was not named, so it was not followed.`,
      ],
      [2, `The file "http://${host}/p/1.png?…": The file is a web page. Taken are PNG, JPEG, WebP, GIF, WAV, MP3, FLAC and PDF.`],
      [3, `The file in "image" could not be fetched from http://${host}/p/2.png?…: ${host} no longer has this file (HTTP 404).`],
      [4, `The file in "image" could not be fetched from http://${host}/p/3.png?…: The file is larger than 20000000 bytes.`],
    ])
    const record = await importOf({ name: 'Faults', fetch_media: yes(), leave_out: 'true' }, content)
    expect(record).toMatchObject({
      status: 'imported',
      rows: { valid: 2 },
      left_out_count: 4,
      remote_media: [{ files: count, fetched: 3 }],
    })
    expect(otherAsked).toBe(0)
    // What a query holds may be a signature.
    expect(JSON.stringify([refused, record])).not.toContain('hidden')
  })

  test('of a failed import are kept for the next one, which asks for the others alone', async () => {
    answers = { ...answers, '/p/1.png': Buffer.from('<!doctype html><p>Sign in'), '/p/2.png': response => response.writeHead(404).end() }
    const refused = await importOf({ name: 'Kept', fetch_media: yes() }, asTable(at))
    expect(refused).toMatchObject({ status: 'failed', error_count: 2 })
    expect(refused.warnings.at(-1)).toBe(
      '5 downloaded media files are kept for 24 hours. Import again within that time to download only the others.',
    )
    answers = Object.fromEntries(colours.map((bytes, i) => [`/p/${i}.png`, bytes]))
    asked = []
    const record = await importOf({ name: 'Kept', fetch_media: yes() }, asTable(at))
    expect(record).toMatchObject({ status: 'imported', rows: { valid: count }, remote_media: [{ files: count, fetched: count }] })
    // The page of a sign-in came, too, and is no picture.
    expect(asked.map(({ path }) => path).toSorted()).toEqual(['/p/1.png', '/p/2.png'])
  })

  test('are noted whatever a cell holds them in, and misattributed to no row', async () => {
    // Of VLMEvalKit: the third row shows the picture of the first, by its index.
    const pictures = [{ src: at(0) }, at(1), '0', JSON.stringify([at(4)])]
    const content = jsonl(
      pictures.map((image, i) => ({ index: i, image, id: `t${i}`, question: `Which colour, ${i}?`, answer: 'x', A: undefined })),
    )
    const { ['/p/0.png']: _, ...kept } = answers
    answers = kept
    const record = await importOf({ name: 'Cells', fetch_media: yes(3), leave_out: 'true' }, content)
    expect(asked.map(({ path }) => path).toSorted()).toEqual(['/p/0.png', '/p/1.png', '/p/4.png'])
    expect(record.left_out.map(({ line }) => line)).toEqual([1, 3])
    expect(record).toMatchObject({ status: 'imported', rows: { valid: 2 } })
  })

  test('at more hosts than a yes can name are refused in one sentence, or left out', async () => {
    const content = jsonl([
      ...rows.map((row, i) => ({ ...row, image: at(i) })),
      ...Array.from({ length: 300 }, (_, i) => ({ ...rows[0], id: `far-${i}`, image: `https://host-${i}.example/p.png` })),
    ])
    const refused = await importOf({ name: 'Hosts' }, content)
    expect(refused).toMatchObject({ error_count: 1, remote_hosts: 301 })
    expect(refused.remote_media).toHaveLength(100)
    expect(refused.errors[0]?.message).toContain('Media files are at 301 hosts, and those of at most 100 are downloaded.')
    const record = await importOf({ name: 'Hosts', leave_out: 'true', fetch_media: yes() }, content)
    expect(record).toMatchObject({ status: 'imported', rows: { valid: count }, left_out_count: 300 })
    expect(record.remote_media[0]).toMatchObject({ host, allowed: true, fetched: count })
  })

  test.each([
    ['a host with a path', { 'a.example/x': 1 }, 422],
    ['a host with a user', { 'me@a.example': 1 }, 422],
    ['no number', { 'a.example': 0 }, 422],
    ['capitals', { 'A.example': 1 }, 422],
    ['this machine in decimal', { '2130706433': 1 }, 422],
    ['more hosts than are taken', Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}.example`, 1])), 422],
    ['more files than are taken', { 'a.example': 1_000_000, 'b.example': 1 }, 422],
  ])('are not asked for with a yes that names %s', async (_, fetchMedia, status) => {
    const reply = await upload(service, {
      fields: { format: 'jsonl', fetch_media: JSON.stringify(fetchMedia) },
      files: [{ name: 'd.jsonl', content: asTable(at) }],
    })
    expect(reply.status).toBe(status)
  })

  test('of a private network are for an owner or admin to name, and never those of a cloud’s metadata', async () => {
    const form = () => {
      const body = new FormData()
      body.set('format', 'jsonl')
      body.set('fetch_media', JSON.stringify({ '10.0.0.5': 1 }))
      body.set('file', new Blob([jsonl([{ question: 'q', answer: 'a', image: 'http://10.0.0.5/a.png' }])]), 'd.jsonl')
      return body
    }
    const headers = { authorization: `Bearer ${service.file.api_key}`, 'x-workspace-id': service.workspaceId }
    const byKey = await fetch(`${service.baseUrl}/v1/catalog/imports`, { method: 'POST', body: form(), headers })
    expect([byKey.status, ((await byKey.json()) as { error: { code: string } }).error.code]).toEqual([403, 'human_approval_required'])
    const metadata = await importOf(
      { name: 'Metadata', fetch_media: JSON.stringify({ '169.254.169.254': 1 }) },
      jsonl([{ question: 'q', answer: 'a', image: 'http://169.254.169.254/latest/a.png' }]),
    )
    expect(metadata.errors[0]?.message).toContain('Assay never calls it.')
    const self = await importOf(
      { name: 'Self', fetch_media: JSON.stringify({ [new URL(service.baseUrl).host]: 1 }) },
      jsonl([{ question: 'q', answer: 'a', image: `${service.baseUrl}/a.png` }]),
    )
    expect(self.errors[0]?.message).toContain('is Assay itself')
  })
})

test('this machine is for an owner or admin to name where others reach the service', async () => {
  await using shared = await startTestService({ remote: { host: '127.0.0.1', origin: 'https://eval.example', tls: null } })
  const send = async (token: string, named: string) => {
    const body = new FormData()
    body.set('format', 'jsonl')
    body.set('fetch_media', JSON.stringify({ [named]: 1 }))
    body.set('file', new Blob([jsonl([{ question: 'q', answer: 'a', image: at(0) }])]), 'd.jsonl')
    const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': shared.workspaceId }
    const reply = await fetch(`${shared.baseUrl}/v1/catalog/imports`, { method: 'POST', body, headers })
    return [reply.status, ((await reply.json()) as { error?: { code: string } }).error?.code]
  }
  const { pairing_code: code } = await shared.client.call('inviteMember', { body: { name: 'Ada', role: 'member' } })
  const paired = await fetch(`${shared.baseUrl}/v1/sessions/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: code.code }),
  })
  const member = /assay_session=([^;]+)/.exec(paired.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const key = shared.file.api_key
  for (const named of [host, 'localhost', '10.0.0.5']) {
    expect(await send(member, named)).toEqual([403, 'owner_session_required'])
    expect(await send(key, named)).toEqual([403, 'human_approval_required'])
  }
  expect(asked).toEqual([])
})

describe('an import that fetches media', () => {
  const begin = async (name: string, place = at): Promise<string> => {
    const reply = await upload(service, {
      fields: { format: 'jsonl', name, fetch_media: yes() },
      files: [{ name: 'd.jsonl', content: asTable(place) }],
    })
    return ((await reply.json()) as { id: string }).id // an accepted import's record
  }
  const read = (id: string): Promise<ImportRecord> => service.client.call('getImport', { params: { import_id: id } })
  /** A picture that does not come until it is let go. */
  const held = () => {
    const going = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    const answer: Answer = response => {
      waiting.resolve()
      void going.promise.then(() => response.writeHead(200).end(colours[5]))
    }
    return { answer, waiting: waiting.promise, go: () => going.resolve() }
  }

  test('says how far it is, and can be stopped', async () => {
    const slow = held()
    answers = { ...answers, '/p/5.png': slow.answer }
    const id = await begin('Stopped')
    await slow.waiting
    await expect.poll(async () => (await read(id)).fetch).toMatchObject({ file_number: count, file_count: count })
    const { job_id: jobId } = await read(id)
    await service.client.call('cancelJob', { params: { job_id: jobId ?? '' } })
    expect(await importEnd(service, id)).toMatchObject({ status: 'failed', error_code: 'cancelled', source_ref: null })
    await expect.poll(uploadsLeft).toEqual([])
    slow.go()
  })

  test('resumes after a restart, and asks for nothing again that it had', async () => {
    const slow = held()
    // At addresses of its own, since what the stopped import downloaded is kept.
    const path = (i: number) => `/p/${i}.png?restarted`
    answers = Object.fromEntries(colours.map((bytes, i) => [path(i), i === 5 ? slow.answer : bytes]))
    const id = await begin('Restarted', i => `http://${host}${path(i)}`)
    await slow.waiting
    await expect.poll(async () => (await read(id)).fetch?.file_number).toBe(count)
    await service.restart(slow.go)
    expect(await importEnd(service, id)).toMatchObject({ status: 'imported', rows: { valid: count } })
    expect(asked.map(request => request.path).toSorted()).toEqual([...colours.map((_, i) => path(i)), path(5)])
  })
})
