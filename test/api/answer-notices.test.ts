import { createServer } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { Notices } from '../../src/renderer/results/notices.tsx'
import { listen } from '../journeys/model-server/listen.ts'
import { importFiles } from '../support/imports.ts'
import { makePng } from '../support/media.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const drawn = { type: 'image_url', image_url: { url: `data:image/png;base64,${makePng([1, 2, 3]).toString('base64')}` } }
const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 }

describe('a run against an endpoint', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.close())

  /** The result and the first sample of a run whose every answer is this. */
  async function resultOf(message: object, finish_reason: string | null, more: object = {}, profile?: string) {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ model: 'm', choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }], usage, ...more }),
      )
    })
    const running = await listen(server, 0)
    onTestFinished(() => running.close())
    const { client, baseUrl } = service
    const { id } = await client.call('createConnection', {
      body: { name: `scripted ${running.baseUrl}`, base_url: `${running.baseUrl}/v1`, model: 'm' },
    })
    await client.call('checkConnection', { params: { connection_id: id } })
    const { id: quoteId } = await quote(client, {
      model: { kind: 'connection', connection_id: id },
      profiles: [profile ?? (await profileId(client, 'arithmetic-word-problems', 'zero-shot'))],
      coverage: { mode: 'sample', sample_count: 4, seed: 1 },
      execution: { max_attempts: 1, cache: false },
    })
    const { id: runId } = await submit(client, quoteId, 'scripted')
    const run = await runToEnd(client, baseUrl, runId)
    const results = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
    const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
    const [listed] = items
    if (!listed) throw new Error('The run has no samples.')
    const sample = await client.call('getSample', { params: { run_id: run.id, sample_id: listed.id } })
    return { run, results, listed, sample, codes: results.notices.map(({ code }) => code) }
  }

  test('keeps reasoning apart from the output', async () => {
    const { sample, codes } = await resultOf({ content: '<think>Maybe 99?</think>\n\n42' }, 'stop')
    expect(sample).toMatchObject({ output: '42', reasoning: 'Maybe 99?', notices: [] })
    expect(codes).not.toContain('answer_missing')
  })

  test('notes on sample and result that there is reasoning and no answer', async () => {
    const { sample, listed, codes } = await resultOf({ content: '', reasoning_content: 'Let me think' }, 'length')
    expect(sample).toMatchObject({ output: '', reasoning: 'Let me think' })
    expect(listed.notices.map(({ code }) => code)).toEqual(['answer_missing'])
    expect(codes).toContain('answer_missing')
  })

  test('notes on sample and result an ending that no source explains', async () => {
    const { sample, codes } = await resultOf({ content: '42' }, 'because')
    expect(sample.notices).toEqual([{ code: 'unknown_ending', message: expect.stringContaining('because') }])
    expect(codes).toContain('unknown_ending')
  })

  test('notes on sample and result which model answered instead', async () => {
    const { sample, results } = await resultOf({ content: '42' }, 'stop', { model: 'other-cheaper-model' })
    expect(sample.notices).toEqual([{ code: 'model_differs', message: expect.stringContaining('other-cheaper-model') }])
    const notice = results.notices.find(({ code }) => code === 'model_differs')
    expect(notice?.message).toContain('4 of 4 answers')
    expect(notice?.message).toContain('other-cheaper-model')
  })

  test('is compared with a caution on which model answered instead', async () => {
    const usual = await resultOf({ content: '42' }, 'stop')
    const other = await resultOf({ content: '42' }, 'stop', { model: 'other-cheaper-model' })
    const ids = [usual.run.id, other.run.id]
    const comparison = await service.client.call('createComparison', { body: { name: 'Both', run_ids: ids, baseline_id: usual.run.id } })
    expect(comparison.cautions).toContainEqual({
      code: 'model_differs',
      contender_id: other.run.id,
      message: expect.stringContaining('other-cheaper-model'),
    })
  })

  test('leaves an answer that is a picture alone unscored, also when it is graded again, and shows it', async () => {
    const { run, results, sample, codes } = await resultOf({ content: '', images: [drawn] }, 'stop')
    expect(results.metrics.find(metric => metric.primary)?.estimate.n).toBe(0)
    expect(codes).toContain('answer_holds_files')
    expect(codes).not.toContain('answer_empty')
    const unscored = { class: 'unscored', value: null, explanation: expect.stringContaining('images or recordings without text') }
    expect(sample.score_details).toEqual(sample.score_details.map(() => expect.objectContaining(unscored)))
    expect(sample.attempt_log.at(-1)?.response).toContain(drawn.image_url.url)
    const params = { run_id: run.id }
    await service.client.call('regradeRun', { params, body: { metrics: [] } })
    await expect.poll(async () => (await service.client.call('getRun', { params })).regrade).toBeNull()
    const again = await service.client.call('getSample', { params: { ...params, sample_id: sample.id } })
    expect(again.score_details).toEqual(again.score_details.map(() => expect.objectContaining(unscored)))
  })

  test('says that every sample was refused', async () => {
    const { run, results, codes } = await resultOf({ content: '' }, 'sensitive')
    expect(run.status).toBe('complete')
    expect(codes).toEqual(expect.arrayContaining(['all_refused', 'answer_filtered']))
    expect(results.metrics.find(metric => metric.primary)?.estimate.n).toBe(0)
  })

  const few = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 }
  test.each([
    ['answer_filtered', { content: '' }, 'content_filter', {}],
    ['all_refused', { content: '' }, 'sensitive', {}],
    ['answer_cut_off', { content: '4' }, 'length', {}],
    ['answer_missing', { content: '', reasoning_content: 'Let me think' }, 'length', {}],
    ['answer_empty', { content: '' }, 'stop', {}],
    ['answer_holds_files', { content: '', images: [drawn] }, 'stop', {}],
    ['unknown_ending', { content: '42' }, 'because', {}],
    ['unknown_ending', { content: '42' }, '', {}],
    ['unknown_ending', { content: '42' }, null, {}],
    ['unknown_ending', { content: '42' }, 'tool_calls', {}],
    ['model_differs', { content: '42' }, 'stop', { model: 'other' }],
    ['usage_unreadable', { content: '42' }, 'stop', { usage: { prompt_tokens: 'many' } }],
    ['prompt_truncated', { content: '42' }, 'stop', { usage: few }],
  ])('%s is in the same words on the result page, in the report, the API and MCP', async (code, message, ending, more) => {
    const { run, results } = await resultOf(message, ending, more, code === 'prompt_truncated' ? await longPrompts() : undefined)
    const words = results.notices.find(notice => notice.code === code)?.message ?? ''
    expect(words).not.toBe('')
    const page = renderToStaticMarkup(createElement(Notices, { notices: results.notices }))
    const report = await (await service.fetch(`/v1/runs/${run.id}/export?format=html`)).text()
    for (const surface of [page, report]) expect(textOf(surface)).toContain(words)
    expect(await resultByMcp(run.id)).toContainEqual({ code, message: words })
  })

  /** A profile whose prompts are longer than 20 tokens by far. */
  async function longPrompts(): Promise<string> {
    const rows = Array.from({ length: 4 }, (_, i) =>
      JSON.stringify({ id: `${i}`, input: `${'A long text to read. '.repeat(200)}${i}`, target: '42' }),
    )
    const { slug } = await importFiles(service, { format: 'jsonl', name: 'Long prompts' }, [
      { name: 'rows.jsonl', content: rows.join('\n') },
    ])
    return profileId(service.client, slug ?? '', 'zero-shot')
  }

  async function resultByMcp(run_id: string) {
    const mcp = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const requestInit = { headers: { authorization: `Bearer ${service.file.api_key}` } }
    await mcp.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit }))
    const { content } = await mcp.callTool({ name: 'get_results', arguments: { run_id } })
    await mcp.close()
    return WithNotices.parse(JSON.parse(Content.parse(content)[0].text)).untrusted_data.notices
  }
})

const Content = z.tuple([z.object({ text: z.string() })])
const WithNotices = z.object({ untrusted_data: z.object({ notices: z.array(z.object({ code: z.string(), message: z.string() })) }) })

/** What a reader of the page sees. */
function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:x27|39);/g, "'")
    .replaceAll('&amp;', '&')
}
