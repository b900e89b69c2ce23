import { z } from 'zod'
import { JudgeModel } from '../evaluators/evaluator-definition.schemas.ts'
import { JsonObject, MicroUsd, Name, named, Timestamp, Uuid } from '../primitives.ts'
import { keepable } from './kept-world.ts'
import { ArgumentRules, ExpectedCall, mostPolicies, PolicyRule, StatePath, ToolName } from './policies.schemas.ts'

/** Bounds of a world. Each keeps one task's memory, time and cost within what a run can afford. */
export const worldLimits = {
  tools: 64,
  tasks: 2_000,
  /** Characters of a tool's source. */
  source: 64_000,
  /** Entries of a canned or recorded tool. */
  results: 500,
  /** Characters of a state as JSON. */
  state: 256 * 1024,
  /** Characters of a tool's result as JSON. */
  result: 64 * 1024,
  /** Characters of an error that a tool answers. */
  error: 10_000,
  turns: 100,
  calls: 500,
  messages: 100,
  /** Characters of a message. */
  message: 100_000,
  expectedCalls: 100,
  criteria: 20,
  facts: 50,
  /** Milliseconds that one call of a function tool may take. */
  functionMs: 5_000,
} as const

/** What a simulated user writes to end the conversation. */
export const userEnd = '[END]'

const CannedResult = z
  .strictObject({
    arguments: z
      .exactOptional(ArgumentRules)
      .describe('Arguments named here must match; others may have any value. Absent: every call matches, so that it is the otherwise.'),
    tasks: z
      .exactOptional(z.array(z.string().min(1).max(200)).min(1).max(worldLimits.tasks))
      .describe('Ids of the tasks in which it answers; absent: in all.'),
    times: z.exactOptional(z.int().min(1).max(1_000)).describe('Calls that it answers in one episode; afterwards the next entry is tried.'),
    result: z.exactOptional(z.json()).describe('What the tool answers: text as it is, anything else as JSON.'),
    error: z.exactOptional(z.string().min(1).max(worldLimits.error)).describe('What the tool answers as an error.'),
  })
  .refine(({ result, error }) => (result === undefined) !== (error === undefined), 'must have either a result or an error')

const CannedBehavior = z.strictObject({
  kind: z.literal('canned'),
  results: z
    .array(CannedResult)
    .max(worldLimits.results)
    .describe('Tried in order; the first that matches answers. A call that none matches ends the episode without a score.'),
})

const FunctionBehavior = z.strictObject({
  kind: z.literal('function'),
  source: z
    .string()
    .min(1)
    .max(worldLimits.source)
    .describe(
      'A JavaScript function `(state, args) => ({ state, result })`, or `{ state, error }`. It runs in the sandbox, each call by itself; `Date` and `Math.random` are seeded by task and epoch.',
    )
    .meta({ example: '(state, args) => ({ state: { ...state, sent: args.to }, result: "ok" })' }),
})

const McpServer = z.union([
  z.strictObject({
    command: z
      .array(z.string().min(1).max(1_000))
      .min(1)
      .max(50)
      .describe('Program and arguments of a server over stdio; without a shell.'),
  }),
  z.strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .describe('Address of a server over streamable HTTP.'),
  }),
])
export type McpServer = z.infer<typeof McpServer>

const McpBehavior = z.strictObject({
  kind: z.literal('mcp'),
  server: McpServer.describe(
    'Server that has a tool of this name. The service never calls it: `assay world record` does, once a person has approved the server, and keeps what it answered.',
  ),
  record: z
    .enum(['once', 'never', 'always'])
    .default('once')
    .describe('What `assay world record` does: record a tool without results, leave it as it is, or record it again.'),
  results: z
    .array(CannedResult)
    .max(worldLimits.results)
    .default([])
    .describe(
      'The cassette: recorded calls, tried in order. The arguments of a call must be those of the recording, and no others. A call that was not recorded ends the episode without a score.',
    ),
})

const ModelBehavior = z.strictObject({
  kind: z.literal('model'),
  instructions: z
    .string()
    .max(8_000)
    .default('')
    .describe('How the tool answers, beyond its description. The `user_model` of the world plays it, and changes no state.'),
})

const WorldTool = z.strictObject({
  name: ToolName,
  description: z.string().max(4_000).default(''),
  parameters: JsonObject.default({ type: 'object', properties: {} }).describe('JSON Schema of the arguments; its type is `object`.'),
  behavior: z.discriminatedUnion('kind', [CannedBehavior, FunctionBehavior, McpBehavior, ModelBehavior]),
})

