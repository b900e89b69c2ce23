import { describe, expect, test } from 'vitest'
import { customerDesk } from '../../../../src/engine/execution/environments/families/customer-desk/customer-desk.ts'
import { fileWorkspace } from '../../../../src/engine/execution/environments/families/file-workspace/file-workspace.ts'
import { textToSql } from '../../../../src/engine/execution/environments/families/text-to-sql/text-to-sql.ts'
import type { EnvironmentFamily } from '../../../../src/engine/execution/environments/environment.ts'
import type { Answer, CallOutcome, Failure, ModelRequest } from '../../../../src/engine/clients/model-client.ts'
import { graded, play } from './play.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const answer = (output: string, more: Partial<Answer> = {}): Answer => ({
  ok: true,
  output,
  finishReason: 'stop',
  refused: false,
  usage: { inputTokens: 10, outputTokens: 2 },
  latencyMs: 5,
  request: bytes(`asked for ${output}`),
  response: bytes(`said ${output}`),
  httpStatus: 200,
  ...more,
})
const use = (tool: string, args: object = {}) => answer(JSON.stringify({ tool, arguments: args }))
const calls = (...of: (readonly [string, string])[]) =>
  answer('', { toolCalls: of.map(([name, args], i) => ({ id: `call-${i}`, name, arguments: args })) })

/** Plays the family's first task with a model that says these things one after another. */
async function script(family: EnvironmentFamily, replies: readonly CallOutcome[], protocol: 'text' | 'native' = 'text') {
  const [task] = family.content().tasks
  if (!task) throw new Error('There is no task.')
  const asked: ModelRequest[] = []
  const outcome = await play(
    family,
    task,
    {
      kind: 'model',
      call: request => {
        asked.push(request)
        return Promise.resolve(replies[Math.min(asked.length, replies.length) - 1] ?? answer(''))
      },
    },
    protocol,
  )
  return { task, asked, outcome }
}

