import { z } from 'zod'
import type { Message } from '../../../contract/messages/messages.schemas.ts'
import { ownBenchmark } from '../../content/benchmarks/own-benchmark.ts'
import { letteredChoices } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { Task } from '../../tasks/task.ts'
import { RowError } from '../files/row.ts'
import type { MediaIntake } from '../media/media-intake.ts'
import { isConversation, readConversation, taskInput } from '../messages/read-conversation.ts'
import { eachOf, LogError } from './foreign-log.ts'
import type { Header, Sample } from './inspect-schemas.ts'

type Input = Pick<Task, 'fields' | 'conversations'>

export interface LogPrompts {
  readonly samples: readonly Sample[]
  /** What is wrong with the samples that cannot be asked. */
  readonly faults: readonly LogError[]
  /** What each sample asks. */
  readonly inputs: ReadonlyMap<Sample, Input>
  /** Samples that failed before the model answered: which solvers had run by then is not known. */
  readonly unasked: ReadonlySet<Sample>
  /** Before every question of the log; null where it has none, or several. */
  readonly systemPrompt: string | null
  /** With the inputs, what the model was shown; null where that is not known. */
  readonly promptTemplate: string | null
  readonly warnings: readonly string[]
  /** What else is to be said where no log of the same task shows what was asked. */
  readonly doubts: readonly string[]
}

/** What a sample was shown before the first answer. */
interface Shown {
  readonly sample: Sample
  readonly messages: readonly Message[]
}

/**
 * What the model was asked: the messages before its first answer, in which solvers have put a system message, a template or the choices;
 * where the log keeps no messages, the input of each sample alone.
 */
export function readPrompts(
  { header, samples }: { readonly header: Header; readonly samples: readonly Sample[] },
  file: string,
  intake: MediaIntake,
): LogPrompts {
  const read = new Map(samples.map(sample => [sample, askedMessages(sample, intake)]))
  const unasked = new Set(samples.filter(sample => sample.error != null && answersIn(sample).length === 0))
  const asked = samples.filter(sample => !unasked.has(sample))
  const shown = asked.flatMap((sample): Shown[] => {
    const messages = read.get(sample)
    return !messages || messages instanceof RowError ? [] : [{ sample, messages }]
  })
  const isComplete = asked.every(sample => read.get(sample) !== null)
  const isWhole = isComplete && shown.length > 0
  const readInput = (sample: Sample) => inputOf(sample, file, intake)
  const systemPrompt = isWhole ? commonSystem(shown) : null
  const promptTemplate = isWhole ? commonTemplate(shown, systemPrompt, readInput) : null
  const { found, faults } = eachOf(samples, (sample): [Sample, Input] => {
    const messages = read.get(sample) ?? null
    if (isWhole && messages instanceof RowError && !unasked.has(sample))
      throw new LogError(`"${file}": the sample "${sample.id}": ${messages.message}`)
    if (promptTemplate !== noTemplate || messages === null || messages instanceof RowError) return [sample, readInput(sample)]
    const isUnderSystem = systemPrompt !== null && messages[0]?.role === 'system' && messages[0].content === systemPrompt
    return [sample, taskInput(isUnderSystem ? messages.slice(1) : messages)]
  })
  return {
    samples: found.map(([sample]) => sample),
    faults,
    inputs: new Map(found),
    unasked,
    systemPrompt,
    promptTemplate,
    warnings: [...describeEpochs(found, unasked, file), ...describeDifferences(header, samples, file)],
    doubts: isWhole
      ? []
      : describeSolvers(
          header,
          asked.length === 0
            ? `No sample of "${file}" was answered`
            : isComplete
              ? `The messages of "${file}" cannot be asked`
              : `"${file}" does not hold the messages of every sample`,
        ),
  }
}