const WorldUser = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('scripted'),
    turns: z
      .array(z.string().min(1).max(worldLimits.message))
      .min(1)
      .max(worldLimits.messages)
      .describe('Said one after the other: each time that the model answers, the next one.'),
  }),
  z.strictObject({
    kind: z.literal('model'),
    persona: z.string().max(4_000).default('').describe('Who the user is and how it writes.'),
    goal: z.string().min(1).max(4_000).describe('What it wants of the model under test.'),
    facts: z
      .array(z.string().min(1).max(2_000))
      .max(worldLimits.facts)
      .default([])
      .describe('What it knows and may reveal when asked; it makes up nothing else.'),
    opening: z.exactOptional(z.string().min(1).max(worldLimits.message)).describe('Its first message; required where the task has none.'),
    stop: z.exactOptional(z.string().min(1).max(2_000)).describe('When it ends the conversation; absent: once the goal is met or refused.'),
  }),
])
export type ModelUser = Extract<z.infer<typeof WorldUser>, { kind: 'model' }>

/** The model that plays every simulated user and every simulated tool of a world. */
export const UserModel = named('UserModel', {
  ...JudgeModel.shape,
  max_charge_microusd: MicroUsd.nullable()
    .default(null)
    .describe('Spending limit of its calls in a run, within the limits of the run; null: only those.'),
})
export type UserModel = z.infer<typeof UserModel>

const ExpectedCalls = z.array(ExpectedCall).max(worldLimits.expectedCalls)

const CallsExpectation = z.strictObject({
  exact: z.exactOptional(ExpectedCalls).describe('These calls in this order and no others.'),
  any_order: z.exactOptional(ExpectedCalls).describe('These calls in any order and no others.'),
  subset: z.exactOptional(ExpectedCalls).describe('Each of these calls at least once; others may be made too.'),
  forbidden: z.exactOptional(ExpectedCalls).describe('None of these calls.'),
})
const AnswerExpectation = z.strictObject({
  scorer: z.string().min(1).max(200).describe('Any scorer of the registry, e.g. `assay/includes`.'),
  options: JsonObject.default({}),
  targets: z.array(z.string().max(worldLimits.message)).max(100).default([]),
  at_least: z.exactOptional(z.number().min(0).max(1)).describe('Score from which the answer is as expected; 1 when absent.'),
})
const TurnExpectation = z.strictObject({
  turn: z
    .int()
    .min(1)
    .max(worldLimits.messages)
    .describe('Of the user: 1 is the message that opens the episode, each further message begins the next turn.'),
  calls: z.exactOptional(CallsExpectation).describe('Calls from this message to the answer to it.'),
  answer: z.exactOptional(AnswerExpectation).describe('Grades the answer to this message.'),
})

const Expectation = z.strictObject({
  state: z.exactOptional(JsonObject).describe('The whole state at the end.'),
  ignored_paths: z
    .exactOptional(z.array(StatePath).max(100))
    .describe('Parts of the state that may have any value, as JSON pointers; `*` is any key or index.'),
  calls: z.exactOptional(CallsExpectation),
  answer: z.exactOptional(AnswerExpectation).describe('Grades the last answer.'),
  turns: z.exactOptional(z.array(TurnExpectation).min(1).max(worldLimits.messages)).describe('Checks of single turns of the user.'),
  criteria: z
    .exactOptional(z.array(z.string().trim().min(1).max(2_000)).min(1).max(worldLimits.criteria))
    .describe('Statements about the whole conversation that the judge decides; all must hold. Not together with weights.'),
  weights: z
    .exactOptional(z.strictObject({ state: z.number().min(0), calls: z.number().min(0), answer: z.number().min(0) }))
    .describe('Shares of a partial score. Absent: everything must hold.'),
})

const PlainCall = z.strictObject({ name: ToolName, arguments: JsonObject.default({}) })

/** What a variant of a task is attacked with, and what the attacker wants. */
export const WorldAttack = z.strictObject({
  name: z.string().min(1).max(100),
  base_task_id: z.string().min(1).max(200).describe('The unattacked task.'),
  goal: z.union([
    z.strictObject({ canary: z.string().min(4).max(200).describe('A word that no message of the model may hold.') }),
    z.strictObject({ forbidden_call: ExpectedCall }),
    z.strictObject({ policy_rule: PolicyRule.shape.name.describe('Name of the rule of the world that the attacker wants broken.') }),
  ]),
  tool_text: z.exactOptional(z.string().min(1).max(20_000)).describe('Follows each result of a tool.'),
})

