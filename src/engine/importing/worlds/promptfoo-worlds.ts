import { z } from 'zod'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { contentText } from '../../../contract/messages/message-text.ts'
import { userEnd, WorldDefinition, type WorldExpectation, type WorldTask, worldLimits } from '../../../contract/worlds/worlds.schemas.ts'
import type { OrderedFile } from '../files/import-order.ts'
import { readYaml } from '../files/read-yaml.ts'
import { RowError } from '../files/row.ts'
import { isFilePath, SentFiles } from '../files/foreign/promptfoo-files.ts'
import { listedPrompts, promptsOf } from '../files/foreign/promptfoo-prompt-files.ts'
import { type PromptfooPrompt, promptTemplate } from '../files/foreign/promptfoo-prompts.ts'
import { readProviders } from '../files/foreign/promptfoo-providers.ts'
import { dereferenced } from '../files/foreign/promptfoo-references.ts'
import { caseOfItem, expandVars, readDefaults, referred, type Shared } from '../files/foreign/promptfoo-yaml-case.ts'
import { describeLeft, isConversation, readConversation } from '../messages/read-conversation.ts'
import { compileTemplate, nunjucks } from '../templates/template.ts'
import { TemplateError } from '../templates/template-error.ts'
import { answerExpectations, callExpectations } from './promptfoo-expectation.ts'
import { promptfooTools, ToolProviders } from './promptfoo-tools.ts'
import { jsonIn } from '../../../lib/json-value.ts'

export interface PromptfooWorld {
  readonly definition: WorldDefinition
  /** What is not imported, or is done in another way. */
  readonly left: readonly string[]
}

type Roles = Pick<WorldDefinition, 'user_model' | 'judge'>
type Messages = WorldTask['messages']

const Config = z.looseObject({
  description: z.string().nullish(),
  prompts: z.unknown().optional(),
  providers: z.unknown().optional(),
  targets: z.unknown().optional(),
  tests: z.unknown().optional(),
  defaultTest: z.unknown().optional(),
  assertionTemplates: z.record(z.string(), z.unknown()).nullish(),
})
const Test = z.looseObject({
  description: z.string().nullish(),
  assert: z.array(z.unknown()).nullish(),
  provider: z.unknown().optional(),
  metadata: z.looseObject({ conversationId: z.union([z.string(), z.number()]).nullish() }).nullish(),
})
type Test = z.infer<typeof Test>
const Simulated = z.looseObject({
  instructions: z.string().default('{{instructions}}'),
  maxTurns: z.int().min(1).default(10),
  initialMessages: z.unknown().optional(),
})
type Simulated = z.infer<typeof Simulated>
const Provider = z.union([
  z.string().transform(id => ({ id, config: undefined })),
  z.looseObject({ id: z.string().default('without an id'), config: z.unknown().optional() }),
])

const History = z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string().min(1) }))
/** A model that plays a user answers; a conversation is opened by words. */
const [greeting, goOn] = ['Hello.', 'Please go on.'] as const

interface Asked {
  readonly id: string
  readonly test: Test
  readonly vars: Readonly<Record<string, unknown>>
  readonly prompt: PromptfooPrompt
}

/**
 * Tests of a promptfoo configuration that are conversations or have tools, as one world: users that a model plays, turns that share a
 * `conversationId`, and questions to a model with tools.
 * @param beside files that the configuration names
 * @throws RowError, OrderFault for what cannot be read
 */