/** The text of a message that a log stores once, under its hash. */
export function resolve(text: string | null, { attachments }: Sample): string | null {
  const key = text === null ? null : /^(?:attachment|tc):\/\/(\w+)$/.exec(text)?.[1]
  return key == null ? text : (attachments?.[key] ?? text)
}

const Said = z.looseObject({
  role: z.string(),
  source: z.string().nullish().catch(null),
  tool_calls: z.array(z.unknown()).nullish().catch(null),
})

/** Answers of the model, by their places among the messages. */
function answersIn({ input, messages }: Sample): { readonly at: number; readonly calls: number }[] {
  const said = (messages ?? []).flatMap((message, at) => {
    const { data } = Said.safeParse(message)
    return data?.role === 'assistant' ? [{ at, source: data.source, calls: data.tool_calls?.length ?? 0 }] : []
  })
  const generated = said.filter(({ source }) => source === 'generate')
  if (generated.length > 0) return generated
  // Older logs do not say which answers came with the input.
  const given = Array.isArray(input) ? input.filter(message => Said.safeParse(message).data?.role === 'assistant').length : 0
  return said.slice(given)
}

/** Null where the log does not have them; an error for those that cannot be asked. */
function askedMessages(sample: Sample, intake: MediaIntake): readonly Message[] | RowError | null {
  const { messages } = sample
  if (!messages?.length) return null
  const first = answersIn(sample)[0]?.at ?? messages.length
  try {
    const { messages: read, answer } = intake.withFetched(() =>
      readConversation(resolved(messages.slice(0, first), sample), 'messages', found => intake.reference(found, 'messages')),
    )
    return answer === null && read.at(-1)?.role !== 'system'
      ? read
      : new RowError('What it was asked ends with words of the model or of the system.')
  } catch (error) {
    if (error instanceof RowError) return error
    throw error
  }
}

/** A system message that solvers put before every question alike: it belongs to the profile, so that tasks stay what they ask. */
function commonSystem(shown: readonly Shown[]): string | null {
  let common: string | null = null
  for (const {
    sample: { input },
    messages: [first, second],
  } of shown) {
    const isOwn = Array.isArray(input) && Said.safeParse(input[0]).data?.role === 'system'
    if (isOwn || first?.role !== 'system' || typeof first.content !== 'string' || second === undefined || second.role === 'system')
      return null
    if (common !== null && common !== first.content) return null
    common = first.content
  }
  return common
}

const noTemplate = '{input}'

/** What solvers put around every input alike, with the choices; `{input}` alone where they asked each sample in another way. */
function commonTemplate(shown: readonly Shown[], systemPrompt: string | null, readInput: (sample: Sample) => Input): string {
  const texts = shown.flatMap(({ sample, messages }) => {
    const [only, other] = systemPrompt === null ? messages : messages.slice(1)
    if (only?.role !== 'user' || typeof only.content !== 'string' || other !== undefined) return []
    const [raw] = eachOf([sample], readInput).found
    const input = raw?.conversations ? undefined : raw?.fields['input']
    if (!input) return []
    return [{ input, text: only.content, choices: sample.choices ? letteredChoices(sample.choices) : '{choices}' }]
  })
  const [first] = texts
  if (!first || texts.length < shown.length) return noTemplate
  // The longest is the least likely to stand in what is around it, too.
  const longest = texts.reduce((a, b) => (b.input.length > a.input.length ? b : a))
  const { text, input } = longest
  for (const at of [text.lastIndexOf(input), text.indexOf(input)]) {
    const [before, after] = [text.slice(0, at), text.slice(at + input.length)]
    if (at === -1 || /\{(?:input|choices)\}/.test(before + after)) continue
    const template = `${before}{input}${after.replace(longest.choices, () => '{choices}')}`
    const isAskedBy = (one: typeof first) =>
      template.replaceAll(/\{(input|choices)\}/g, (_, name) => (name === 'input' ? one.input : one.choices)) === one.text
    if (texts.every(isAskedBy)) return template
  }
  return noTemplate
}

