import {
  ApiError,
  type CheckedWorld,
  contentText,
  invalidField,
  type NewAttack,
  NewWorld,
  notFound,
  type TriedWorld,
  type TryWorld,
  type DraftedWorld,
  type DraftWorld,
  type TraceDetail,
  WorldDefinition,
  type WorldVersion,
  type WorldVersionDetail,
} from '../../contract/index.ts'
import { readEpisode } from '../../engine/execution/samples/read-episode.ts'
import { playMoves, type PlayedMoves } from '../../engine/execution/environments/worlds/play-moves.ts'
import { hasFunctions } from '../../engine/execution/environments/worlds/world-family.ts'
import { missingSandbox } from '../../engine/grading/sandbox/open-sandbox.ts'
import { argumentCheck } from '../../engine/grading/worlds/match-arguments.ts'
import { isDeeperThan, mostLevels } from '../../engine/grading/worlds/json-values.ts'
import { worldScorerId } from '../../engine/grading/worlds/world.scorer.ts'
import { ScorerConfigError } from '../../engine/grading/scorers/config-error.ts'
import { gradeOne } from '../../engine/grading/scorers/registry.ts'
import { compileSchema } from '../../engine/grading/scorers/text/json-schema.ts'
import { slugOf } from '../../engine/content/benchmarks/own-benchmark.ts'
import { attackWorld } from '../../engine/content/attacks/attack-world.ts'
import { type WorldOfTraces, worldOfTraces } from '../../engine/importing/traces/world-of-traces.ts'
import type { Workers } from '../../workers/pool.ts'
import { createPrivateBenchmark, findOwnVersion, isKnownSlug } from '../catalog/index.ts'
import { type Evaluators, evaluatorAsPrimary } from '../evaluators/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type WorldGraders, worldBenchmark, worldTask } from './world-benchmark.ts'
import { allOf, criteriaJudge, factsJudge, rulesOf } from './world-judges.ts'
import { findBySlug, findWorldVersion, insertWorldVersion, listWorldVersions, type WorldVersionsQuery } from './worlds.store.ts'

export type Worlds = ReturnType<typeof createWorlds>

/** Ends the slug of a world with attacked tasks. */
const attackedSuffix = '-attacked'

interface WorldsDependencies {
  readonly workers: WorldWorkers
  readonly records: Evaluators['records']
}

type WorldWorkers = Pick<Workers, 'sandbox' | 'callFunction' | 'checkScorer' | 'traces'>