export const WorldTask = z.strictObject({
  id: z.string().min(1).max(200),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['system', 'user', 'assistant']),
        content: z.string().min(1).max(worldLimits.message),
      }),
    )
    .max(worldLimits.messages)
    .default([])
    .describe('The conversation so far; a system message comes first, and the last one is the user’s. Empty where the user opens it.')
    .meta({ example: [{ role: 'user', content: 'Turn on the light in the kitchen, please.' }] }),
  user: WorldUser.default({ kind: 'none' }),
  initial_state: JsonObject.default({}),
  expected: Expectation.meta({ example: { state: { lights: { kitchen: true } } } }),
  reference: z
    .exactOptional(
      z.strictObject({
        calls: z.array(PlainCall.extend({ turn: TurnExpectation.shape.turn.exactOptional() })).max(worldLimits.calls),
        answer: z.string().max(worldLimits.message).default(''),
      }),
    )
    .describe('Calls that meet the expectation. `check` replays them, and the oracle baseline follows them.'),
  attack: z.exactOptional(WorldAttack),
  now: z.exactOptional(Timestamp).describe('What the clock shows at the first call; each call is one second later.'),
})

const definitionFields = {
  title: Name,
  description: z.string().max(10_000).default(''),
  instructions: z.exactOptional(z.string().min(1).max(worldLimits.message)).describe('System message of every task.'),
  tools: z.array(WorldTool).max(worldLimits.tools).describe('None: a conversation without tools, which any chat model can play.'),
  policies: z
    .exactOptional(z.array(PolicyRule).min(1).max(mostPolicies))
    .describe('Rules that hold in every task, beside what it expects: a task in which one is broken fails. An attack can want one broken.'),
  limits: z
    .strictObject({
      turns: z.int().min(1).max(worldLimits.turns).default(12).describe('Model turns of a task; each is one call of the model.'),
      calls: z.exactOptional(z.int().min(1).max(worldLimits.calls)).describe('Tool calls of a task.'),
      tokens: z
        .exactOptional(z.int().min(1).max(100_000_000))
        .describe('Input and output tokens of a task, as far as the provider counts them.'),
      seconds: z
        .exactOptional(z.int().min(1).max(86_400))
        .describe('Time of the model’s calls of a task together, counted after each turn; waiting for a free place does not count.'),
      tool_errors: z.exactOptional(z.int().min(1).max(worldLimits.calls)).describe('Tool errors that end a task.'),
      max_output_tokens: z.int().min(1).max(1_000_000).default(1024).describe('Of each turn.'),
      observation_bytes: z
        .int()
        .min(100)
        .max(1_000_000)
        .default(16_000)
        .describe('Tool results of one turn together; what is longer is cut, so that the cost of a task has a bound.'),
    })
    .prefault({}),
  judge: z
    .exactOptional(JudgeModel)
    .describe('Decides the criteria of tasks, and whether simulated users kept to their facts. Its calls are quoted with a run.'),
  user_model: z
    .exactOptional(UserModel)
    .describe(
      'Plays the users and tools of kind `model`. Its calls are quoted with a run and capped apart from those of the model under test.',
    ),
  tasks: z.array(WorldTask).min(1).max(worldLimits.tasks),
}

/** What can be said of a world as a whole. @returns the path and the reason of the first problem, or null */
function problemOf(world: ParsedWorld) {
  const { tools, tasks } = world
  const names = tools.map(({ name }) => name)
  const twice = names.findIndex((name, i) => names.indexOf(name) < i)
  if (twice !== -1) return { path: ['tools', twice, 'name'], message: `is the name of two tools: "${names[twice]}"` }
  const simulated = tools.findIndex(({ behavior }) => behavior.kind === 'model')
  if (simulated !== -1 && !world.user_model)
    return { path: ['tools', simulated, 'behavior'], message: 'is played by a model; choose it as `user_model` of the world' }
  if (simulated !== -1 && world.limits.calls === undefined)
    return { path: ['limits', 'calls'], message: `is required, since a model plays "${names[simulated]}" and each of its calls costs` }
  const rules = world.policies ?? []
  const twiceRule = rules.findIndex(({ name }, i) => rules.findIndex(other => other.name === name) < i)
  if (twiceRule !== -1)
    return { path: ['policies', twiceRule, 'name'], message: `is the name of two policy rules: "${rules[twiceRule]?.name}"` }
  const strange = rules.flatMap(callsOfRule).find(({ name }) => !names.includes(name))
  if (strange) return { path: ['policies'], message: `name the tool "${strange.name}", which the world does not have` }
  const ids = new Set<string>()
  for (const [i, task] of tasks.entries()) {
    const at = (...path: (string | number)[]) => ['tasks', i, ...path]
    if (ids.has(task.id)) return { path: at('id'), message: `is the id of two tasks: "${task.id}"` }
    ids.add(task.id)
    const last = task.messages.at(-1)
    if (task.messages.some(({ role }, place) => role === 'system' && place > 0))
      return { path: at('messages'), message: 'may have a system message only at the beginning' }
    if (last ? last.role !== 'user' : openingOf(task.user) === null)
      return { path: at('messages'), message: 'must end with a message of the user' }
    if (task.user.kind === 'model' && !world.user_model)
      return { path: at('user'), message: 'is played by a model; choose it as `user_model` of the world' }
    const { state, calls, answer, turns, criteria } = task.expected
    if (criteria && tasks.some(({ expected }) => expected.weights))
      return { path: at('expected', 'criteria'), message: 'must all hold; leave the weights of the world’s tasks out' }
    if (criteria && !world.judge) return { path: at('expected', 'criteria'), message: 'need a judge; choose it as `judge` of the world' }
    if ([state, answer, turns, criteria, ...Object.values(calls ?? {})].every(each => each === undefined))
      return {
        path: at('expected'),
        message: 'must name a state, calls, an answer, turns or criteria; without one there is nothing to grade',
      }
    const goal = task.attack?.goal
    if (goal && 'policy_rule' in goal && !rules.some(({ name }) => name === goal.policy_rule))
      return { path: at('attack', 'goal'), message: `names the policy rule "${goal.policy_rule}", which the world does not have` }
    const called = [
      ...(goal && 'forbidden_call' in goal ? [goal.forbidden_call] : []),
      ...expectedCalls(task.expected),
      ...(task.reference?.calls ?? []),
    ]
    const unknown = called.find(({ name }) => !names.includes(name))
    if (unknown) return { path: at('expected'), message: `names the tool "${unknown.name}", which the world does not have` }
  }
  return null
}