function inputOf(sample: Sample, file: string, intake: MediaIntake): Input {
  const input = resolved(sample.input, sample)
  if (typeof input === 'string' && input.trim() !== '') return { fields: { input } }
  const unreadable = `"${file}": the input of the sample "${sample.id}" cannot be read as text.`
  if (!isConversation(input)) throw new LogError(unreadable)
  try {
    const { messages, answer } = intake.withFetched(() => readConversation(input, 'input', found => intake.reference(found, 'input')))
    if (answer !== null) throw new LogError(`${unreadable} It ends with an answer of the model.`)
    return taskInput(messages)
  } catch (error) {
    throw error instanceof RowError ? new LogError(`"${file}": the sample "${sample.id}": ${error.message}`) : error
  }
}

/** With the long texts that the log stores once. */
function resolved(value: unknown, sample: Sample): unknown {
  if (typeof value === 'string') return resolve(value, sample)
  if (Array.isArray(value)) return value.map(item => resolved(item, sample))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, sample)]))
}

/** Settings of a request that change answers. */
const settings = [
  'system_message',
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'stop_seqs',
  'seed',
  'reasoning_effort',
  'reasoning_tokens',
]
const longestSetting = 80

/** What a new run of these tasks asks in another way than the log did. */
function describeDifferences({ eval: spec, plan }: Header, samples: readonly Sample[], file: string): string[] {
  const config = { ...spec.model_generate_config, ...plan?.config }
  const generation = ownBenchmark('', '', samples[0]?.choices != null).profiles[0]?.generation
  const own: Readonly<Record<string, unknown>> = {
    temperature: generation?.temperature,
    max_tokens: generation?.max_output_tokens,
    stop_seqs: generation?.stop,
  }
  const stated = settings.flatMap(name => {
    const value = config[name]
    return value == null || JSON.stringify(value) === JSON.stringify(own[name])
      ? []
      : [`${name} ${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, longestSetting)}`]
  })
  const several = samples.filter(sample => {
    const answers = answersIn(sample)
    return answers.length > 1 || answers.some(({ calls }) => calls > 0)
  })
  const hasTools = several.length > 0 || solversOf(plan).some(name => name.split('/').at(-1) === 'use_tools')
  return [
    ...(hasTools
      ? [
          `"${file}": ${several.length === 0 ? 'the model had tools' : `the model used tools or answered several times in ${several.length === 1 ? 'one sample' : `${several.length} samples`}`}. New runs ask the first question once, without tools.`,
        ]
      : []),
    ...(stated.length === 0 ? [] : [`"${file}" was run with ${stated.join(', ')}. New runs use the settings of the profile instead.`]),
  ]
}

function solversOf(plan: Header['plan']): string[] {
  return (plan?.steps ?? []).map(({ solver }) => solver)
}

function describeSolvers({ plan }: Header, why: string): string[] {
  const solvers = solversOf(plan)
  if (solvers.every(name => name.split('/').at(-1) === 'generate')) return []
  return [
    `${why}, so what its solvers (${solvers.slice(0, 10).join(', ').slice(0, 200)}) put around the input is not known. New runs ask the input alone.`,
  ]
}

/** Samples that solvers asked in another way each time, such as with examples that are drawn. */
function describeEpochs(found: readonly (readonly [Sample, Input])[], unasked: ReadonlySet<Sample>, file: string): string[] {
  const asked = Map.groupBy(
    found.filter(([sample]) => !unasked.has(sample)),
    ([{ id }]) => id,
  )
  const differing = [...asked.values()].filter(
    epochs => epochs.length > 1 && new Set(epochs.map(([, input]) => JSON.stringify(input))).size > 1,
  ).length
  if (differing === 0) return []
  return [
    `"${file}": ${differing === 1 ? 'one sample was' : `${differing} samples were`} asked in other words in each epoch. New runs ask what the last epoch was asked.`,
  ]
}
