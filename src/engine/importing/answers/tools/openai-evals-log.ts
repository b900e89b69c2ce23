import { z } from 'zod'
import type { Message } from '../../../../contract/messages/messages.schemas.ts'
import { RowError } from '../../files/row.ts'
import { describeLeft, isConversation, readConversation } from '../../messages/read-conversation.ts'
import { eachOf, leftOut, LogError, parseLogJson } from '../foreign-log.ts'
import type { ToolReader } from './read-tool-results.ts'
import { recordedLog, type RecordedRow } from './recorded-rows.ts'

const Spec = z.looseObject({ spec: z.looseObject({ completion_fns: z.array(z.string()).nullish(), eval_name: z.string().nullish() }) })
const Event = z.looseObject({ sample_id: z.string(), type: z.string(), data: z.record(z.string(), z.unknown()) })
type Event = z.infer<typeof Event>
const Messages = z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1)

/** The log of a run: a line with its settings, events by sample, and its report. */
export const openAiEvalsLog: ToolReader = {
  tool: 'OpenAI evals',
  matches: ({ head }) =>
    /^\s*\{\s*"(?:spec|final_report)"\s*:/.test(head) &&
    /"spec"\s*:/.test(head) &&
    /"(?:completion_fns|eval_name|run_config)"\s*:/.test(head),
  read: files =>
    files.map(({ name, bytes }) => {
      const texts = bytes.toString('utf8').split('\n')
      const given = texts.flatMap((text, i) => (text.trim() === '' ? [] : [{ text, place: `${name}, line ${i + 1}` }]))
      const { found: lines, faults } = eachOf(given, ({ text, place }) => parseLogJson(text, place))
      const spec = lines.flatMap(line => Spec.safeParse(line).data ?? [])[0]?.spec
      if (!spec) throw new LogError(`"${name}" cannot be read as a log of OpenAI evals: it has no "spec".`)
      const events = lines.flatMap(line => Event.safeParse(line).data ?? [])
      const model = spec.completion_fns?.[0] ?? 'unknown model'
      const samples = Map.groupBy(events, event => event.sample_id)
      const read = Array.from(samples, ([id, of]) => rowsOf(id, of, model))
      const rows = read.flat()
      const without = read.filter(({ length }) => length === 0).length
      const left = rows.reduce((sum, row) => sum + row.left, 0)
      const flattened = rows.filter(({ isFlattened }) => isFlattened).length
      return recordedLog('OpenAI evals', spec.eval_name ?? 'OpenAI evals', rows, [
        ...leftOut(faults),
        ...(left > 0 ? [`Messages of the samples: ${describeLeft(left)}.`] : []),
        ...(flattened > 0
          ? [
              `${flattened === 1 ? 'One sample was' : `${flattened} samples were`} asked with messages that cannot be asked as a conversation, such as ones that end with a system message. New runs ask ${flattened === 1 ? 'it' : 'them'} as text.`,
            ]
          : []),
        ...(without > 0
          ? [
              `${without === 1 ? 'One sample has' : `${without} samples have`} no answer in the log ("sampling") and ${without === 1 ? 'was' : 'were'} left out.`,
            ]
          : []),
      ])
    }),
}

type ReadRow = RecordedRow & { readonly isFlattened: boolean; readonly left: number }

/** A sample that was graded several times, as where runs wrote into one file, has as many epochs: each ends with its grade, and the last with what came behind it. */
function rowsOf(id: string, events: readonly Event[], model: string): ReadRow[] {
  const [ends = []] = ['match', 'metrics']
    .map(grade => events.flatMap(({ type }, i) => (type === grade ? [i + 1] : [])))
    .toSorted((a, b) => b.length - a.length || (b.at(-1) ?? 0) - (a.at(-1) ?? 0))
  const isAsked = events.slice(ends.at(-1)).some(({ type }) => type === 'sampling')
  const tries = isAsked ? ends : ends.slice(0, -1)
  return [0, ...tries].flatMap((from, i) => rowOf(id, i + 1, events.slice(from, tries[i]), model, events))
}

/** @param all of the sample: a try that failed does not say what was asked */
function rowOf(id: string, epoch: number, events: readonly Event[], model: string, all: readonly Event[]): ReadRow[] {
  const of = (type: string, within = events) => within.find(event => event.type === type)?.data
  // Of model-graded samples the first is the answer, and the second is the grader's.
  const [sampling, match, metrics] = [of('sampling'), of('match'), of('metrics')]
  const lastSampling = events.findLastIndex(({ type }) => type === 'sampling')
  const error = events.slice(lastSampling + 1).find(({ type }) => type === 'error')?.data
  const sampled = sampling?.['sampled'] ?? match?.['sampled']
  const output = Array.isArray(sampled) ? sampled[0] : sampled
  if (typeof output !== 'string' && !error) return []
  const expected = (match ?? of('match', all))?.['expected']
  const message = error?.['message']
  const prompt = (sampling ?? of('sampling', all))?.['prompt']
  const { messages, left } = conversationIn(prompt)
  return [
    {
      id,
      input: promptText(prompt) ?? id,
      messages,
      left,
      isFlattened: messages === null && isConversation(prompt) && !isQuestion(prompt),
      targets: (Array.isArray(expected) ? expected : [expected]).filter(one => typeof one === 'string'),
      model,
      epoch,
      output: typeof output === 'string' ? output : null,
      error: typeof message === 'string' ? message : null,
      scores: Object.fromEntries([
        ...(typeof match?.['correct'] === 'boolean' ? [['match', Number(match['correct'])] as const] : []),
        ...Object.entries(metrics ?? {}).flatMap(([name, value]) =>
          typeof value === 'number' || typeof value === 'boolean' ? [[name, Number(value)] as const] : [],
        ),
      ]),
    },
  ]
}

/** Null where it is a single question, or ends with words of the model. */
function conversationIn(prompt: unknown): { readonly messages: readonly Message[] | null; readonly left: number } {
  const none = { messages: null, left: 0 }
  if (!isConversation(prompt)) return none
  try {
    const { messages, answer, left } = readConversation(prompt, 'prompt')
    return answer === null && (messages.length > 1 || left > 0) ? { messages, left } : none
  } catch (error) {
    if (error instanceof RowError) return none
    throw error
  }
}

/** A single message of the user in text is an ordinary question. */
function isQuestion(prompt: unknown): boolean {
  const [only, other] = Messages.safeParse(prompt).data ?? []
  return only?.role === 'user' && other === undefined
}

function promptText(prompt: unknown): string | null {
  if (typeof prompt === 'string') return prompt.trim() === '' ? null : prompt
  const messages = Messages.safeParse(prompt)
  if (!messages.success) return null
  const [only, other] = messages.data
  return other === undefined && only
    ? only.content
    : messages.data.map(({ role, content }) => `${role.toUpperCase()}:\n${content}`).join('\n\n')
}