export function promptfooWorld(title: string, main: OrderedFile, beside: readonly OrderedFile[], roles: Roles): PromptfooWorld {
  const config = Config.safeParse(dereferenced(readYaml(main).value)).data
  if (!config) throw new RowError('The configuration must hold "prompts" and "tests".')
  const sent = new SentFiles(beside, main.name)
  const given = isFilePath(config.defaultTest) ? sent.settings(config.defaultTest) : config.defaultTest
  const { provider, assert = [], ...defaults } = Test.parse(given ?? {})
  const templates = config.assertionTemplates ?? {}
  const shared: Shared = { defaults: readDefaults(defaults, sent, { chosen: null }), files: sent, templates, language: { chosen: null } }
  const providers = [config.providers ?? config.targets ?? []].flat()
  const { tools, left } = promptfooTools(ToolProviders.parse(providers), sent, roles.user_model !== undefined)
  const prompts = listedPrompts(config.prompts).flatMap(prompt => promptsOf(prompt, sent))
  const asked = testsOf(config.tests, sent).flatMap((item, i) => {
    const test = Test.parse(item)
    const all = [...expandVars({ ...item, provider: undefined }, shared)].map(({ vars }) => z.record(z.string(), z.unknown()).parse(vars))
    return all.flatMap((vars, j) =>
      prompts.map((prompt, k): Asked => {
        const parts = [`test ${i + 1}`, ...(all.length > 1 ? [`variant ${j + 1}`] : []), ...(prompts.length > 1 ? [`prompt ${k + 1}`] : [])]
        return { id: [...parts, ...(test.description ? [test.description] : [])].join(', ').slice(0, 200), test, vars, prompt }
      }),
    )
  })
  /** Turns of the simulated users, by task. */
  const rounds = new Map<string, number>()
  const tasks = conversationsOf(asked).flatMap((turns): WorldTask[] => {
    const last = turns.at(-1)
    if (!last) return []
    try {
      const graded = turns.map(turn => {
        const expectations = [...(turn.test.assert ?? []), ...(assert ?? [])].map(each => referred(each, templates))
        const { calls, rest, left: unchecked } = callExpectations(expectations, tools)
        const read = caseOfItem({ ...turn.test, vars: turn.vars, assert: rest, provider: undefined }, shared)
        const { expected, left: ungraded } = answerExpectations(read)
        for (const each of [...unchecked, ...ungraded, ...read.left]) left.push(`${turn.id}: ${each}`)
        return { vars: read.vars, expected: { ...(calls && { calls }), ...expected } }
      })
      const expected = expectedOf(graded.map(each => each.expected))
      const { simulated, note } = providerOf(last.test.provider ?? provider)
      if (note !== null) left.push(`${last.id}: ${note}`)
      if (simulated) rounds.set(last.id, simulated.maxTurns)
      const rendered = turns.map((turn, i) => ({ ...turn, vars: graded[i]?.vars ?? {} }))
      const leave = (what: string) => left.push(`${last.id}: ${what}`)
      const { messages, user } = simulated ? simulatedUser(simulated, rendered.at(-1) ?? last, sent, leave) : scriptedUser(rendered, leave)
      return [{ id: last.id, messages, user, initial_state: {}, expected }]
    } catch (error) {
      if (!(error instanceof RowError || error instanceof TemplateError)) throw error
      left.push(`${last.id}: ${error.message}`)
      return []
    }
  })
  if (tasks.length === 0)
    throw new RowError(
      `No test of the configuration can become a task.${left
        .map(each => ` ${each}.`)
        .join('')
        .slice(0, 500)}`,
    )
  const { systemPrompt, maxOutputTokens } = readProviders(providers)
  const longest = Math.max(1, ...rounds.values())
  for (const [id, turns] of rounds)
    if (turns < longest) left.push(`${id}: its conversation ends after ${turns} turns; here all may have ${longest}`)
  const turns =
    Math.max(longest, ...tasks.map(({ user }) => (user.kind === 'scripted' ? user.turns.length + 1 : 1))) * (tools.length > 0 ? 5 : 1)
  const parsed = WorldDefinition.safeParse({
    title,
    description: config.description ?? '',
    ...(systemPrompt !== null && { instructions: systemPrompt }),
    tools,
    limits: {
      turns: Math.min(worldLimits.turns, turns),
      ...(tools.length > 0 && { calls: Math.min(worldLimits.calls, turns * 2) }),
      ...(maxOutputTokens !== null && { max_output_tokens: maxOutputTokens }),
    },
    ...(roles.user_model && { user_model: roles.user_model }),
    ...(roles.judge && { judge: roles.judge }),
    tasks,
  })
  if (!parsed.success) throw new RowError(`${describeFirst(parsed.error.issues, 'the configuration')}.`)
  const unread = sent.unused().map(({ name }) => `${name} was not read: the configuration does not name it.`)
  return { definition: parsed.data, left: [...left, ...unread] }
}

/**
 * Who answers in place of a model: a user that a model plays, or another provider, which is named.
 * @throws RowError for a user that a program of promptfoo makes, or settings that cannot be read
 */
function providerOf(given: unknown): { readonly simulated: Simulated | null; readonly note: string | null } {
  const parsed = Provider.safeParse(given)
  if (!parsed.success) return { simulated: null, note: null }
  const { id, config } = parsed.data
  if (id.startsWith('promptfoo:redteam'))
    throw new RowError(`"${id.slice(0, 60)}" is a user whose words a program of promptfoo makes, which is not imported`)
  if (!id.startsWith('promptfoo:simulated-user'))
    return { simulated: null, note: `the provider "${id.slice(0, 60)}" of the test is not imported: the model of a run is asked` }
  const read = Simulated.safeParse(config ?? {})
  if (read.success) return { simulated: read.data, note: null }
  throw new RowError(`of its simulated user, ${describeFirst(read.error.issues, '"config"')}`)
}

