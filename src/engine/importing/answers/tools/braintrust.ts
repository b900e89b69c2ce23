import { z } from 'zod'
import { LogError, parseLogJson } from '../foreign-log.ts'
import type { ToolReader } from './read-tool-results.ts'
import { recordedLog, type RecordedRow, rowsIn } from './recorded-rows.ts'

const Row = z.looseObject({
  id: z.string(),
  span_id: z.string().nullish(),
  root_span_id: z.string().nullish(),
  input: z.unknown(),
  output: z.unknown().optional(),
  expected: z.unknown().optional(),
  error: z.unknown().optional(),
  scores: z.record(z.string(), z.number().nullable()).nullish(),
  metadata: z
    .looseObject({ model: z.string().optional().catch(undefined) })
    .nullish()
    .catch(null),
})
const Rows = z.array(z.unknown())

/** An exported experiment as JSON or JSON Lines: its root spans with their scores. Equal inputs are trials of one task. */
export const braintrust: ToolReader = {
  tool: 'Braintrust',
  matches: ({ head }) =>
    /^\s*[[{]/.test(head) && (/"_xact_id"\s*:/.test(head) || (/"span_id"\s*:/.test(head) && /"experiment_id"\s*:/.test(head))),
  read: files =>
    files.map(({ name, bytes }) => {
      const given = Rows.safeParse(rowsOf(bytes.toString('utf8').trim(), name)).data ?? []
      if (!given.some(one => Row.safeParse(one).success))
        throw new LogError(
          `"${name}" is of Braintrust, and its rows lack "id" and "input". Export the experiment as JSON with all columns.`,
        )
      const { rows, left } = rowsIn(Row, given, name, 'row')
      const roots = rows.filter(({ span_id: span, root_span_id: root }) => span == null || root == null || span === root)
      const trials = new Map<string, { readonly id: string; count: number }>()
      const recorded = roots.map((row): RecordedRow => {
        const key = JSON.stringify([row.input, row.expected])
        const trial = trials.get(key) ?? { id: row.id, count: 0 }
        trials.set(key, trial)
        trial.count++
        return {
          id: trial.id,
          input: textOf(row.input) ?? 'No input',
          targets: [textOf(row.expected)].filter(target => target !== null),
          model: row.metadata?.model ?? 'unknown model',
          epoch: trial.count,
          output: textOf(row.output),
          error: textOf(row.error),
          scores: Object.fromEntries(
            Object.entries(row.scores ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
          ),
        }
      })
      const spans = rows.length - roots.length
      return recordedLog('Braintrust', 'braintrust', recorded, [
        ...left,
        ...(spans === 0 ? [] : [`${spans} inner spans of the experiment were left out.`]),
      ])
    }),
}

/** A list, an export with "events", or a row a line. @throws LogError */
function rowsOf(text: string, name: string): unknown {
  if (text.startsWith('[')) return parseLogJson(text, name)
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const isLines = lines.every(line => line.trim().startsWith('{') && line.trim().endsWith('}'))
  if (isLines && lines.length > 1) return lines.map(line => parseLogJson(line, name))
  const whole = parseLogJson(text, name)
  return typeof whole === 'object' && whole !== null && 'events' in whole ? whole.events : [whole]
}

/** Null where there is nothing; what is not a text as JSON. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
