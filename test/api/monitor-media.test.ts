import { createServer } from 'node:http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { expect, test } from 'vitest'
import { isTerminal } from '../../src/contract/machine.ts'
import { tuneOccurrenceMachine } from '../../src/contract/tuning/monitor.machine.ts'
import { listen } from '../journeys/model-server/listen.ts'
import { saveJudge } from '../support/judging.ts'
import { makePng } from '../support/media.ts'
import { recordSpans } from '../support/otlp.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService } from '../support/service.ts'

test('a judge of a monitor is shown the picture of a trace whose output it grades', async () => {
  await using service = await startTestService()
  const sent: string[] = []
  const model = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      if (request.method !== 'POST') return void response.writeHead(404).end()
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        sent.push(Buffer.concat(chunks).toString())
        const choices = [{ index: 0, message: { role: 'assistant', content: 'VERDICT: pass' }, finish_reason: 'stop' }]
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ choices, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }))
      })
    }),
    0,
  )
  const { client } = service
  const picture = makePng([12, 200, 30], { width: 19 }).toString('base64')
  const asked = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What grows here?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
      ],
    },
  ]
  const { authorization = '' } = service.keyClient.headers
  const exporter = new OTLPTraceExporter({
    url: `${service.baseUrl}/v1/traces`,
    headers: { authorization, 'x-workspace-id': service.workspaceId },
  })
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': JSON.stringify(asked),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', content: 'Moss' }]),
  }
  await recordSpans([{ name: 'growing', attributes }], exporter)
  const { items } = await client.call('listTraces', { query: { q: 'growing', limit: 10 } })

  const { id: connection } = await client.call('createConnection', {
    body: { name: 'eyes', base_url: `${model.baseUrl}/v1`, model: 'eyes' },
  })
  await client.call('checkConnection', { params: { connection_id: connection } })
  const { id: judge } = await saveJudge(client, connection)
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { id: quoted } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-75' }, profiles: [profile] })
  const { id: run } = await runToEnd(client, service.baseUrl, (await submit(client, quoted)).id)
  const monitor = await client.call('createTuneMonitor', {
    body: {
      name: 'Watch',
      profile_id: profile,
      baseline: { run_id: run },
      max_charge_microusd: '0',
      max_monthly_microusd: '0',
      evaluator_version_id: judge,
    },
  })
  const before = sent.length
  const params = { monitor_id: monitor.id }
  const { occurrence_id: id } = await client.call('queueTuneWorkload', { params, body: { trace_ids: [items[0]?.id ?? ''] } })
  const found = async () =>
    (await client.call('listTuneOccurrences', { params, query: { limit: 10 } })).find(occurrence => occurrence.id === id)
  await expect.poll(async () => isTerminal(tuneOccurrenceMachine, (await found())?.status ?? 'accepted')).toBe(true)
  expect(await found()).toMatchObject({ status: 'complete', n: 1, unscored: 0 })
  const judged = sent.slice(before)
  expect(judged).toHaveLength(1)
  expect(judged[0]).toContain(`data:image/png;base64,${picture}`)
  await model.close()
})