/** Every call that a task expects or forbids, of its turns too. */
export const expectedCalls = ({ calls, turns = [] }: z.infer<typeof Expectation>): ExpectedCall[] =>
  [calls, ...turns.map(turn => turn.calls)].flatMap(each => Object.values(each ?? {}).flatMap(list => list ?? []))

/** Every call that a policy rule names. */
export const callsOfRule = ({ broken_by: breach }: PolicyRule): ExpectedCall[] =>
  'call' in breach ? [breach.call, ...(breach.unless_after ? [breach.unless_after] : [])] : []

/** What a user says first where the task has no messages; null where it says nothing. */
export function openingOf(user: z.infer<typeof WorldUser>): string | null {
  if (user.kind === 'scripted') return user.turns[0] ?? null
  return user.kind === 'model' ? (user.opening ?? null) : null
}

interface ParsedWorld {
  readonly tools: readonly Pick<z.infer<typeof WorldTool>, 'name' | 'behavior'>[]
  readonly policies?: readonly PolicyRule[]
  readonly limits: { readonly calls?: number }
  readonly tasks: readonly z.infer<typeof WorldTask>[]
  readonly judge?: JudgeModel
  readonly user_model?: UserModel
}

function soundWorld(world: ParsedWorld, context: z.RefinementCtx): void {
  const problem = problemOf(world)
  if (problem) context.addIssue({ code: 'custom', ...problem })
}

/** Tools, user and tasks of a world that a workspace makes. */
export const WorldDefinition = z.strictObject(definitionFields).superRefine(soundWorld).meta({ id: 'WorldDefinition' })
export type WorldDefinition = z.infer<typeof WorldDefinition>
export type WorldTool = z.infer<typeof WorldTool>
export type WorldTask = z.infer<typeof WorldTask>
export type WorldExpectation = z.infer<typeof Expectation>

export const NewWorld = z
  .strictObject({
    slug: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, 'must be 1 to 60 lowercase letters, digits and dashes')
      .describe('Names the environment; the same slug gives further versions of it.'),
    previous_version_id: Uuid.exactOptional().describe(
      'Version that this one was edited from. It must be the latest, so that no other change is overwritten.',
    ),
    ...definitionFields,
  })
  .superRefine(soundWorld)
  .superRefine(keepable)
  .meta({ id: 'NewWorld' })
export type NewWorld = z.infer<typeof NewWorld>

const versionFields = {
  id: Uuid.describe('Of this version.'),
  slug: z.string(),
  title: z.string(),
  version: z.string().describe('Made from the content, so that the same content is the same version.'),
  source_ref: z.string(),
  profile_ids: z.array(z.string()).describe('Tools by text, and native tool calls; one without tools where the world has none.'),
  previous_version_id: Uuid.nullable(),
  tool_count: z.int(),
  task_count: z.int(),
  created_at: Timestamp,
}

/** One immutable version of a world. */
export const WorldVersion = named('WorldVersion', versionFields)
export type WorldVersion = z.infer<typeof WorldVersion>

export const WorldVersionDetail = named('WorldVersionDetail', { ...versionFields, definition: WorldDefinition })
export type WorldVersionDetail = z.infer<typeof WorldVersionDetail>