/** What each turn expects; of several, criteria hold of the whole conversation. @throws RowError where nothing is expected */
function expectedOf(turns: readonly WorldExpectation[]): WorldExpectation {
  const criteria = turns.flatMap(turn => turn.criteria ?? [])
  const [only] = turns
  const checks = turns.flatMap(({ calls, answer }, i) =>
    calls || answer ? [{ turn: i + 1, ...(calls && { calls }), ...(answer && { answer }) }] : [],
  )
  const ruled = turns.length > 1 ? { ...(checks.length > 0 && { turns: checks }) } : { ...only }
  const expected = { ...ruled, ...(criteria.length > 0 && { criteria }) }
  if (Object.keys(expected).length === 0) throw new RowError('nothing of it is graded here')
  return expected
}

function testsOf(given: unknown, sent: SentFiles): Record<string, unknown>[] {
  const items = [given ?? []].flat().flatMap(item => {
    if (typeof item !== 'string') return [item]
    if (!/\.(?:ya?ml|json)$/i.test(item)) throw new RowError(`The tests "${item.slice(0, 200)}" must be a file in YAML or JSON.`)
    return [sent.settings(item)].flat()
  })
  const tests = z.array(z.record(z.string(), z.unknown())).safeParse(items)
  if (!tests.success || tests.data.length === 0) throw new RowError('The configuration must have "tests": a list of objects.')
  return tests.data
}

/** Tests whose prompt repeats the conversation so far are its turns, by their `conversationId`; every other test is one by itself. */
function conversationsOf(asked: readonly Asked[]): Asked[][] {
  const groups = new Map<string, Asked[]>()
  for (const one of asked) {
    const isTurn = /\{[{%][^}]{0,2000}\b_conversation\b/.test(one.prompt.raw)
    const key = isTurn ? JSON.stringify([one.prompt.label, one.test.metadata?.conversationId ?? null]) : one.id
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

function promptMessages(
  raw: string,
  vars: Asked['vars'],
  leave: (what: string) => void,
): { readonly text: string; readonly messages: Messages | null } {
  const text = promptTemplate(raw).render({ ...vars, _conversation: [] })
  const value = jsonIn(text)
  if (!isConversation(value)) return { text, messages: null }
  const given = readConversation(value, 'prompt')
  if (given.left > 0) leave(`of its prompt, ${describeLeft(given.left)}`)
  const messages = given.messages.map(({ role, content }) => ({ role, content: contentText(content) }))
  const read = History.safeParse(messages)
  if (!read.success) throw new RowError('its prompt has messages that a world does not begin with')
  return { text, messages: read.data }
}

function scriptedUser(turns: readonly Asked[], leave: (what: string) => void): Pick<WorldTask, 'messages' | 'user'> {
  const said = turns.map(({ prompt, vars }) => {
    const { text, messages } = promptMessages(prompt.raw, vars, leave)
    return messages ?? [{ role: 'user' as const, content: text }]
  })
  const later = said.slice(1).map(messages => messages.at(-1)?.content ?? '')
  return { messages: said[0] ?? [], user: later.length === 0 ? { kind: 'none' } : { kind: 'scripted', turns: later } }
}

/** The prompt is the model's system message, as promptfoo sends it. */
function simulatedUser(
  { instructions, initialMessages }: Simulated,
  { prompt, vars }: Asked,
  sent: SentFiles,
  leave: (what: string) => void,
): Pick<WorldTask, 'messages' | 'user'> {
  const goal = compileTemplate(instructions, nunjucks).render(vars).replaceAll('###STOP###', userEnd).trim()
  if (goal === '') throw new RowError('its simulated user has no instructions')
  const { text, messages } = promptMessages(prompt.raw, vars, leave)
  const given = vars['initialMessages'] ?? initialMessages ?? []
  const history = History.safeParse(typeof given === 'string' ? (isFilePath(given) ? sent.settings(given) : jsonIn(given)) : given)
  if (!history.success) throw new RowError('its "initialMessages" must be a list of messages with role and content')
  const begun = [
    ...(messages ?? [{ role: 'system' as const, content: text }]),
    ...history.data.map(({ role, content }) => ({ role, content: compileTemplate(content, nunjucks).render(vars) })),
  ]
  const opening = begun.some(({ role }) => role === 'assistant') ? goOn : greeting
  return {
    messages: begun.at(-1)?.role === 'user' ? begun : [...begun, { role: 'user', content: opening }],
    user: { kind: 'model', persona: '', goal: goal.slice(0, 4_000), facts: [] },
  }
}
