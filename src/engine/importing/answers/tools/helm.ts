import { z } from 'zod'
import { LogError, parseLogJson } from '../foreign-log.ts'
import type { LogFile } from '../log-files.ts'
import type { ToolReader } from './read-tool-results.ts'
import { recordedLog, type RecordedRow, rowsIn } from './recorded-rows.ts'

const RequestState = z.looseObject({
  instance: z.looseObject({
    id: z.string(),
    input: z.looseObject({ text: z.string().nullish() }),
    references: z.array(z.looseObject({ output: z.looseObject({ text: z.string() }), tags: z.array(z.string()) })).nullish(),
    perturbation: z.unknown().optional(),
  }),
  reference_index: z.int().nullish(),
  request_mode: z.string().nullish(),
  train_trial_index: z.int().default(0),
  request: z.looseObject({ model: z.string().nullish(), prompt: z.string().nullish() }).nullish(),
  result: z
    .looseObject({ success: z.boolean(), completions: z.array(z.looseObject({ text: z.string() })), error: z.string().nullish() })
    .nullish(),
})
const State = z.looseObject({
  adapter_spec: z.looseObject({ model: z.string().nullish(), model_deployment: z.string().nullish() }).nullish(),
  request_states: z.array(z.unknown()),
})
const Stats = z.array(
  z.looseObject({
    instance_id: z.string(),
    perturbation: z.unknown().optional(),
    train_trial_index: z.int().default(0),
    stats: z.array(z.looseObject({ name: z.looseObject({ name: z.string() }), mean: z.number().nullish() })),
  }),
)

/** Figures of a call, and no scores of an answer. */
const notScores = /^(?:num_|inference_|training_|estimated_|batch_size|logprob|max_prob|prompt_|finish_reason|log_)/

/** `scenario_state.json` with its `per_instance_stats.json`: the requests of a run, and what HELM measured of each. */
export const helm: ToolReader = {
  tool: 'HELM',
  isWhole: true,
  matches: ({ head }) => /"request_states"\s*:/.test(head) || (/"instance_id"\s*:/.test(head) && /"stats"\s*:/.test(head)),
  // What a run leaves beside them: its settings, and its figures as a whole.
  uses: ({ name }) => /^(?:run_spec|scenario|stats)\.json$/.test(name),
  read: files => {
    const states = files.filter(({ bytes }) => /"request_states"\s*:/.test(bytes.toString('utf8', 0, 65_536)))
    if (states.length === 0)
      throw new LogError('Send scenario_state.json beside per_instance_stats.json: the figures of HELM alone hold no answers.')
    return states.map(state => {
      const stats = files.filter(file => file !== state && file.folder === state.folder && /per_instance_stats/i.test(file.name))
      return readState(state, stats[0] ?? null)
    })
  },
}

function readState(file: LogFile, statsFile: LogFile | null) {
  const parsed = State.safeParse(parseLogJson(file.bytes.toString('utf8'), file.name))
  if (!parsed.success) throw new LogError(`"${file.name}" is no scenario state of HELM that can be read.`)
  const { request_states: given, adapter_spec: adapter } = parsed.data
  const { rows: states, left: unread } = rowsIn(RequestState, given, file.name, 'request')
  const stats = statsFile ? statsOf(statsFile) : new Map<string, Record<string, number>>()
  const left = { choices: 0, perturbed: 0 }
  const rows = states.flatMap((state): RecordedRow[] => {
    const { instance, result, request, train_trial_index: trial } = state
    if (state.reference_index != null) {
      left.choices++
      return []
    }
    if (instance.perturbation != null) {
      left.perturbed++
      return []
    }
    const text = result?.success === true ? (result.completions[0]?.text ?? null) : null
    return [
      {
        id: instance.id,
        input: request?.prompt || instance.input.text || instance.id,
        targets: (instance.references ?? []).filter(({ tags }) => tags.includes('correct')).map(({ output }) => output.text),
        model: request?.model ?? adapter?.model ?? adapter?.model_deployment ?? 'unknown model',
        epoch: trial + 1,
        output: text,
        error: result?.error ?? null,
        scores: stats.get(keyOf(instance.id, trial)) ?? {},
      },
    ]
  })
  const title = file.folder.split('/').at(-1) || 'HELM'
  return recordedLog('HELM', title, withOneQuestion(rows), [
    ...unread,
    ...(statsFile ? [] : ['per_instance_stats.json was not sent, so that the answers have no scores.']),
    ...(left.choices > 0 ? [`${left.choices} requests measure the likelihood of a choice and were left out.`] : []),
    ...(left.perturbed > 0 ? [`${left.perturbed} requests with a changed question (perturbation) were left out.`] : []),
  ])
}

/** Trials have other worked examples before the same question. */
function withOneQuestion(rows: readonly RecordedRow[]): RecordedRow[] {
  const first = new Map<string, string>()
  for (const { id, input } of rows) if (!first.has(id)) first.set(id, input)
  return rows.map(row => ({ ...row, input: first.get(row.id) ?? row.input }))
}

function statsOf({ name, bytes }: LogFile): Map<string, Record<string, number>> {
  const parsed = Stats.safeParse(parseLogJson(bytes.toString('utf8'), name))
  if (!parsed.success) throw new LogError(`"${name}" cannot be read as HELM's per-instance statistics.`)
  const found = new Map<string, Record<string, number>>()
  for (const { instance_id: id, perturbation, train_trial_index: trial, stats } of parsed.data) {
    if (perturbation != null) continue
    const scores = stats.flatMap(({ name: { name: metric }, mean }): [string, number][] =>
      mean == null || notScores.test(metric) ? [] : [[metric, mean]],
    )
    found.set(keyOf(id, trial), Object.fromEntries(scores))
  }
  return found
}

function keyOf(id: string, trial: number): string {
  return `${trial} ${id}`
}
