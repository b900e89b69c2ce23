import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Quote } from '../../src/contract/quotes/quotes.schemas.ts'
import { saveJudge } from '../support/judging.ts'
import { makePng } from '../support/media.ts'
import { makeZip } from '../support/make-zip.ts'
import { profileId, quote } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  const rows = [1, 2].map(i => JSON.stringify({ id: `p${i}`, question: 'Which color?', answer: 'red', image: `p/${i}.png` }))
  const { status } = await importToEnd(service, {
    fields: { format: 'jsonl', name: 'Colors' },
    files: [
      {
        name: 'colors.zip',
        content: new Uint8Array(
          makeZip([
            { name: 'rows.jsonl', content: Buffer.from(rows.join('\n')) },
            { name: 'p/1.png', content: makePng([255, 0, 0], { width: 1024, height: 1024 }) },
            { name: 'p/2.png', content: makePng([254, 0, 0], { width: 64, height: 64 }) },
          ]),
        ),
      },
    ],
  })
  expect(status).toBe('imported')
})
afterAll(() => service.close())

/** Of a connection that was never called: quotes are made of what is stored. */
async function quoteOf(model: string, more: { readonly epochs?: number; readonly imageRate?: string } = {}): Promise<Quote> {
  const rates = {
    input_microusd_per_million: '1000000',
    output_microusd_per_million: '0',
    ...(more.imageRate && { image_input_microusd_per_million: more.imageRate }),
  }
  const { id } = await service.client.call('createConnection', {
    body: { name: `${model} ${more.imageRate ?? ''}`, base_url: 'http://127.0.0.1:29996/v1', model, rates },
  })
  return quote(service.client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [await profileId(service.client, 'colors', 'zero-shot')],
    execution: { epochs: more.epochs ?? 1 },
  })
}

const input = ({ cost }: Quote) => cost.components.find(({ kind }) => kind === 'input_tokens')

describe('the estimate of a quote over pictures', () => {
  test('counts them by the rule of their model’s provider, and names it', async () => {
    const unknown = await quoteOf('llava')
    const text = unknown.counts.input_tokens
    expect(input(unknown)?.basis).toContain('Not counted: 2 files, for which no rule is known.')
    const known = await quoteOf('gpt-4o')
    expect(known.counts.input_tokens).toBe(text + 765 + 255)
    expect(known.cost.provider_billed_estimate_microusd).toBe(String(text + 765 + 255))
    expect(input(known)?.basis).toContain('2 files counted by OpenAI’s rule (tokens: 85 and 170 per tile of 512 × 512 pixels).')
    expect(BigInt(known.cost.provider_billed_upper_bound_microusd ?? 0)).toBeGreaterThan(BigInt(text + 765 + 255))
    expect(known.cost.provider_billed_upper_bound_microusd).toBe(unknown.cost.provider_billed_upper_bound_microusd)
    expect((await quoteOf('claude-sonnet-4-5')).counts.input_tokens).toBe(text + 37 * 37 + 3 * 3)
  })

  test('counts them in each epoch, at their own rate where there is one', async () => {
    const { counts, cost } = await quoteOf('gpt-4o', { epochs: 3, imageRate: '2000000' })
    const text = (await quoteOf('llava')).counts.input_tokens
    expect(counts.input_tokens).toBe(3 * (text + 1_020))
    expect(cost.provider_billed_estimate_microusd).toBe(String(3 * (text + 2 * 1_020)))
  })

  test('counts what a judge is shown by the rule of its provider, in each vote, and names what it can’t count', async () => {
    const judgedBy = async (model: string, imageRate: string) => {
      const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '0', image_input_microusd_per_million: imageRate }
      const body = { name: `judge ${model} ${imageRate}`, base_url: 'http://127.0.0.1:49999/v1', model, rates }
      const judge = await saveJudge(service.client, (await service.client.call('createConnection', { body })).id, { votes: 3 })
      const { cost } = await quote(service.client, {
        model: { kind: 'managed', route_id: 'assay/oracle-75' },
        profiles: [await profileId(service.client, 'colors', 'zero-shot')],
        execution: { evaluators: [judge.id], epochs: 2, cache: false },
      })
      const calls = cost.components.find(({ kind }) => kind === 'judge_calls')
      return { estimate: Number(calls?.estimated_microusd), basis: calls?.basis }
    }
    const unknown = await judgedBy('llava', '1000000')
    expect(unknown.basis).toContain('Not counted: 2 files, for which no rule is known.')
    const known = await judgedBy('gpt-4o', '1000000')
    expect(known.basis).not.toContain('Not counted')
    expect(known.estimate - unknown.estimate).toBe(1_020 * 3 * 2)
    expect((await judgedBy('gpt-4o', '2000000')).estimate - unknown.estimate).toBe(2 * 1_020 * 3 * 2)
  })

  test('counts none for a baseline, which is shown none', async () => {
    const made = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      profiles: [await profileId(service.client, 'colors', 'zero-shot')],
    })
    expect(input(made)?.basis).not.toContain('file')
  })
})
