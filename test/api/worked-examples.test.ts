import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Results } from '../../src/contract/runs/results.schemas.ts'
import { tags } from '../../src/contract/tags.ts'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let models: ModelServer
beforeAll(async () => {
  service = await startTestService()
  models = await startModelServer({ answers: question => (question.includes('VERDICT') ? 'VERDICT: yes' : '1') })
})
afterAll(async () => {
  await service.close()
  await models.close()
})

const plain = async (path: string) => {
  const reply = await fetch(service.baseUrl + path)
  expect({ path, status: reply.status }).toEqual({ path, status: 200 })
  return reply.text()
}

/** Every step of a page, as a reader takes it from the text. */
function stepsOf(text: string) {
  return text
    .split(/^\d+\. /m)
    .slice(1)
    .map(part => {
      const [, method = '', path = '', body] = /^ {4}(GET|POST|PATCH|PUT|DELETE) (\S+)(?:\n {4}(.+))?$/m.exec(part) ?? []
      const [, field, values] = /Repeat until ([\w.]+) is (.+)\./.exec(part) ?? []
      const keep = [...part.matchAll(/Keep (\S+) as ([A-Z_]+)\./g)].map(([, from = '', name = '']) => ({ from, name }))
      return {
        method,
        path,
        body,
        field,
        values: values?.split(' or ') ?? [],
        keep,
        person: part.includes('A signed-in person does this.'),
      }
    })
}

const Upload = z.object({ fields: z.record(z.string(), z.string()), file: z.object({ name: z.string(), content: z.string() }) })

function bodyOf(text: string | undefined): { body?: string | FormData; type?: string } {
  if (text === undefined) return {}
  if (!text.startsWith('multipart/form-data ')) return { body: text, type: 'application/json' }
  const { fields, file } = Upload.parse(JSON.parse(text.slice('multipart/form-data '.length)))
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('file', new Blob([file.content]), file.name)
  return { body }
}

const pick = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined), answer)

/** Does every step; the answer to the last. */
async function work(area: string): Promise<unknown> {
  const known = new Map([['http://127.0.0.1:8080/v1', models.baseUrl]])
  const filled = (text: string) => [...known].reduce((sent, [name, value]) => sent.replaceAll(name, value), text)
  const steps = stepsOf(await plain(`/docs/examples/${area}`))
  expect(steps).not.toEqual([])
  let last: unknown
  for (const [at, { method, path, body, field, values, keep, person }] of steps.entries()) {
    const { headers } = person ? service.client : service.keyClient
    const ask = async () => {
      const sent = bodyOf(body === undefined ? undefined : filled(body))
      const reply = await fetch(service.baseUrl + filled(path), {
        method,
        headers: { ...headers, 'idempotency-key': `${area}-${at}`, ...(sent.type ? { 'content-type': sent.type } : {}) },
        ...(sent.body === undefined ? {} : { body: sent.body }),
      })
      const answer: unknown = await reply.json()
      expect({ step: `${method} ${path}`, ok: reply.ok, answer: reply.ok || answer }).toMatchObject({ ok: true })
      return answer
    }
    let answer = await ask()
    if (field !== undefined) {
      await expect.poll(async () => values.includes(String(pick((answer = await ask()), field))) || answer).toBe(true)
      // The others are how it can end too.
      expect({ step: path, end: pick(answer, field), answer }).toMatchObject({ end: values[0] })
    }
    last = answer
    for (const { from, name } of keep) {
      const value = pick(answer, from)
      expect({ name, value }).toEqual({ name, value: expect.anything() })
      known.set(name, String(value))
    }
  }
  return last
}

test.each([
  'imports',
  'connections',
  'suites',
  'recommendations',
  'evaluators',
  'calibrations',
  'remote-scorers',
  'datasets',
  'answers',
  'releases',
  'packages',
  'traces',
  'trace-benchmarks',
  'tuning',
  'monitors',
  'keys',
  'billing',
  'backups',
])('the worked example of %s works as written', async area => {
  await work(area)
})

test('the worked example of judges works as written, and its judge grades every answer', async () => {
  const { metrics } = Results.parse(await work('judges'))
  expect(metrics).toContainEqual(expect.objectContaining({ title: 'Polite', estimate: expect.objectContaining({ n: 3, mean: 1 }) }))
})

test('every area has one, linked from its description and the list', async () => {
  const list = await plain('/docs/examples')
  for (const description of Object.values(tags)) {
    for (const [path] of description.matchAll(/\/docs[\w/-]*/g)) {
      expect((await plain(path)).length).toBeGreaterThan(100)
      if (path.startsWith('/docs/examples/')) expect(list).toContain(path)
    }
  }
  const said = Object.values(tags).join('\n')
  const listed = [...list.matchAll(/\/docs\/examples\/[\w-]+/g)].map(([path]) => path)
  expect(listed.filter(path => !said.includes(`\`${path}\``))).toEqual([])
})
