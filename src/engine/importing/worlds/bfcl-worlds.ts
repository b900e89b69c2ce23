import { describeFirst } from '../../../contract/describe-issue.ts'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import { type WorldDefinition, worldLimits, type WorldTask, type WorldTool } from '../../../contract/worlds/worlds.schemas.ts'
import type { Archive } from '../../archives/archive.ts'
import { shippedPath } from '../../content/shipped-path.ts'
import { RowError } from '../files/row.ts'
import { type PlainCall, plainCalls } from './python-calls.ts'
import { jsonSchemaOf } from './bfcl-schema.ts'
import { jsonIn } from '../../../lib/json-value.ts'

/** Tasks of BFCL that share their tools, before their reference was played. */
export interface BfclWorld {
  readonly slug: string
  readonly definition: WorldDefinition
  /** By task, the calls of the reference. */
  readonly references: ReadonlyMap<string, readonly PlainCall[]>
}

export interface BfclImport {
  readonly worlds: readonly BfclWorld[]
  /** What was left out, by name, with how much it is. */
  readonly left: readonly string[]
}

/** Classes that have tools here, with the file of their documentation and what their state has where a task says nothing. */
const classes: Readonly<Record<string, { readonly documentation: string; readonly state: Readonly<Record<string, unknown>> | null }>> = {
  GorillaFileSystem: { documentation: 'gorilla_file_system.json', state: { cwd: [] } },
  MathAPI: { documentation: 'math_api.json', state: null },
  TicketAPI: { documentation: 'ticket_api.json', state: { ticket_queue: [], ticket_counter: 1, current_user: null } },
  TwitterAPI: {
    documentation: 'posting_api.json',
    state: {
      username: 'user',
      password: '',
      authenticated: false,
      tweets: {},
      comments: {},
      retweets: {},
      following_list: [],
      tweet_counter: 0,
    },
  },
}

const leftCategories: Readonly<Record<string, string>> = {
  multi_turn_miss_func: 'functions that a model is given in a later turn',
  multi_turn_long_context: 'long texts that the data does not hold',
  multi_turn_composite: 'functions that a model is given in a later turn, and long texts that the data does not hold',
}

const Question = z.object({
  id: z.string().min(1).max(200),
  question: z.array(z.array(z.looseObject({ role: z.string(), content: z.string() }))).min(1),
  initial_config: z.record(z.string(), z.record(z.string(), z.unknown())),
  involved_classes: z.array(z.string()).min(1),
  excluded_function: z.array(z.string()).default([]),
})
type Question = z.infer<typeof Question>
const Answer = z.object({ id: z.string(), ground_truth: z.array(z.array(z.string())) })
const Documented = z.looseObject({ name: z.string(), description: z.string().default(''), parameters: z.record(z.string(), z.unknown()) })
type Documented = z.infer<typeof Documented>

interface Answered {
  readonly question: Question
  readonly calls: readonly PlainCall[]
  /** Turns in which a model has to ask back instead of calling anything. */
  readonly idle: readonly number[]
}

const file = /(?:^|\/)BFCL_v\d+_(multi_turn_\w+)\.json$/

export const isBfclFile = (name: string): boolean => file.test(name)
/** Categories that the recipe “BFCL” imports. */
export const singleTurnCategory = (name: string): boolean => /(?:^|\/)BFCL_v\d+_(?!multi_turn_)\w+\.json$/.test(name)

/**
 * The categories of several turns of the Berkeley Function Calling Leaderboard as worlds: its folder `data` as an archive. Tasks with the same
 * tools become one world; what a task expects is still to be played, see `expectReference`.
 * @throws RowError naming the file and the line
 */
export function bfclWorlds(archive: Pick<Archive, 'names' | 'read'>): BfclImport {
  const left = new Map<string, number>()
  const leave = (why: string) => left.set(why, (left.get(why) ?? 0) + 1)
  const groups = new Map<string, Answered[]>()
  const files = archive.names.flatMap(name => {
    const category = /unused|possible_answer\//.test(name) ? undefined : file.exec(name)?.[1]
    return category === undefined ? [] : [{ name, category }]
  })
  if (files.length === 0)
    throw new RowError('The archive has no BFCL_v…_multi_turn_….json. Choose the folder "data" of the leaderboard as a zip archive.')
  const documented = new Map<string, Documented[]>()
  const documentation = (className: string) => {
    const known = documented.get(className) ?? documentationOf(archive, className)
    documented.set(className, known)
    return known
  }
  for (const { name, category } of files) {
    const answers = new Map(linesOf(archive, `possible_answer/${basename(name)}`, Answer).map(({ id, ground_truth: truth }) => [id, truth]))
    for (const question of linesOf(archive, basename(name), Question)) {
      const why = leftCategories[category]
      const unknown = question.involved_classes.filter(each => !Object.hasOwn(classes, each))
      if (why !== undefined) leave(`${category}: ${why}`)
      else if (unknown.length > 0) leave(`tasks with ${unknown.toSorted().join(', ')}, which Assay does not play`)
      else if (question.question.some(turn => turn.length === 0)) leave(`${category}: tasks with a turn without a message`)
      else {
        const parameters = new Map(question.involved_classes.flatMap(documentation).map(doc => [doc.name, parameterNames(doc)]))
        const truth = answers.get(question.id) ?? []
        const calls = truth.flatMap((texts, i) =>
          texts.flatMap(text => plainCalls(text, parameters).map(call => (i === 0 ? call : { ...call, turn: i + 1 }))),
        )
        if (calls.length === 0) throw new RowError(`${name}: ${question.id} has no answer in possible_answer/${basename(name)}.`)
        const idle = truth.flatMap((texts, i) => (texts.length === 0 ? [i + 1] : []))
        const key = JSON.stringify([question.involved_classes.toSorted(), question.excluded_function.toSorted()])
        groups.set(key, [...(groups.get(key) ?? []), { question, calls, idle }])
      }
    }
  }
  const worlds = [...groups.values()].map(tasks => worldOf(tasks, documented))
  return { worlds, left: [...left].map(([why, count]) => `${count} × ${why}`) }
}