describe('by text', () => {
  test('tells the tools once, hands back what they answer, and keeps every call byte for byte', async () => {
    const { task, asked, outcome } = await script(fileWorkspace, [
      answer('Let me look.\n```json\n{"tool": "list_files", "arguments": {}}\n```'),
      use('read_file', { path: 'no/such' }),
      answer('{"answer": "done"}'),
    ])
    expect(asked[0]?.tools).toBeUndefined()
    expect(asked[0]?.messages[0]?.content).toContain('- write_file: Writes a file')
    expect(asked[1]?.messages.at(-1)).toEqual({ role: 'user', content: expect.stringMatching(/^list_files: sales\//) })
    expect(asked[2]?.messages.at(-1)).toEqual({ role: 'user', content: 'read_file: There is no file "no/such".' })
    const { episode, score } = graded(outcome, task)
    expect(episode).toMatchObject({ ended: 'answered', turns: 3, answer: 'done', protocol: 'text', environment: 'file-workspace' })
    expect(episode.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
    expect(score).toMatchObject({ value: 0, class: 'wrong', answer: 'done' })
    expect(outcome).toMatchObject({ latencyMs: 15, usage: { inputTokens: 30, outputTokens: 6 } })
    expect(outcome.earlier?.map(({ response }) => new TextDecoder().decode(response ?? undefined))).toEqual([
      expect.stringContaining('Let me look'),
      expect.stringContaining('no/such'),
    ])
  })

  test('says what it could not read and what a tool needs, and ends at the limit of turns', async () => {
    const { task, asked, outcome } = await script(customerDesk, [
      answer('I will refund it.'),
      use('refund'),
      use('refund_order', { order_id: 5 }),
      use('decline_request', { order_id: 'A1', reason: 'because' }),
    ])
    const observed = asked.slice(1, 5).map(({ messages }) => messages.at(-1)?.content)
    expect(observed[0]).toMatch(/^That could not be read\. Reply with one JSON object/)
    expect(observed[1]).toMatch(/^refund: There is no tool "refund"\. The tools are find_orders/)
    expect(observed[2]).toBe('refund_order: refund_order needs "order_id" (string).')
    expect(observed[3]).toBe('decline_request: "reason" must be one of not_delivered, too_late, already_sent.')
    expect(graded(outcome, task).episode).toMatchObject({ ended: 'turn_limit', turns: customerDesk.maxTurns, answer: null })
  })
})

describe('by native tool calls', () => {
  test('offers the tools, returns each result with its call id, and treats a turn without a call as the answer', async () => {
    const { task, asked, outcome } = await script(
      customerDesk,
      [calls(['find_orders', '{"email":"nobody@example.com"}'], ['read_order', '{broken']), answer('I am sorry.')],
      'native',
    )
    expect(asked[0]?.tools?.map(({ name }) => name)).toEqual(customerDesk.tools.map(({ name }) => name))
    expect(asked[0]?.messages[0]?.content).not.toContain('You can use these tools')
    expect(asked[1]?.messages.slice(-3)).toEqual([
      { role: 'assistant', content: '', toolCalls: [expect.objectContaining({ id: 'call-0' }), expect.objectContaining({ id: 'call-1' })] },
      { role: 'tool', toolCallId: 'call-0', content: 'There is no customer "nobody@example.com".' },
      { role: 'tool', toolCallId: 'call-1', content: 'The arguments are not a JSON object: {broken' },
    ])
    expect(graded(outcome, task).episode).toMatchObject({ ended: 'answered', turns: 2, answer: 'I am sorry.' })
    expect(outcome).not.toHaveProperty('toolCalls')
  })

  test('keeps a history that every server takes: JSON arguments, and ids that are there once', async () => {
    const { asked } = await script(
      customerDesk,
      [
        answer('', {
          toolCalls: [
            { id: '', name: 'find_orders', arguments: '{broken' },
            { id: '', name: 'find_orders', arguments: '' },
          ],
        }),
        calls(['read_order', '{}']),
        calls(['read_order', '{}']),
        answer('Done.'),
      ],
      'native',
    )
    const sent = asked.at(-1)?.messages.flatMap(turn => ('toolCalls' in turn ? turn.toolCalls : [])) ?? []
    expect(sent.map(call => call.id)).toEqual(['call00001', 'call00002', 'call-0', 'call00004'])
    expect(sent.map(call => call.arguments)).toEqual(['{}', '{}', '{}', '{}'])
    const told = asked.at(-1)?.messages.flatMap(turn => (turn.role === 'tool' ? [turn.toolCallId] : []))
    expect(told).toEqual(sent.map(call => call.id))
  })

  test('sends what came with the calls back with them, and leaves it out of the episode', async () => {
    const carried = { reasoning_content: 'I should look.' }
    const { asked, task, outcome } = await script(
      customerDesk,
      [{ ...calls(['find_orders', '{"email":"nobody@example.com"}']), carried }, answer('Sorry.')],
      'native',
    )
    expect(asked[1]?.messages.at(-2)).toMatchObject({ role: 'assistant', carried })
    expect(JSON.stringify(graded(outcome, task).episode)).not.toContain('I should look.')
    expect(outcome).not.toHaveProperty('carried')
  })

  test('keeps what was thought in each turn beside the episode', async () => {
    const { outcome, task } = await script(
      customerDesk,
      [{ ...calls(['find_orders', '{}']), reasoning: 'I should look.' }, answer('Sorry.', { reasoning: 'There is none.' })],
      'native',
    )
    expect(outcome).toMatchObject({ ok: true, reasoning: 'Turn 1\nI should look.\n\nTurn 2\nThere is none.' })
    expect(JSON.stringify(graded(outcome, task).episode)).not.toContain('I should look.')
  })

  test('has the notes of all of its calls, each once', async () => {
    const note = (message: string) => ({ code: 'parameter_dropped' as const, message })
    const { outcome } = await script(
      customerDesk,
      [{ ...calls(['find_orders', '{}']), notes: [note('first'), note('both')] }, answer('Sorry.', { notes: [note('both')] })],
      'native',
    )
    expect(outcome.notes).toEqual([note('first'), note('both')])
  })
})

test('fails as a whole when a call fails, with what had been said before', async () => {
  const failure: Failure = {
    ok: false,
    code: 'rate_limited',
    message: 'Slow down.',
    retryAfterMs: 500,
    latencyMs: 1,
    request: null,
    response: null,
    httpStatus: 429,
  }
  const { outcome } = await script(fileWorkspace, [use('list_files'), failure])
  expect(outcome).toMatchObject({
    ok: false,
    code: 'rate_limited',
    retryAfterMs: 500,
    latencyMs: 6,
    earlier: [{ request: expect.anything() }],
  })
})

test('counts no tokens when the provider counted only some of the calls', async () => {
  const { outcome } = await script(fileWorkspace, [use('list_files'), answer('{"answer":"done"}', { usage: null })])
  expect(outcome).toMatchObject({ ok: true, usage: null })
})

describe('a query of the SQL environment', () => {
  const { tasks } = textToSql.content()
  const run = async (sql: string): Promise<string> => {
    const [task] = tasks
    if (!task) throw new Error('There is no task.')
    return await textToSql.start(task).act({ tool: 'run_query', arguments: { sql } })
  }

  test('reads', async () => {
    expect(await run('select count(*) as n from customers')).toBe('n\n9')
    expect(await run('with c as (select * from customers) select count(*) from c where id < 4 -- three')).toMatch(/\n3$/)
  })

  test.each([
    ['insert into customers values (99, "x", "y")', 'Only queries that read'],
    ['drop table customers', 'Only queries that read'],
    ["attach database '/tmp/assay-probe' as other", 'Only queries that read'],
    ["select load_extension('x')", 'The function load_extension'],
    ['pragma table_info(customers)', 'Only queries that read'],
    ['with c(x) as (select 1 union all select x + 1 from c) select count(*) from c', 'Recursive queries'],
    ['select count(*) from orders a, orders b, orders c, orders d, orders e', 'at most 4 tables'],
    ['select randomblob(100000000)', 'The function randomblob'],
    ['select * from sqlite_master', 'Only the tables of the shop'],
    ['select 1; select 2; drop table customers', ''],
    [`select ${'name || '.repeat(300)}name from customers, products`, ''],
    ['', 'Error'],
  ])('is refused or harmless: %s', async (sql, reason) => {
    const told = await run(sql)
    expect(told).toContain(reason)
    expect(told.length).toBeLessThan(200_000)
    expect(await run('select count(*) from customers')).toMatch(/9$/)
  })
})