/** Environments that a workspace makes as data. */
export function createWorlds(kernel: Pick<Kernel, 'db' | 'clock' | 'ids'>, { workers, records }: WorldsDependencies) {
  const { db, clock, ids } = kernel

  /** A slug names one thing: a bundled benchmark, a recipe, a benchmark of the workspace, or its world. */
  const requireOwnSlug = (workspaceId: string, slug: string, latest: WorldVersion | null): void => {
    if (isKnownSlug(slug) || (latest === null && findOwnVersion(db, workspaceId, slug, {}) !== null))
      throw invalidField(['body', 'slug'], `"${slug}" is the slug of another benchmark; choose another`)
  }

  const requireSandbox = async (definition: Pick<WorldDefinition, 'tools'>): Promise<void> => {
    if (!hasFunctions(definition)) return
    const missing = missingSandbox(await workers.sandbox(), ['javascript'])
    if (missing !== null) throw new ApiError('conflict', missing)
  }

  /** Judges of a world as evaluators of the workspace, found again where they are the same. */
  const gradersOf = async (workspaceId: string, world: NewWorld, signal: AbortSignal): Promise<WorldGraders> => {
    const ensure = (evaluator: ReturnType<typeof rulesOf>) => records.ensure(workspaceId, evaluator, signal)
    const [criteria, facts] = [criteriaJudge(world), factsJudge(world)]
    const user = facts && {
      ...evaluatorAsPrimary(await ensure(facts)),
      id: 'user',
      title: 'Simulated user kept to its facts',
      primary: false,
    }
    if (!criteria) return user ? { user } : {}
    const parts = [await ensure(rulesOf(world)), await ensure(criteria)]
    const all = await ensure(
      allOf(
        world,
        parts.map(({ id }) => id),
      ),
    )
    return { all: { ...evaluatorAsPrimary(all), id: 'expectations', title: 'Expectations met' }, ...(user && { user }) }
  }

  const read = (workspaceId: string, id: string): WorldVersionDetail => {
    const found = findWorldVersion(db, workspaceId, id)
    if (!found) throw notFound('environment version', id)
    return found
  }

  const create = async (workspaceId: string, world: NewWorld, signal: AbortSignal): Promise<WorldVersion> => {
    const { slug, previous_version_id: previous, ...definition } = world
    const latest = findBySlug(db, workspaceId, slug)
    requireOwnSlug(workspaceId, slug, latest)
    if (previous !== undefined) {
      if (findWorldVersion(db, workspaceId, previous)?.slug !== slug) throw notFound('environment version', previous)
      if (latest?.id !== previous)
        throw new ApiError(
          'conflict',
          `The latest version of "${slug}" is ${latest?.id}, not ${previous}. Read it, apply your changes to it and send them again.`,
        )
    }
    await requireSound(definition, workers, signal)
    const isAttacked = definition.tasks.some(({ attack }) => attack)
    let made: WorldVersion | null = null
    await createPrivateBenchmark(
      kernel,
      workspaceId,
      {
        definition: worldBenchmark(world, await gradersOf(workspaceId, world, signal)),
        tasks: definition.tasks.map(task => worldTask(task, isAttacked)),
        shots: [],
      },
      ({ version, sourceRef, profileIds }) => {
        made = findBySlug(db, workspaceId, slug, version)
        if (made) return
        const stored: WorldVersionDetail = {
          id: ids.next(),
          slug,
          title: definition.title,
          version,
          source_ref: sourceRef,
          profile_ids: [...profileIds],
          previous_version_id: latest?.id ?? null,
          tool_count: definition.tools.length,
          task_count: definition.tasks.length,
          created_at: timestamp(clock),
          definition,
        }
        insertWorldVersion(db, workspaceId, stored)
        made = findBySlug(db, workspaceId, slug, version)
      },
    )
    if (!made) throw new Error(`The environment ${slug} was made and is missing.`)
    return made
  }

  return {
    create,

    list: (workspaceId: string, query: WorldVersionsQuery) => listWorldVersions(db, workspaceId, query),

    read,

    attack: async (workspaceId: string, id: string, attack: NewAttack, signal: AbortSignal): Promise<WorldVersion> => {
      const { slug, definition } = read(workspaceId, id)
      const parsed = NewWorld.safeParse({
        slug: `${slug.slice(0, 60 - attackedSuffix.length)}${attackedSuffix}`,
        ...attackWorld(definition, attack),
      })
      if (!parsed.success) throw invalidField(['body'], `makes a world that can't be used: ${parsed.error.issues[0]?.message ?? ''}`)
      return create(workspaceId, parsed.data, signal)
    },

    check: async (definition: WorldDefinition, signal: AbortSignal): Promise<CheckedWorld> => {
      await requireSound(definition, workers, signal)
      await requireSandbox(definition)
      const tasks: CheckedWorld['tasks'] = []
      for (const task of definition.tasks) {
        signal.throwIfAborted()
        tasks.push(await checkTask(definition, task, workers.callFunction))
      }
      return { tasks, passed: tasks.filter(({ status }) => status === 'passed').length }
    },

    draft: async (workspaceId: string, { trace_ids: traceIds, title }: DraftWorld, signal: AbortSignal): Promise<DraftedWorld> => {
      const traces: TraceDetail[] = []
      for (const traceId of new Set(traceIds)) {
        const read = await workers.traces.run({ kind: 'describe', workspaceId, traceId, spanId: null }, signal)
        if (!read.ok) throw new ApiError('unavailable', read.message)
        if (read.value === null) throw notFound('trace', traceId)
        traces.push(read.value)
      }
      const drafted = draftOf(title ?? `Test of ${traces[0]?.name ?? 'a trace'}`.slice(0, 200), traces)
      const parsed = WorldDefinition.safeParse(drafted.definition)
      if (!parsed.success) throw invalidField(['body', 'trace_ids'], `cannot become a world: ${parsed.error.issues[0]?.message ?? ''}`)
      await requireSound(parsed.data, workers, signal)
      const tasks: DraftedWorld['tasks'] = []
      for (const task of parsed.data.tasks) {
        const omitted = traces.find(({ id }) => id === task.id)?.spans.some(span => span.content_omitted) ?? false
        const notes = [
          ...(drafted.notes.get(task.id) ?? []),
          ...(omitted ? ['Missing content: the trace is too large to be read whole, so later calls may be missing.'] : []),
        ]
        tasks.push({ ...(await checkTask(parsed.data, task, workers.callFunction)), notes })
      }
      return { slug: slugOf(parsed.data.title), definition: parsed.data, tasks, replaced: drafted.replaced }
    },

    try: async ({ definition, task_id: taskId, epoch, moves }: TryWorld, signal: AbortSignal): Promise<TriedWorld> => {
      const task = definition.tasks.find(({ id }) => id === taskId)
      if (!task) throw notFound('task', taskId)
      await requireSound(definition, workers, signal)
      await requireSandbox(definition)
      const stored = worldTask(task)
      const played = await playMoves({ definition, task: stored, epoch, moves, callFunction: workers.callFunction })
      const { episode, isOver } = played
      return {
        ended: isOver,
        opening: played.opening.flatMap(message =>
          message.role === 'tool' || 'toolCalls' in message ? [] : [{ role: message.role, content: contentText(message.content) }],
        ),
        episode: episode && readEpisode({ metrics: [{ scorer: worldScorerId }] }, JSON.stringify(episode)),
        verdict: isOver ? verdictOf(played, stored.metadata) : null,
      }
    },
  }
}

