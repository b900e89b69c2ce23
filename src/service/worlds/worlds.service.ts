import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, invalidField, notFound, requireFound } from '../../contract/errors.ts'
import type { TraceDetail } from '../../contract/traces/traces.schemas.ts'
import { attackedSuffix, mostGoals, type NewAttack, type NewDatasetAttack } from '../../contract/worlds/attacks.schemas.ts'
import { oversizeFault } from '../../contract/worlds/drafts.schemas.ts'
import type { CheckedWorld, DraftedWorld, DraftWorld, LeftOut, TriedWorld, TryWorld } from '../../contract/worlds/play.schemas.ts'
import { NewWorld, WorldDefinition, worldLimits, type WorldVersion, type WorldVersionDetail } from '../../contract/worlds/worlds.schemas.ts'
import { hasFunctions } from '../../engine/execution/environments/worlds/world-family.ts'
import { worldTasks } from '../../engine/tasks/world-task.ts'
import { missingSandbox } from '../../engine/grading/sandbox/open-sandbox.ts'
import { slugOf } from '../../engine/content/benchmarks/own-benchmark.ts'
import { attackWorld } from '../../engine/content/attacks/attack-world.ts'
import type { RecordedTrace } from '../../engine/importing/traces/recorded-task.ts'
import { type WorldGraders, worldBenchmark } from '../../engine/importing/worlds/world-benchmark.ts'
import { traceOfConversation } from '../../engine/importing/traces/trace-of-conversation.ts'
import type { Workers } from '../../workers/pool.ts'
import { createPrivateBenchmark, findOwnVersion, isKnownSlug } from '../catalog/index.ts'
import type { Datasets } from '../datasets/index.ts'
import { type Evaluators, evaluatorAsPrimary } from '../evaluators/index.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { createAttackRewrites } from './attack-rewrites.ts'
import { importWorlds } from './import-worlds.ts'
import { createWorldDrafts } from './world-drafts.ts'
import { allOf, criteriaJudge, factsJudge, rulesOf } from './world-judges.ts'
import { type CheckedDefinition, within, worldFault } from './world-fault.ts'
import { drawExamples, worldOfExamples } from './world-of-examples.ts'
import { findBySlug, findWorldVersion, insertWorldVersion, listWorldVersions, type WorldVersionsQuery } from './worlds.store.ts'

export type Worlds = ReturnType<typeof createWorlds>

interface WorldsDependencies {
  readonly workers: WorldWorkers
  readonly records: Evaluators['records']
  readonly writers: Evaluators['writers']
  readonly datasets: Pick<Datasets, 'examples' | 'versions'>
  readonly jobs: Pick<Jobs, 'register' | 'enqueue' | 'open'>
}

type WorldWorkers = Pick<Workers, 'sandbox' | 'checkScorer' | 'traces' | 'worlds'>

