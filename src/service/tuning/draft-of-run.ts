import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalidField } from '../../contract/errors.ts'
import { contentText } from '../../contract/messages/message-text.ts'
import { isMediaPart, type Message, type MessageContent } from '../../contract/messages/messages.schemas.ts'
import type { FrozenProfile, ModelSnapshot } from '../../contract/quotes/quotes.schemas.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { mostCases, type NewTuneCase, TuneCall, type TuneCase } from '../../contract/tuning/draft.schemas.ts'
import type { NewTuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { definedOf } from '../../lib/defined-of.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Runs } from '../runs/index.ts'

/** Samples read between two looks at other requests. */
const pageSize = 50

export interface DraftOfRunDependencies {
  readonly runs: Pick<Runs, 'read' | 'results' | 'samples' | 'sample'>
  readonly catalog: Pick<Catalog, 'profile'>
}

type Parts = Required<Pick<NewTuneSession, 'call' | 'cases'>> & Pick<NewTuneSession, 'grader'>

/**
 * The draft that a run gives: its model, prompt, settings and grader, and a case for each of its tasks, at most 10,000.
 * @throws ApiError not_found; validation_error for a run without results, without a model, or of several profiles and none named
 */
export async function draftOfRun(
  { runs, catalog }: DraftOfRunDependencies,
  workspaceId: string,
  { run_id, profile_id }: NonNullable<NewTuneSession['from_run']>,
): Promise<Parts> {
  const run = runs.read(workspaceId, run_id)
  const model = modelOf(run.model)
  if (model === null) throw invalidField(['body', 'from_run', 'run_id'], 'is a run of imported answers, whose model cannot be called')
  if (run.result_version === null) throw invalidField(['body', 'from_run', 'run_id'], 'is a run without results; wait until it has ended')
  const { profiles } = runs.results(workspaceId, run_id, undefined).reproducibility
  const profile = profileOf(profiles, profile_id)
  const samples = await samplesOf(runs, workspaceId, run_id, profile.profile_id)
  const template = run.execution.prompt_template ?? catalog.profile(workspaceId, profile.profile_id)?.definition.promptTemplate ?? ''
  const prompt = promptOf(samples, profile.shots === 0 ? template : '')
  const metric = profile.metrics.find(({ primary }) => primary)
  const { temperature, effort, max_output_tokens: most, top_p, model_seed: seed, stop } = run.execution
  const { generation } = profile
  return {
    call: TuneCall.parse({
      model,
      effort,
      system_prompt: prompt.system,
      prompt_template: prompt.template,
      parameters: {
        temperature: temperature === 'none' ? null : (temperature ?? generation.temperature),
        max_output_tokens: most ?? generation.max_output_tokens,
        stop: stop ?? generation.stop,
        ...definedOf({ top_p: top_p ?? undefined, seed: seed ?? undefined }),
      },
    }),
    ...(metric && { grader: { scorer: metric.scorer, options: metric.options } }),
    cases: samples.map(
      ({ id, targets, choices }, i): NewTuneCase => ({
        input: prompt.inputs[i] ?? '',
        expected: targets.length === 0 ? null : targets,
        metadata: choices === null ? {} : { choices },
        cluster: null,
        origin: { kind: 'sample', ref: id },
      }),
    ),
  }
}

function modelOf({ kind, route_id, connection_id }: ModelSnapshot): TuneCall['model'] | null {
  if (kind === 'connection' && connection_id !== null) return { kind, connection_id }
  return kind === 'managed' && route_id !== null ? { kind, route_id } : null
}

function profileOf(profiles: readonly FrozenProfile[], wanted: string | undefined): FrozenProfile {
  const [only, ...others] = wanted === undefined ? profiles : profiles.filter(({ profile_id: id }) => id === wanted)
  if (only && others.length === 0) return only
  const names = profiles.map(({ profile_id: id }) => id).join(', ')
  throw invalidField(['body', 'from_run', 'profile_id'], `must be one of the run's profiles: ${names}`)
}

/** The first epoch of each task with a question, in the run's order. */
async function samplesOf(
  runs: DraftOfRunDependencies['runs'],
  workspaceId: string,
  runId: string,
  profile: string,
): Promise<SampleDetail[]> {
  const found: SampleDetail[] = []
  for (let cursor: string | undefined; found.length < mostCases; ) {
    const page = await runs.samples(workspaceId, runId, { limit: pageSize, cursor, profile, q: '', match: 'words', sort: 'position' })
    for (const { id, epoch } of page.items) {
      if (epoch !== 1 || found.length === mostCases) continue
      const detail = runs.sample(workspaceId, runId, id, undefined)
      if (questionOf(detail.messages) !== null) found.push(detail)
    }
    if (page.next_cursor === null) break
    cursor = page.next_cursor
    await nextTurn()
  }
  return found
}

const isOfUser = ({ role }: Message): boolean => role === 'user'

/** A question as the input of a case: its text alone, or with what it shows. */
function inputOf(content: MessageContent): TuneCase['input'] {
  if (typeof content === 'string' || !content.some(isMediaPart)) return contentText(content)
  return content.flatMap(part => (part.type === 'text' || isMediaPart(part) ? [part] : []))
}

function questionOf(messages: readonly Message[]): string | null {
  const question = messages.findLast(isOfUser)
  return question ? contentText(question.content) : null
}

interface Prompt {
  readonly system: string | null
  readonly template: string
  readonly inputs: readonly TuneCase['input'][]
}

/**
 * Splits what was sent into a prompt and its inputs: by the profile's template where it has one place for a field and every question was
 * made by it, else the whole question is the input, with its media. A system prompt is taken where all samples had the same.
 */
function promptOf(samples: readonly Pick<SampleDetail, 'messages'>[], template: string): Prompt {
  const systems = new Set(samples.map(({ messages }) => (messages[0]?.role === 'system' ? contentText(messages[0].content) : null)))
  const [system = null] = systems
  const questions = samples.map(({ messages }) => questionOf(messages) ?? '')
  const contents = samples.map(({ messages }) => inputOf(messages.findLast(isOfUser)?.content ?? ''))
  const shared = { system: systems.size === 1 && system !== '' ? system : null }
  const [before, after, ...more] = template.split(/\{[a-z_]{1,60}\}/)
  const isSplit =
    before !== undefined &&
    after !== undefined &&
    more.length === 0 &&
    contents.every(content => typeof content === 'string') &&
    questions.every(text => text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length)
  if (!isSplit) return { ...shared, template: '{input}', inputs: contents }
  return {
    ...shared,
    template: `${before}{input}${after}`,
    inputs: questions.map(text => text.slice(before.length, text.length - after.length)),
  }
}
