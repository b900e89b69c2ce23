import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPong, readScorerReply } from '../../../../src/engine/clients/remote-scorers/scorer-reply.ts'
import { parseVerdict } from '../../../../src/engine/grading/judges/parse-verdict.ts'
import { draftCandidates } from '../../../../src/engine/grading/drafting/draft-candidates.ts'
import { decimalKey } from '../../../../src/engine/grading/scorers/python/decimal.ts'
import { mapOtlpSpan } from '../../../../src/engine/importing/traces/otlp-span.ts'
import { messagesIn } from '../../../../src/engine/importing/traces/messages.ts'
import { readOtlpJson } from '../../../../src/engine/importing/traces/otlp-json.ts'
import { readProposal } from '../../../../src/engine/reporting/tuning/search-prompts.ts'
import { readResult } from '../../../../src/engine/clients/agents/agent-results.ts'
import { createExcerpt } from '../../../../src/engine/clients/http/excerpt.ts'
import { errorIn } from '../../../../src/engine/clients/http/provider-error.ts'
import { providerFault } from '../../../../src/engine/clients/http/provider-fault.ts'
import { waitHint } from '../../../../src/engine/clients/http/throttle-hints.ts'
import { splitReasoning } from '../../../../src/lib/split-reasoning.ts'
import { readRewrite } from '../../../../src/service/worlds/rewrite-prompt.ts'
import { cpuMsOf, slowness } from '../../../support/machine-speed.ts'
import { judgeWith } from './judges/judge.ts'

/** Measured once: it takes as long as reading one text. */
const slow = slowness()
const judge = judgeWith()
const scale = judgeWith({ mode: 'score', menu: ['1', '2', '3', '4', '5'].map(value => ({ value })) })
const context = { origin: 'http://localhost', model: 'm', hasKey: true, protocol: 'chat', excerpt: createExcerpt(['a-key-that-is-secret']) }
const menu = { task: 'classify', labels: ['pass', 'fail'], range: null } as const
const spanOf = (text: string) => ({
  traceId: 'ab'.repeat(16),
  spanId: 'cd'.repeat(8),
  name: text,
  startTimeUnixNano: '1700000000000000000',
  attributes: ['gen_ai.prompt.0.content', 'input.value', 'gen_ai.input.messages'].map(key => ({ key, value: { stringValue: text } })),
})

/** Everything that reads a text of a provider. */
const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ['a judge’s reply', text => parseVerdict(judge, { text, structured: null }, 'b0undary')],
  ['a judge’s tool call', text => parseVerdict(judge, { text: '', structured: text }, 'b0undary')],
  ['a proposed prompt', text => readProposal(text, [])],
  ['a remote scorer’s reply', readScorerReply],
  ['a remote scorer’s ping', readPong],
  ['a line of decimals', decimalKey],
  ['a judge’s score', text => parseVerdict(scale, { text, structured: null }, 'b0undary')],
  ['reasoning in an answer', splitReasoning],
  ['a provider’s error', text => providerFault({ status: 400, error: errorIn(text, true), body: text, retryAfterMs: null }, context)],
  ['a provider’s error in JSON', text => errorIn({ error: { message: text, metadata: { raw: text } } }, true)],
  ['a wait in a provider’s words', text => waitHint({}, { error: { message: text } }, 0)],
  ['a rewritten attack', readRewrite],
  ['examples of a draft', text => draftCandidates([{ exampleId: 'a', output: text, targets: [text], label: 'pass' }], menu)],
  ['messages of a trace', text => messagesIn(text, 'input')],
  [
    'a span',
    text => {
      const { spans } = readOtlpJson(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [spanOf(text)] }] }] }))
      for (const span of spans) mapOtlpSpan(span)
    },
  ],
  [
    'an agent’s task',
    text => readResult({ kind: 'task', id: text, status: { state: 'completed' }, artifacts: [{ parts: [{ kind: 'text', text }] }] }),
  ],
]
const pieces = [
  'VERDICT: ',
  'pass',
  ')',
  '.',
  ' ',
  '\n',
  '\r',
  '\u2028',
  '<prompt>',
  '</prompt>',
  '{input}',
  '<<<b0undary',
  'b0undary>>>',
  '0',
  '9',
  '_',
  '"',
  '{',
  '[',
  '\ud800',
  '*',
  '`',
  '```\n',
  '[[',
  'Score: ',
  '4\n',
  '<think>',
  '<|channel|>',
  'try again in ',
  'verdict is ',
]

describe.each(readers)('%s', (_, read) => {
  test.each(pieces)('of 200,000 characters of %j is read in time that grows with them', async piece => {
    const run = piece.repeat(Math.ceil(200_000 / piece.length))
    const spent = await cpuMsOf(() => {
      for (const text of [run, `VERDICT: pass${run}x`, `<prompt>${run}x`, `${run}y`, `1.${run}y`, `{"status":"scored","x":"${run}`])
        read(text)
    })
    expect(spent).toBeLessThan(2_000 * slow)
  })

  test('is read whatever it holds', () => {
    const hostile = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 20 }), fc.json()), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(hostile, parts => {
        read(parts.join(''))
      }),
      { numRuns: 300 },
    )
  })
})

test('a judge’s verdict is found after long reasons and before a long tail of marks', () => {
  const { verdict } = parseVerdict(judge, { text: `${'Because. '.repeat(50_000)}\nVERDICT: pass${'*'.repeat(500)}`, structured: null }, 'b')
  expect(verdict).toBe('pass')
})