function worldOf(tasks: readonly Answered[], documented: ReadonlyMap<string, readonly Documented[]>): BfclWorld {
  const [first] = tasks
  if (!first) throw new RangeError('A world has a task.')
  const involved = first.question.involved_classes.toSorted()
  const excluded = first.question.excluded_function.toSorted()
  const without = excluded.length > 0 ? ` without ${excluded.join(', ')}` : ''
  const longest = Math.max(...tasks.map(({ question }) => question.question.length))
  return {
    slug: ['bfcl', ...involved, ...(excluded.length > 0 ? ['without', ...excluded] : [])]
      .join('-')
      .toLowerCase()
      .replaceAll('_', '-')
      .slice(0, 60),
    definition: {
      title: `BFCL, ${involved.join(' and ')}${without}`,
      description:
        'Tasks of several turns of the Berkeley Function Calling Leaderboard (Patil et al., Apache 2.0). Its functions are Assay’s own, so their texts and what a state has by default are others. The state is compared at the end instead of after each turn, and calls that change nothing by their arguments instead of their results, so figures differ from published ones.',
      tools: involved.flatMap(name =>
        (documented.get(name) ?? []).filter(doc => !excluded.includes(doc.name)).map(doc => toolOf(name, doc)),
      ),
      // Upstream stops a model after 20 steps of a turn.
      limits: { turns: Math.min(worldLimits.turns, 20 * longest), max_output_tokens: 2048, observation_bytes: 64_000 },
      tasks: tasks.map(taskOf),
    },
    references: new Map(tasks.map(({ question, calls }) => [question.id, calls])),
  }
}

function taskOf({ question: { id, question, initial_config: config, involved_classes: involved }, idle }: Answered): WorldTask {
  const [first = '', ...later] = question.map(turn => turn.map(({ content }) => content).join('\n\n'))
  return {
    id,
    messages: [{ role: 'user', content: first }],
    user: later.length === 0 ? { kind: 'none' } : { kind: 'scripted', turns: later },
    initial_state: Object.fromEntries(
      involved.flatMap(name => {
        const state = classes[name]?.state
        return state ? [[name, { ...state, ...config[name] }]] : []
      }),
    ),
    expected: { calls: { subset: [] }, ...(idle.length > 0 && { turns: idle.map(turn => ({ turn, calls: { exact: [] } })) }) },
  }
}

function toolOf(className: string, { name, description, parameters }: Documented): WorldTool {
  const source = readFileSync(shippedPath(`worlds/bfcl/${className}.js`), 'utf8').trim()
  return {
    name,
    description: description.slice(0, 4_000),
    parameters: jsonSchemaOf(parameters),
    behavior: {
      kind: 'function',
      source: `(state, args) => {\n  const { error, ...result } = ${source.replace(/^;/m, '')}\n  .${name}(state.${className}, args)\n  return error === undefined ? { state, result } : { state, error }\n}`,
    },
  }
}

function documentationOf(archive: Pick<Archive, 'names' | 'read'>, className: string): Documented[] {
  const name = `multi_turn_func_doc/${classes[className]?.documentation ?? ''}`
  return linesOf(archive, name, Documented)
}

const Properties = z.object({ properties: z.record(z.string(), z.unknown()).default({}) })

const parameterNames = ({ parameters }: Documented): string[] => Object.keys(Properties.parse(parameters).properties)

/** @throws RowError */
function linesOf<T>(archive: Pick<Archive, 'names' | 'read'>, path: string, schema: z.ZodType<T>): T[] {
  const name = archive.names.find(each => each.endsWith(path) && (path.includes('/') || !each.includes('possible_answer/')))
  if (name === undefined) throw new RowError(`The archive has no "${path}".`)
  return archive
    .read(name)
    .toString()
    .split('\n')
    .flatMap((text, i) => {
      if (text.trim() === '') return []
      const parsed = schema.safeParse(jsonIn(text))
      if (parsed.success) return [parsed.data]
      throw new RowError(`${name}:${i + 1}: ${describeFirst(parsed.error.issues, 'the line')}.`)
    })
}
