import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { indexAnswers } from './answer-index.ts'
import { answersFromGsm8k, answersFromJsonl } from './replay-files.ts'
import { type ModelServerOptions, startModelServer } from './server.ts'

const solutionsUrl = new URL('../../../../shared/data/gsm8k/example_model_solutions.jsonl', import.meta.url)

async function serverWith(options: ModelServerOptions) {
  const server = await startModelServer(options)
  onTestFinished(() => server.close())
  return server
}

const post = (baseUrl: string, body: object | string): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })

const asking = (content: string, more: object = {}) => ({ model: 'm', messages: [{ role: 'user', content }], ...more })

function tempFile(name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'model-server-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

describe('looking answers up', () => {
  const long = 'How many eggs do sixteen ducks lay in one week?'
  const find = indexAnswers(
    new Map([
      [long, 'a'],
      [`${long} And in two?`, 'b'],
      ['2+2?', 'c'],
      ['Whole prompt\nword by word', 'd'],
    ]),
  )

  test.each([
    ['the whole prompt', 'Whole prompt\nword by word', 'd'],
    ['a question inside', `Question: ${long}\nAnswer:`, 'a'],
    ['a short question inside', 'Q: 2+2? A:', 'c'],
    ['the longer of two that begin alike', `Question: ${long} And in two?`, 'b'],
    ['the last of several', `${long}\n\n2+2?`, 'c'],
    ['the last of several, the other way round', `2+2?\n\n${long}`, 'a'],
    ['none', 'What is love?', null],
  ])('%s', (_, prompt, answer) => {
    expect(find(prompt)).toBe(answer)
  })
})

describe('the server', () => {
  test('answers with usage, counts requests, and reports missing answers', async () => {
    const server = await serverWith({ answers: new Map([['2+2?', '4']]), fallback: 'No idea.' })
    const known = await (await post(server.baseUrl, asking('Q: 2+2?'))).json()
    const unknown = await (await post(server.baseUrl, asking('2+3?'))).json()
    expect(known).toMatchObject({ choices: [{ message: { content: '4' }, finish_reason: 'stop' }], usage: { completion_tokens: 1 } })
    expect(unknown).toMatchObject({ choices: [{ message: { content: 'No idea.' } }] })
    expect(server.requests()).toBe(2)
  })

  test('streams the same text', async () => {
    const server = await serverWith({ answers: () => 'one two\n three ' })
    const response = await post(server.baseUrl, asking('?', { stream: true, stream_options: { include_usage: true } }))
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = (await response.text()).split('\n\n').filter(event => event !== '')
    expect(events.at(-1)).toBe('data: [DONE]')
    const chunks = events.slice(0, -1).map(event => JSON.parse(event.slice('data: '.length)))
    expect(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')).toBe('one two\n three ')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 4 } })
  })

  test('plays its faults first, in order', async () => {
    const server = await serverWith({ answers: () => '4', faults: ['throttled', 'ok', 'server-error', 'reset'] })
    const statuses: unknown[] = []
    for (let i = 0; i < 5; i++)
      statuses.push(
        await post(server.baseUrl, asking('?')).then(
          response => response.status,
          () => 'cut',
        ),
      )
    expect(statuses).toEqual([429, 200, 500, 'cut', 200])
  })

  test('waits for the given delay', async () => {
    const waits: number[] = []
    const server = await serverWith({ answers: () => '4', delayMs: () => (waits.push(30), 30) })
    const startedAt = performance.now()
    await post(server.baseUrl, asking('?'))
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29)
    expect(waits).toEqual([30])
  })

  test('refuses what it does not understand', async () => {
    const server = await serverWith({ answers: () => '4' })
    expect((await post(server.baseUrl, '{oops')).status).toBe(400)
    expect((await post(server.baseUrl, [])).status).toBe(400)
    expect((await fetch(`${server.baseUrl}/elsewhere`)).status).toBe(404)
    expect(await (await fetch(`${server.baseUrl}/models`)).json()).toMatchObject({ data: [{ id: 'replay' }] })
  })
})

describe('files to replay', () => {
  test('lines of question and answer', () => {
    const file = tempFile('answers.jsonl', '{"question":"a","answer":"1"}\n\n{"question":"b","answer":"2"}\n')
    expect([...answersFromJsonl(file)]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  test('a line that lacks one of them is named', () => {
    const file = tempFile('answers.jsonl', '{"question":"a","answer":"1"}\n{"question":"b"}\n')
    expect(() => answersFromJsonl(file)).toThrow(/line 2: expected an object with "question" and "answer"/)
  })

  test.skipIf(!existsSync(solutionsUrl))('GSM8K’s solutions (skipped where the shared folder is absent)', async () => {
    const answers = answersFromGsm8k(fileURLToPath(solutionsUrl), '175b_verification')
    expect(answers.size).toBe(1319)
    const find = indexAnswers(answers)
    for (const [question, solution] of answers) {
      if (find(`Question: Why?\nAnswer: A: 1\n\nQuestion: ${question}\nAnswer:`) !== solution) expect.fail(question)
    }
    expect(() => answersFromGsm8k(fileURLToPath(solutionsUrl), 'nonesuch')).toThrow(/a solution under “nonesuch”/)
  })
})

describe('the command', () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))

  test.each(['SIGINT', 'SIGTERM'] as const)('prints its address, answers, and stops on %s', async signal => {
    const file = tempFile('answers.jsonl', '{"question":"2+2?","answer":"4"}\n')
    const child = spawn(process.execPath, [main, '--answers', file, '--delay', '0-1'], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    const [baseUrl] = (await once(createInterface(child.stdout), 'line')) as [string]
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    expect(await (await post(baseUrl, asking('2+2?'))).json()).toMatchObject({ choices: [{ message: { content: '4' } }] })
    child.kill(signal)
    expect(await exited).toEqual([0, null])
  })

  test.each([
    [[], /there is nothing to answer with/],
    [['--answers', 'x', '--port', 'many'], /ENOENT|--port must be/],
    [['--nonsense'], /Unknown option '--nonsense'/],
  ])('explains what is wrong with %j', async (args, message) => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    const exited = once(child, 'exit')
    let said = ''
    for await (const chunk of child.stderr) said += String(chunk)
    expect(said).toMatch(message)
    expect(said).toContain('npm run model-server')
    expect(await exited).toEqual([1, null])
  })
})
