import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { feedbackMachine } from '../../src/contract/feedback/feedback.machine.ts'
import { feedbackLimits } from '../../src/contract/feedback/feedback.schemas.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

const minute = 60_000
const hour = 60 * minute

let service: TestService
let clock: MovingClock

beforeAll(async () => {
  clock = movingClock()
  service = await startTestService({}, clock)
})
afterAll(() => service.close())

const plain = { kind: 'bug', severity: 'degraded', summary: 'The export is empty' } as const

/** Every report of these tests is far enough from the last for no limit to matter. */
function send(body: object, init: RequestInit = {}): Promise<Response> {
  clock.advance(2 * hour)
  return post(JSON.stringify(body), init)
}
const post = (body: string, init: RequestInit = {}) =>
  service.fetch('/v1/feedback', { ...init, method: 'POST', headers: { 'content-type': 'application/json', ...init.headers }, body })

async function stored(body: object, init: RequestInit = {}) {
  const reply = await send(body, init)
  expect(reply.status).toBe(201)
  const { feedback_id } = (await reply.json()) as { feedback_id: string } // the contract test parses this answer
  return service.client.call('getFeedback', { params: { feedback_id } })
}

describe('a report', () => {
  test('is received and read back as it was sent', async () => {
    const body = {
      ...plain,
      details: 'Steps: one, two.\n<script>alert(1)</script>',
      expected: 'rows',
      actual: 'none',
      attempted: { method: 'get', path: '/v1/runs', request_id: randomUUID(), http_status: 500, error_code: 'internal_error' },
      agent: { name: 'Some Agent', version: '1.2', model: 'model-x' },
      client: { name: 'sdk', version: '0.1' },
      contact_ok: true,
    }
    const report = await stored(body)
    expect(report).toMatchObject({
      ...body,
      attempted: { ...body.attempted, method: 'GET' },
      status: 'received',
      duplicate_of: null,
      pr_url: null,
      resolution_note: null,
    })
    expect(report.created_at).toBe(clock.now().toISOString())
  })

  test.each([
    ['an unknown field', { ...plain, priority: 1 }],
    ['an unknown field within', { ...plain, agent: { name: 'a', prompt: 'x' } }],
    ['no kind', { severity: 'blocker', summary: 'x' }],
    ['another kind', { ...plain, kind: 'praise' }],
    ['another severity', { ...plain, severity: 'huge' }],
    ['no summary', { kind: 'bug', severity: 'blocker' }],
    ['an empty summary', { ...plain, summary: '' }],
    ['a summary that is too long', { ...plain, summary: 'x'.repeat(201) }],
    ['details that are too long', { ...plain, details: 'x'.repeat(5001) }],
    ['an expectation that is too long', { ...plain, expected: 'x'.repeat(2001) }],
    ['an observation that is too long', { ...plain, actual: 'x'.repeat(2001) }],
    ['prose as agent', { ...plain, agent: { name: 'line one\nline two' } }],
    ['a status that is none', { ...plain, attempted: { http_status: 99 } }],
    ['text for a boolean', { ...plain, contact_ok: 'yes' }],
  ])('with %s is refused', async (_what, body) => {
    const reply = await send(body)
    expect(reply.status).toBe(422)
    expect(await reply.json()).toMatchObject({ error: { code: 'validation_error' }, detail: [{ loc: expect.arrayContaining(['body']) }] })
  })

  test('counts characters, not bytes or UTF-16 units', async () => {
    const report = await stored({
      ...plain,
      summary: '😀'.repeat(200),
      details: '語'.repeat(5000),
      expected: 'é'.repeat(2000),
      actual: 'x'.repeat(2000),
    })
    expect([...report.summary]).toHaveLength(200)
    expect((await send({ ...plain, summary: '😀'.repeat(201) })).status).toBe(422)
  })

  test('of up to 64 KiB is taken, of more refused with 413', async () => {
    const padded = (bytes: number) => {
      const text = JSON.stringify(plain)
      return text.replace('{', `{${' '.repeat(bytes - text.length)}`)
    }
    clock.advance(2 * hour)
    expect((await post(padded(feedbackLimits.body))).status).toBe(201)
    const refused = await post(padded(feedbackLimits.body + 1))
    expect(refused.status).toBe(413)
    const message = expect.stringMatching(/^The request has \S+ \w+, and this operation accepts at most \S+ \w+\. Send less at a time\.$/)
    expect(await refused.json()).toMatchObject({ error: { code: 'payload_too_large', message } })
  })

  test.each([
    ['/v1/runs/0199-x/results?version=1', '/v1/runs/{run_id}/results'],
    ['https://host.example:4747/v1/api-keys/k1/roll#top', '/v1/api-keys/{key_id}/roll'],
    ['/v1/runs/{run_id}', '/v1/runs/{run_id}'],
    ['/v1/sessions/current', '/v1/sessions/current'],
    ['/v1/runz/6f1d2c3b/secret-Token9', '/v1/runz/{value}/{value}'],
  ])('of the path %s stores the route', async (path, route) => {
    expect((await stored({ ...plain, attempted: { path } })).attempted?.path).toBe(route)
  })

  test('names the client by the User-Agent header where the body does not', async () => {
    expect((await stored(plain, { headers: { 'user-agent': 'my-sdk/2.1.0 (linux)' } })).client).toEqual({
      name: 'my-sdk',
      version: '2.1.0',
    })
    expect((await stored({ ...plain, client: { name: 'other' } }, { headers: { 'user-agent': 'my-sdk/2.1.0' } })).client).toEqual({
      name: 'other',
      version: null,
    })
  })

  test('loses its secrets before it is stored', async () => {
    const secret = 'sk-live-1234567890abcdef'
    const text = `I sent ${secret} and Bearer abc.def-123`
    const report = await stored({
      ...plain,
      summary: text,
      details: text,
      expected: text,
      actual: text,
      attempted: { path: `/v1/runs?api_key=${secret}`, request_id: secret, error_code: secret },
      agent: { name: secret, version: secret, model: secret },
      client: { name: secret, version: secret },
    })
    expect(JSON.stringify(report)).not.toContain(secret)
    expect(JSON.stringify(report)).not.toContain('abc.def-123')
    expect(report.details).toBe('I sent [removed] and Bearer [removed]')
  })

  test('is sent and read with a key of any scope', async () => {
    const { key } = await service.client.call('createApiKey', { body: { name: 'narrow', scopes: ['catalog:read'] } })
    const narrow = clientFor(service.baseUrl, key, service.workspaceId)
    clock.advance(2 * hour)
    const { feedback_id } = await narrow.call('sendFeedback', { body: plain })
    expect((await narrow.call('getFeedback', { params: { feedback_id } })).status).toBe('received')
    const read = await narrow.call('getFeedback', { params: { feedback_id } })
    expect(read).toMatchObject({ contact_ok: false, details: null, attempted: null, agent: null })
    expect((await narrow.call('getMe', {})).scopes).toEqual(expect.arrayContaining(['feedback:read', 'feedback:write']))
  })
})

