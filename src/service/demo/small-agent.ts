import { randomBytes } from 'node:crypto'
import { messageOf } from '../../lib/message-of.ts'

/** What the agent can look up, in dollars. */
const prices: Readonly<Record<string, number>> = { kettle: 39, lamp: 24, chair: 85, table: 210, rug: 120 }

const questions = [
  'What do 2 lamps cost?',
  'What do 4 chairs cost?',
  'What do 3 kettles cost?',
  'What do 3 sofas cost?',
  'What do 5 rugs cost?',
  'What do 6 tables cost?',
  'What do 2 mirrors cost?',
  'What do 10 lamps cost?',
]

type Attributes = Readonly<Record<string, string>>

interface Place {
  readonly traceId: string
  readonly parentSpanId: string | null
}

/** Answers each question with two tools, and reports it as OTLP/JSON, as an instrumented program does. */
export function runSmallAgent(): object {
  const spans: object[] = []
  /** Times the work and records it, failures included. */
  const span = <Result>(
    place: Place,
    name: string,
    given: Attributes,
    work: (within: Place) => Result,
    told: (result: Result) => Attributes,
  ) => {
    const spanId = randomBytes(8).toString('hex')
    const startTimeUnixNano = nanoseconds()
    const end = (attributes: Attributes, status: object) =>
      spans.push({
        traceId: place.traceId,
        spanId,
        ...(place.parentSpanId !== null && { parentSpanId: place.parentSpanId }),
        name,
        kind: 1,
        startTimeUnixNano,
        endTimeUnixNano: nanoseconds(),
        attributes: Object.entries({ ...given, ...attributes }).map(([key, stringValue]) => ({ key, value: { stringValue } })),
        status,
      })
    try {
      const result = work({ traceId: place.traceId, parentSpanId: spanId })
      end(told(result), { code: 1 })
      return result
    } catch (error) {
      end({}, { code: 2, message: messageOf(error) })
      return null
    }
  }
  const tool = (place: Place, name: string, input: string, work: () => number) =>
    span(
      place,
      `execute_tool ${name}`,
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'input.value': input },
      work,
      result => ({ 'output.value': String(result) }),
    )
  const answer = (place: Place, question: string): string => {
    const [, count = '', thing = ''] = /(\d+) (\w+)s cost/.exec(question) ?? []
    const price = tool(place, 'look_up_price', thing, () => priceOf(thing))
    const total = price === null ? null : tool(place, 'multiply', `${count} * ${price}`, () => Number(count) * price)
    const said = total === null ? `I do not know what a ${thing} costs.` : `${count} ${thing}s cost ${total} dollars.`
    const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'small-agent' }
    span(
      place,
      'chat small-agent',
      { ...model, 'gen_ai.input.messages': message('user', question) },
      () => said,
      text => ({ 'gen_ai.output.messages': message('assistant', text) }),
    )
    return said
  }
  for (const question of questions)
    span(
      { traceId: randomBytes(16).toString('hex'), parentSpanId: null },
      'answer a customer',
      { 'openinference.span.kind': 'AGENT', 'input.value': question },
      within => answer(within, question),
      said => ({ 'output.value': said }),
    )
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'small-agent' } }] }
  return { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }
}

function priceOf(thing: string): number {
  const price = prices[thing]
  if (price === undefined) throw new Error(`The price list has no "${thing}".`)
  return price
}

const message = (role: string, content: string): string => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])

/** Since 1970. */
function nanoseconds(): string {
  return String(BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n)
}