/** Environments that a workspace makes as data. */
export function createWorlds(
  kernel: Pick<Kernel, 'db' | 'clock' | 'ids'>,
  { workers, records, writers, datasets, jobs }: WorldsDependencies,
) {
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

  const traceOf = async (workspaceId: string, traceId: string, signal: AbortSignal): Promise<TraceDetail | null> => {
    const read = await workers.traces.run({ kind: 'describe', workspaceId, traceId, spanId: null }, signal)
    if (!read.ok) throw new ApiError('unavailable', read.message)
    return read.value
  }

  /** @param source field of the request that a refusal names */
  const drafted = async (
    traces: readonly (RecordedTrace | TraceDetail)[],
    { title, source }: { readonly title: string | undefined; readonly source: 'trace_ids' | 'conversations' },
    signal: AbortSignal,
    progress?: (done: number) => void,
  ): Promise<DraftedWorld> => {
    const name = title ?? `Test of ${traces[0]?.name ?? 'a trace'}`.slice(0, 200)
    const texts: string[] = []
    for (const trace of traces) {
      texts.push(JSON.stringify(trace))
      await nextTurn()
    }
    const made = await within([source], () => workers.worlds.draft({ title: name, traces: texts }, signal))
    if (typeof made === 'string') throw invalidField(['body', source], made)
    const parsed = WorldDefinition.safeParse(made.definition)
    if (!parsed.success) throw invalidField(['body', source], `cannot become a world: ${parsed.error.issues[0]?.message ?? ''}`)
    const oversize = oversizeFault(Buffer.byteLength(JSON.stringify(parsed.data)), 0)
    if (oversize !== null) throw invalidField(['body', source], `become an environment that ${oversize}`)
    await requireSound(parsed.data, workers, signal)
    const cut = new Set(
      traces.flatMap(({ id, spans }) => (spans.some(span => 'content_omitted' in span && span.content_omitted) ? [id] : [])),
    )
    const tasks = (await replayed(parsed.data, workers, signal, progress)).map(checked => {
      const notes = [
        ...(made.notes.get(checked.task_id) ?? []),
        ...(cut.has(checked.task_id) ? ['Missing content: the trace is too large to be read whole, so later calls may be missing.'] : []),
      ]
      return { ...checked, notes }
    })
    return { slug: slugOf(parsed.data.title), definition: parsed.data, tasks, replaced: made.replaced, left_out: [...made.leftOut] }
  }

  const read = (workspaceId: string, id: string): WorldVersionDetail => {
    return requireFound(findWorldVersion(db, workspaceId, id), 'environment version', id)
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
    let made: WorldVersion | null = null
    await createPrivateBenchmark(
      kernel,
      workspaceId,
      {
        definition: worldBenchmark(world, await gradersOf(workspaceId, world, signal)),
        tasks: worldTasks(definition),
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
      requireAttackable(definition, attack)
      await nextTurn()
      const attacked = attackWorld(definition, attack)
      await nextTurn()
      const parsed = NewWorld.safeParse({
        slug: `${slug.slice(0, 60 - attackedSuffix.length)}${attackedSuffix}`,
        ...attacked,
        // Beside the environment that it attacks, in lists and in what runs are called.
        title: `${definition.title.slice(0, 200 - attackedTitle.length)}${attackedTitle}`,
      })
      await nextTurn()
      if (!parsed.success) throw invalidField(['body'], `makes a world that can't be used: ${parsed.error.issues[0]?.message ?? ''}`)
      return create(workspaceId, parsed.data, signal)
    },

    /** Draws examples and attacks them. */
    attackDataset: async (workspaceId: string, datasetId: string, body: NewDatasetAttack, signal: AbortSignal): Promise<WorldVersion> => {
      const { id, example_count: count } = datasets.versions.readOf(workspaceId, datasetId, body.version_id)
      const { name } = datasets.examples.dataset(workspaceId, datasetId)
      const examples = await drawExamples(datasets.versions.eachExample(workspaceId, id), count, body)
      signal.throwIfAborted()
      // A dataset that was deleted meanwhile may have given only some of its examples.
      datasets.versions.readOf(workspaceId, datasetId, id)
      const refuse = (reason: string) => invalidField(['body', 'version_id'], reason)
      const world = made(() => worldOfExamples(`${name.slice(0, 200 - attackedTitle.length)}${attackedTitle}`, examples, body), refuse)
      requireAttackable(world, body)
      await nextTurn()
      const attacked = attackWorld(world, body)
      await nextTurn()
      const parsed = NewWorld.safeParse({ slug: `${slugOf(name).slice(0, 60 - attackedSuffix.length)}${attackedSuffix}`, ...attacked })
      await nextTurn()
      if (!parsed.success) throw refuse(`makes a world that can't be used: ${parsed.error.issues[0]?.message ?? ''}. Lower sample_count.`)
      return create(workspaceId, parsed.data, signal)
    },

    rewriteAttacks: createAttackRewrites(kernel, writers),

    check: async (definition: WorldDefinition, signal: AbortSignal): Promise<CheckedWorld> => {
      await requireSound(definition, workers, signal)
      await requireSandbox(definition)
      const tasks = await replayed(definition, workers, signal)
      return { tasks, passed: tasks.filter(({ status }) => status === 'passed').length }
    },

    draft: async (
      workspaceId: string,
      { trace_ids: ids = [], conversations, title }: DraftWorld,
      signal: AbortSignal,
    ): Promise<DraftedWorld> => {
      if (conversations) return drafted(conversations.map(traceOfConversation), { title, source: 'conversations' }, signal)
      const traces: TraceDetail[] = []
      for (const id of new Set(ids)) {
        traces.push(requireFound(await traceOf(workspaceId, id, signal), 'trace', id))
      }
      return drafted(traces, { title, source: 'trace_ids' }, signal)
    },

    drafts: createWorldDrafts(kernel, jobs, async (workspaceId, source, signal, progress) => {
      if (source.files) {
        const check = async (definition: WorldDefinition, done: (count: number) => void) => {
          await requireSound(definition, workers, signal)
          await requireSandbox(definition)
          return replayed(definition, workers, signal, done)
        }
        return importWorlds(source, { workers, check, progress }, signal)
      }
      const { trace_ids: ids = [], title } = source

      const [wanted, traces, leftOut] = [[...new Set(ids)], new Array<TraceDetail>(), new Array<LeftOut>()]
      let characters = 0
      for (const [i, id] of wanted.entries()) {
        progress(i, 2 * wanted.length, 'Reading traces')
        const trace = await traceOf(workspaceId, id, signal)
        characters += trace ? JSON.stringify(trace).length : 0
        if (trace && characters <= mostRead) traces.push(trace)
        else
          leftOut.push({
            id,
            name: trace?.name ?? id,
            reason: trace ? `is too large beside the others: ${mostRead / 1024 / 1024} MB are read.` : 'was not found.',
          })
      }
      if (traces.length === 0) throw notFound('trace', wanted[0] ?? '')
      const replay = (done: number) => progress(wanted.length + done, 2 * wanted.length, 'Replaying recorded calls')
      const made = await drafted(traces, { title, source: 'trace_ids' }, signal, replay)
      return [{ ...made, left_out: [...leftOut, ...made.left_out] }]
    }),

    try: async ({ definition, task_id: taskId, epoch, moves }: TryWorld, signal: AbortSignal): Promise<TriedWorld> => {
      const task = requireFound(
        definition.tasks.find(({ id }) => id === taskId),
        'task',
        taskId,
      )
      await requireSound(definition, workers, signal)
      await requireSandbox(definition)
      const { tasks: _, ...played } = definition
      return within(['moves'], () => workers.worlds.play({ definition: played, task, epoch, moves }, signal))
    },
  }
}

/** Ends the title of an attacked environment. */
const attackedTitle = ', attacked'
/** Characters of the traces that a world is made of. */
const mostRead = 64 * 1024 * 1024
/** Characters of an attacked world: it holds every task several times. */
const mostAttacked = 32 * 1024 * 1024
/** Characters that an attack adds to a task at most, beside the call or rule that it names. */
const attackText = 8_000
/** How often a variant holds that call or rule: as its goal, encoded, and in each place of a rewrite. */
const callsOfVariant = 2 + mostGoals

/** @throws ApiError validation_error before anything of that size is made */
function requireAttackable(
  definition: WorldDefinition,
  {
    attacks,
    rewrites,
    forbidden_call: call,
    policy_rule: rule,
  }: Pick<NewAttack, 'attacks' | 'rewrites' | 'forbidden_call' | 'policy_rule'>,
): void {
  const variants = new Set(attacks).size + rewrites.length + 1
  const made = definition.tasks.length * variants
  if (made > worldLimits.tasks)
    throw invalidField(
      ['body', 'attacks'],
      `make ${made} tasks of ${definition.tasks.length}, and an environment has at most ${worldLimits.tasks}. Choose fewer attacks, or make a version with fewer tasks`,
    )
  const goal = call ?? definition.policies?.find(({ name }) => name === rule)
  const rules = JSON.stringify(definition.policies ?? []).length
  const added = attackText + rules + (goal ? callsOfVariant * JSON.stringify(goal).length : 0)
  const size = (JSON.stringify(definition).length + added * definition.tasks.length) * variants
  if (size > mostAttacked)
    throw invalidField(
      ['body', 'attacks'],
      `make a world of ${Math.ceil(size / 1024 / 1024)} MB, and at most ${mostAttacked / 1024 / 1024} MB are kept. Choose fewer attacks or a shorter ${rule === undefined ? 'forbidden_call' : 'policy_rule'}, or make a version with fewer tasks`,
    )
}

/** Tasks that are replayed at a time, so that others have their turn between. */
const replayedAtOnce = 20
/** Milliseconds after which a request stops: others wait for the same thread. A job shows its progress and can be cancelled. */
const checkedMs = 120_000

async function replayed(
  definition: WorldDefinition,
  { worlds }: Pick<WorldWorkers, 'worlds'>,
  signal: AbortSignal,
  progress?: (done: number) => void,
) {
  const { tasks, ...played } = definition
  const checked: CheckedWorld['tasks'] = []
  const until = progress ? Number.POSITIVE_INFINITY : performance.now() + checkedMs
  for (let from = 0; from < tasks.length; from += replayedAtOnce) {
    if (performance.now() > until)
      throw invalidField(
        ['body', 'definition', 'tasks'],
        `take longer than ${checkedMs / 1000} s to be played: ${from} of ${tasks.length} were. Make their functions quicker, or check fewer tasks at a time`,
      )
    const some = tasks.slice(from, from + replayedAtOnce)
    checked.push(...(await within(['tasks', from], () => worlds.replay(played, some, signal))))
    progress?.(checked.length)
  }
  return checked
}

/** @throws ApiError of `refuse` for what no world can be made of */
function made<World>(make: () => World, refuse: (reason: string) => ApiError): World {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) throw refuse(error.message)
    throw error
  }
}

/** @throws ApiError validation_error naming the part of the definition that cannot be used */
async function requireSound(
  definition: CheckedDefinition,
  workers: Pick<WorldWorkers, 'checkScorer' | 'worlds'>,
  signal: AbortSignal,
): Promise<void> {
  const problem = await within(['tools'], () => worldFault(definition, workers, signal))
  if (problem) throw invalidField(['body', ...problem.path], problem.message)
}