test('a member sends and reads reports, and may not triage them', async () => {
  const { pairing_code } = await service.client.call('inviteMember', { body: { name: 'Ada' } })
  const reply = await fetch(`${service.baseUrl}/v1/sessions/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: pairing_code.code }),
  })
  await reply.text()
  const token = /assay_session=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const member = clientFor(service.baseUrl, token, service.workspaceId)
  clock.advance(2 * hour)
  const { feedback_id } = await member.call('sendFeedback', { body: plain })
  expect((await member.call('listFeedback', {})).items[0]?.feedback_id).toBe(feedback_id)
  expect(await member.refusal('triageFeedback', { params: { feedback_id }, body: { status: 'triaged' } })).toMatchObject({
    status: 403,
    code: 'owner_session_required',
  })
})

describe('duplicates', () => {
  const about = (summary: string, code = 'conflict', path = '/v1/runs/1') => ({ ...plain, summary, attempted: { path, error_code: code } })

  test('are recorded and name the earlier report, ignoring case, digits and punctuation', async () => {
    const first = await stored(about('Run 12 failed: "timeout"!'))
    expect((await stored(about('run 7 FAILED timeout'))).duplicate_of).toBe(first.feedback_id)
    expect((await stored(about('run failed timeout', 'conflict', '/v1/runs/2?x=1'))).duplicate_of).toBe(first.feedback_id)
    expect((await stored(about('run failed, timeout', 'not_found'))).duplicate_of).toBeNull()
    expect((await stored(about('run failed timeout', 'conflict', '/v1/quotes'))).duplicate_of).toBeNull()
    expect((await stored({ ...about('run failed timeout'), kind: 'docs' })).duplicate_of).toBeNull()
    expect((await stored(about('run passed timeout'))).duplicate_of).toBeNull()
  })

  test('are looked for in the last 24 hours, and only in the same workspace', async () => {
    const first = await stored(about('Only once a day'))
    const other = await service.client.call('createWorkspace', { body: { name: 'other' } })
    const elsewhere = clientFor(service.baseUrl, service.file.session_token, other.id)
    expect((await elsewhere.call('sendFeedback', { body: about('Only once a day') })).duplicate_of).toBeNull()
    // Sending moves the clock by two hours.
    clock.advance(22 * hour)
    const second = await stored(about('Only once a day'))
    expect(second.duplicate_of).toBe(first.feedback_id)
    clock.advance(22 * hour + 1)
    const third = await stored(about('Only once a day'))
    expect(third.duplicate_of).toBeNull()
  })
})

describe('limits', () => {
  test('30 an hour and 200 a day, in windows that slide, with Retry-After', async () => {
    await using own = await startTestService({}, clock)
    let sent = 0
    const once = () => own.client.call('sendFeedback', { body: { ...plain, summary: `number ${String.fromCharCode(97 + (sent++ % 26))}` } })
    const refused = async () => {
      const reply = await own.fetch('/v1/feedback', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(plain),
      })
      expect(reply.status).toBe(429)
      expect(await reply.json()).toMatchObject({ error: { code: 'rate_limited' } })
      return Number(reply.headers.get('retry-after'))
    }
    for (let i = 0; i < 30; i++) {
      await once()
      clock.advance(minute)
    }
    expect(await refused()).toBe(30 * 60)
    clock.advance(30 * minute - 1)
    expect(await refused()).toBe(1)
    clock.advance(1)
    await once()
    expect(await refused()).toBe(60)
    // Six times 30 and the rest of the day's 200; the first were sent at the beginning.
    clock.advance(hour)
    while (sent < 200) {
      for (let i = 0; i < 30 && sent < 200; i++) await once()
      clock.advance(hour)
    }
    const wait = await refused()
    expect(wait).toBeGreaterThan(15 * 3600)
    clock.advance(wait * 1000)
    await once()
    const other = await own.client.call('createWorkspace', { body: { name: 'other' } })
    await clientFor(own.baseUrl, own.file.session_token, other.id).call('sendFeedback', { body: plain })
  })

  test('do not count what was refused or replayed', async () => {
    await using own = await startTestService({}, clock)
    const headers = { 'idempotency-key': 'the-same' }
    const first = await own.client.call('sendFeedback', { body: plain, headers })
    for (let i = 0; i < 40; i++) {
      expect(await own.client.call('sendFeedback', { body: plain, headers })).toEqual(first)
      expect((await own.client.refusal('sendFeedback', { body: { ...plain, summary: '' } })).status).toBe(422)
    }
    expect((await own.client.call('listFeedback', {})).items).toHaveLength(1)
  })
})

describe('the listing', () => {
  test('is newest first, by status, in pages', async () => {
    await using own = await startTestService()
    const ids: string[] = []
    for (let i = 0; i < 9; i++) ids.unshift((await own.client.call('sendFeedback', { body: plain })).feedback_id)
    const seen: string[] = []
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await own.client.call('listFeedback', { query: { limit: 4, ...(cursor ? { cursor } : {}) } })
      seen.push(...page.items.map(report => report.feedback_id))
      cursor = page.next_cursor ?? undefined
      more = cursor !== undefined
    }
    expect(seen).toEqual(ids)
    await own.client.call('triageFeedback', { params: { feedback_id: ids[3] ?? '' }, body: { status: 'triaged' } })
    const triaged = await own.client.call('listFeedback', { query: { status: 'triaged' } })
    expect(triaged.items.map(report => report.feedback_id)).toEqual([ids[3]])
    const cursor = (await own.client.call('listFeedback', { query: { limit: 4 } })).next_cursor ?? ''
    expect(await own.client.refusal('listFeedback', { query: { cursor, status: 'received' } })).toMatchObject({
      status: 422,
      code: 'invalid_cursor',
    })
  })
})

describe('the listing', () => {
  test.each(['limit=0', 'limit=101', 'limit=x', 'status=lost', 'cursor=nonsense', `cursor=${'x'.repeat(2049)}`, 'q=x'])(
    'with ?%s is refused',
    async query => {
      const reply = await service.fetch(`/v1/feedback?${query}`)
      expect({ status: reply.status, code: ((await reply.json()) as { error: { code: string } }).error.code }).toEqual({
        // the shape that every-endpoint.test.ts checks
        status: 422,
        code: query === 'cursor=nonsense' ? 'invalid_cursor' : 'validation_error',
      })
    },
  )
})

describe('triage', () => {
  type Step = Parameters<typeof service.client.call<'triageFeedback'>>[1]['body']
  const steps = {
    triage: { status: 'triaged' },
    accept: { status: 'accepted' },
    open_pr: { status: 'pr_open', pr_url: 'https://example.test/pulls/1' },
    ship: { status: 'shipped' },
    decline: { status: 'declined', resolution_note: 'Works as the guide says.' },
  } as const satisfies Record<keyof typeof feedbackMachine.events, Step>
  const take = async (id: string, step: Step) => service.client.call('triageFeedback', { params: { feedback_id: id }, body: step })

  test('goes through every status of the machine and no other way', async () => {
    for (const [path, status] of [
      [[], 'received'],
      [['triage'], 'triaged'],
      [['triage', 'accept'], 'accepted'],
      [['triage', 'accept', 'open_pr'], 'pr_open'],
      [['triage', 'accept', 'open_pr', 'ship'], 'shipped'],
      [['decline'], 'declined'],
    ] as const) {
      for (const event of Object.keys(steps) as (keyof typeof steps)[]) {
        // the keys of a literal object
        const { feedback_id: id } = await stored(plain)
        for (const earlier of path) await take(id, steps[earlier])
        const from: readonly string[] = feedbackMachine.events[event].from
        if (from.includes(status)) expect((await take(id, steps[event])).status).toBe(feedbackMachine.events[event].to)
        else {
          const refused = await service.client.refusal('triageFeedback', { params: { feedback_id: id }, body: steps[event] })
          expect(refused).toMatchObject({ status: 409, code: 'illegal_transition' })
        }
      }
    }
  })

  test('keeps where the fix is, and why it was declined, without secrets', async () => {
    const { feedback_id: id } = await stored(plain)
    await take(id, steps.triage)
    await take(id, steps.accept)
    expect(await take(id, { status: 'pr_open', pr_url: 'https://user:hunter2@example.test/pulls/1' })).toMatchObject({
      pr_url: 'https://[removed]@example.test/pulls/1',
    })
    const other = await stored(plain)
    const declined = await take(other.feedback_id, { status: 'declined', resolution_note: 'Your key sk-abcdef123456 was revoked.' })
    expect(declined.resolution_note).toBe('Your key [removed] was revoked.')
  })

  test.each([
    ['pr_open without a URL', { status: 'pr_open' }],
    ['pr_open with what is no URL', { status: 'pr_open', pr_url: 'javascript:alert(1)' }],
    ['declined without a note', { status: 'declined' }],
    ['declined with a blank note', { status: 'declined', resolution_note: '  ' }],
    ['a note where none belongs', { status: 'triaged', resolution_note: 'x' }],
    ['back to received', { status: 'received' }],
  ])('to %s is refused', async (_what, body) => {
    const { feedback_id } = await stored(plain)
    const reply = await service.fetch(`/v1/feedback/${feedback_id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(reply.status).toBe(422)
    await reply.text()
  })

  test('is a person’s: a key is refused', async () => {
    const { feedback_id } = await stored(plain)
    expect(await service.keyClient.refusal('triageFeedback', { params: { feedback_id }, body: { status: 'triaged' } })).toMatchObject({
      status: 403,
      code: 'owner_session_required',
    })
  })
})

