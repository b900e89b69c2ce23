import { z } from 'zod'
import { LogError, parseLogJson } from '../foreign-log.ts'
import type { ToolReader } from './read-tool-results.ts'
import { recordedLog, type RecordedRow } from './recorded-rows.ts'

const Spec = z.looseObject({ spec: z.looseObject({ completion_fns: z.array(z.string()).nullish(), eval_name: z.string().nullish() }) })
const Event = z.looseObject({ sample_id: z.string(), type: z.string(), data: z.record(z.string(), z.unknown()) })
type Event = z.infer<typeof Event>
const Messages = z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1)

/** The log of a run: a line with its settings, events by sample, and its report. */
export const openAiEvalsLog: ToolReader = {
  tool: 'OpenAI evals',
  matches: ({ head }) => /^\s*\{\s*"spec"\s*:/.test(head) && /"(?:completion_fns|eval_name|run_config)"\s*:/.test(head),
  read: files =>
    files.map(({ name, bytes }) => {
      const lines = bytes
        .toString('utf8')
        .split('\n')
        .flatMap((text, i) => (text.trim() === '' ? [] : [parseLogJson(text, `${name}, line ${i + 1}`)]))
      const spec = lines.flatMap(line => Spec.safeParse(line).data ?? [])[0]?.spec
      if (!spec) throw new LogError(`"${name}" cannot be read as a log of OpenAI evals: it has no "spec".`)
      const events = lines.flatMap(line => Event.safeParse(line).data ?? [])
      const model = spec.completion_fns?.[0] ?? 'unknown model'
      const samples = Map.groupBy(events, event => event.sample_id)
      const rows = Array.from(samples, ([id, of]) => rowOf(id, of, model)).flat()
      const without = samples.size - rows.length
      return recordedLog(
        'OpenAI evals',
        spec.eval_name ?? 'OpenAI evals',
        rows,
        without > 0 ? [`${without} of ${samples.size} samples have no answer in the log ("sampling") and were left out.`] : [],
      )
    }),
}

function rowOf(id: string, events: readonly Event[], model: string): RecordedRow[] {
  const of = (type: string) => events.find(event => event.type === type)?.data
  const [sampling, match, metrics, error] = [of('sampling'), of('match'), of('metrics'), of('error')]
  const sampled = sampling?.['sampled'] ?? match?.['sampled']
  const output = Array.isArray(sampled) ? sampled[0] : sampled
  if (typeof output !== 'string' && !error) return []
  const expected = match?.['expected']
  const message = error?.['message']
  return [
    {
      id,
      input: promptText(sampling?.['prompt']) ?? id,
      targets: (Array.isArray(expected) ? expected : [expected]).filter(one => typeof one === 'string'),
      model,
      epoch: 1,
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

function promptText(prompt: unknown): string | null {
  if (typeof prompt === 'string') return prompt.trim() === '' ? null : prompt
  const messages = Messages.safeParse(prompt)
  if (!messages.success) return null
  const [only, other] = messages.data
  return other === undefined && only
    ? only.content
    : messages.data.map(({ role, content }) => `${role.toUpperCase()}:\n${content}`).join('\n\n')
}
