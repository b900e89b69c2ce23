import type { BodyExamples } from '../body-examples.ts'
import type { tracesEndpoints } from './traces.endpoints.ts'

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

export const tracesExamples: BodyExamples<typeof tracesEndpoints> = {
  receiveTraces: {
    resourceSpans: [
      {
        resource: { attributes: [text('service.name', 'support-bot')] },
        scopeSpans: [
          {
            spans: [
              {
                traceId: '5b8efff798038103d269b633813fc60c',
                spanId: 'eee19b7ec3c1b174',
                name: 'chat my-model',
                kind: 3,
                startTimeUnixNano: '1795384800000000000',
                endTimeUnixNano: '1795384801400000000',
                attributes: [
                  text('gen_ai.operation.name', 'chat'),
                  text('gen_ai.request.model', 'my-model'),
                  text('gen_ai.input.messages', '[{"role":"user","parts":[{"type":"text","content":"I was charged twice."}]}]'),
                  text('gen_ai.output.messages', '[{"role":"assistant","parts":[{"type":"text","content":"refund"}]}]'),
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  addWorkloadSource: {
    integration_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e04',
    kind: 'dataset',
    resource_id: 'support-tickets',
    mapping: { input: 'input.question', expected: 'output.answer' },
  },
  addTraceSource: { trace_ids: ['0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e05'], dry_run: true },
}