describe('another workspace', () => {
  test('cannot read or triage a report, as if it did not exist', async () => {
    const { feedback_id } = await stored(plain)
    const other = await service.client.call('createWorkspace', { body: { name: 'stranger' } })
    const stranger = clientFor(service.baseUrl, service.file.session_token, other.id)
    expect(await stranger.refusal('getFeedback', { params: { feedback_id } })).toMatchObject({ status: 404, code: 'not_found' })
    expect(await stranger.refusal('triageFeedback', { params: { feedback_id }, body: { status: 'triaged' } })).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    expect((await stranger.call('listFeedback', {})).items).toEqual([])
  })
})

describe('the guide', () => {
  test('is where errors link to, asks for no credentials and loads nothing', async () => {
    const refused = await fetch(`${service.baseUrl}/v1/runs`)
    const { error } = (await refused.json()) as { error: { feedback: { docs: string } } } // the shape that every-endpoint.test.ts checks
    const guide = await fetch(service.baseUrl + error.feedback.docs)
    expect(guide.status).toBe(200)
    expect(guide.headers.get('content-type')).toMatch(/^text\/html/)
    expect(guide.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(guide.headers.get('x-content-type-options')).toBe('nosniff')
    const html = await guide.text()
    for (const status of feedbackMachine.states) expect(html).toContain(status)
    expect(html).toContain('POST /v1/feedback')
    expect(html).not.toMatch(/<script|<link|<img|src=|https?:\/\//)
  })
})