/** @throws ApiError validation_error for a trace that no test can be made of */
function draftOf(title: string, traces: readonly TraceDetail[]): WorldOfTraces {
  try {
    return worldOfTraces(title, traces)
  } catch (error) {
    if (error instanceof RangeError) throw invalidField(['body', 'trace_ids'], error.message)
    throw error
  }
}

async function checkTask(
  definition: WorldDefinition,
  task: WorldDefinition['tasks'][number],
  callFunction: Workers['callFunction'],
): Promise<CheckedWorld['tasks'][number]> {
  const { reference } = task
  if (!reference) return { task_id: task.id, status: 'no_reference', explanation: 'The task has no reference to replay.' }
  const scripted = task.user.kind === 'scripted' ? task.user.turns.length : 0
  const answers = Array.from({ length: scripted + 1 }, () => ({ answer: reference.answer }))
  const moves = [...reference.calls.map(call => ({ calls: [call] })), ...answers]
  const stored = worldTask(task)
  const played = await playMoves({ definition, task: stored, epoch: 1, moves, callFunction })
  const { value, explanation } = verdictOf(played, stored.metadata)
  const status = value === null ? 'world_error' : value >= 1 ? 'passed' : 'failed'
  return { task_id: task.id, status, explanation }
}

function verdictOf({ episode }: PlayedMoves, metadata: Readonly<Record<string, unknown>>): { value: number | null; explanation: string } {
  const { value, explanation } = gradeOne({ scorer: worldScorerId }, { output: JSON.stringify(episode), targets: [], metadata })
  return { value, explanation }
}

/** @throws ApiError validation_error naming the part of the definition that cannot be used */
async function requireSound(
  { tools, tasks }: Pick<WorldDefinition, 'tools' | 'tasks'>,
  workers: Pick<WorldWorkers, 'checkScorer'>,
  signal: AbortSignal,
): Promise<void> {
  const attempt = (path: (string | number)[], make: () => unknown) => {
    try {
      make()
    } catch (error) {
      if (error instanceof ScorerConfigError) throw invalidField(['body', ...path], error.message)
      throw error
    }
  }
  for (const [i, { parameters, behavior }] of tools.entries()) {
    if (parameters['type'] !== 'object') throw invalidField(['body', 'tools', i, 'parameters'], 'must be a JSON Schema of type "object"')
    attempt(['tools', i, 'parameters'], () => compileSchema(parameters))
    if (behavior.kind === 'canned')
      for (const [j, { arguments: rules }] of behavior.results.entries())
        attempt(['tools', i, 'behavior', 'results', j, 'arguments'], () => rules && argumentCheck(rules, 'any'))
  }
  const scorers = new Map<string, string | null>()
  for (const [i, { initial_state: state, expected }] of tasks.entries()) {
    const isDeep = isDeeperThan(mostLevels, state) || isDeeperThan(mostLevels, expected)
    if (isDeep) throw invalidField(['body', 'tasks', i], `must not be nested deeper than ${mostLevels} levels`)
    for (const list of Object.values(expected.calls ?? {}))
      for (const { arguments: rules } of list ?? [])
        attempt(['tasks', i, 'expected', 'calls'], () => rules && argumentCheck(rules, 'absent'))
    if (!expected.answer) continue
    const { scorer, options } = expected.answer
    const key = JSON.stringify([scorer, options])
    if (!scorers.has(key)) scorers.set(key, await workers.checkScorer({ scorer, options }, signal))
    const problem = scorers.get(key) ?? null
    if (problem !== null) throw invalidField(['body', 'tasks', i, 'expected', 'answer'], problem)
  }
}
