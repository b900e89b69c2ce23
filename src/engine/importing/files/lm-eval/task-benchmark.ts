import { nameFew } from '../../../../lib/format/name-few.ts'
import type { BenchmarkDefinition, ProfileDefinition } from '../../../tasks/definition.ts'
import { choiceMetrics } from '../../../content/benchmarks/choice-profile.ts'
import { ownBenchmark } from '../../../content/benchmarks/own-benchmark.ts'
import { choiceLabel } from '../../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { Tallied } from '../import-tally.ts'
import { isWithoutContext, type TaskConfig } from './task-config.ts'
import { type ShownFields, subgroupKey, subtaskKey } from './task-docs.ts'
import { ofKind, shownName, talliedOf, type TaskKind } from './task-kinds.ts'
import type { TaskMetrics } from './task-metrics.ts'
import type { Member, TaskSet } from './task-set.ts'

/** What the interface allows. */
const mostStops = 4

const shared = { split: 'test', systemPrompt: null, requires: ['chat'], breakdowns: [] } as const

/** The benchmark of a task: its own profile first, then the same without examples, and by letter where it measures likelihoods. */
export function taskBenchmark(
  { group, members, left }: TaskSet,
  kinds: readonly TaskKind[],
  { title, slug }: { readonly title: string; readonly slug: string },
  found: Tallied,
): BenchmarkDefinition {
  const [{ config }] = members
  const isSome = (holds: (config: TaskConfig) => boolean): boolean => members.some(member => holds(member.config))
  const keys = new Set<string>()
  const profiles = kinds.flatMap(kind => {
    if (kinds.length === 1) return profilesOf(kind, { group, members }, found)
    const names = new Set(kind.members.map(member => shownName(member, members)))
    return ofKind(profilesOf(kind, { group, members }, talliedOf(found, names)), kind, members, keys)
  })
  const { dataset_path: path, dataset_name: name, task, metadata } = config
  const what = group
    ? `The group "${group.name}" of lm-evaluation-harness: ${members.length} tasks that run together. ${kinds.length > 1 ? `They are asked or graded in ${kinds.length} ways, each a profile over its own tasks. ` : ''}${group.weightBySize ? 'Its aggregate is the score over all tasks together.' : 'Its aggregate is the macro mean by subtask, in which each counts the same whatever its size.'}`
    : `A task of lm-evaluation-harness${task === undefined ? '' : `, "${task}"`}.`
  return {
    ...ownBenchmark(title, slug, false),
    summary: what,
    description: `The declarative part of ${group ? 'the tasks of a group' : 'a task'} of lm-evaluation-harness, imported under the name "${title}" with its prompts, filters and metrics.${group ? ` Tasks: ${listed(members)}.` : ''}`,
    howMade: `From ${group ? 'task files' : `a task file${metadata?.version === undefined ? '' : ` of version ${metadata.version}`}`}${path === undefined ? '' : `, over the data set "${[path, group ? null : name].filter(Boolean).join(', ')}"`}. The checksums of the data are kept with each version.`,
    knownLimits: [
      ...(isSome(({ num_fewshot: count }) => (count ?? 0) > 0)
        ? ['Worked examples are the first ones of their file for every task; the harness may draw others for each.']
        : []),
      ...(isSome(({ repeats }) => repeats > 1)
        ? [`The task asks for ${config.repeats} answers to each question and grades the first; one epoch gives that figure.`]
        : []),
      ...(group && kinds.some(kind => kind.metrics.metrics.some(({ aggregation }) => aggregation !== undefined && aggregation !== 'median'))
        ? [
            'The harness averages the tasks’ own figures; the figure here is of all tasks together, and the macro mean by subtask is theirs where they count the same.',
          ]
        : []),
      ...(isSome(({ gen_prefix: prefix, output_type: kind }) => Boolean(prefix) && kind === 'generate_until')
        ? [
            'The beginning of the answer ("gen_prefix") ends the prompt, as in the harness without a chat template; a chat model may repeat it.',
          ]
        : []),
      ...(left.length > 0 ? [`Tasks of the group that are not here: ${listed(left)}.`] : []),
      'Nothing is known about how these tasks were made or whether a model has seen them.',
    ],
    runner: 'lm-eval',
    profiles,
  }
}

/** A kind's own profile first, then the same without examples, and by letter where it measures likelihoods. */
function profilesOf(
  { members: [{ config }], metrics: { metrics } }: TaskKind,
  { group, members }: Pick<TaskSet, 'group' | 'members'>,
  found: Tallied,
): ProfileDefinition[] {
  const count = config.num_fewshot ?? 0
  const makes =
    { multiple_choice: likelihoodProfile, loglikelihood: continuationProfile, loglikelihood_rolling: textProfile }[config.output_type] ??
    generationProfile
  const isRolling = config.output_type === 'loglikelihood_rolling'
  const shows = shownFields(members)
  const asked = (profile: ProfileDefinition): ProfileDefinition => ({
    ...profile,
    ...(shows.description && !isRolling && { introTemplate: '{description}' }),
    ...(shows.gen_prefix && profile.promptTemplate === '{text}' && { promptTemplate: '{text}{gen_prefix}' }),
    ...(group && profile.shots > 0 && { shotsBy: subtaskKey }),
    breakdowns: group ? [...(members.some(member => member.group !== null) ? [subgroupKey] : []), subtaskKey] : [],
  })
  const profiles = (count > 0 && !isRolling ? [count, 0] : [0]).map(shots => makes(config, metrics, shots, found))
  return (config.output_type === 'multiple_choice' ? [...profiles, letterProfile(found)] : profiles).map(asked)
}

/** What a prompt of the set names beside the question, since one of its tasks has it. */
export function shownFields(members: readonly Member[]): ShownFields {
  return {
    description: members.some(({ config }) => config.description !== ''),
    gen_prefix: members.some(({ config }) => Boolean(config.gen_prefix)),
  }
}

function listed(members: readonly { readonly name: string }[]): string {
  return nameFew(
    members.map(({ name }) => name),
    60,
  )
}

function examples(shots: number): Pick<ProfileDefinition, 'key' | 'shotTemplate' | 'shots'> {
  return shots > 0 ? { key: `${shots}-shot`, shotTemplate: '{shot}', shots } : { key: 'zero-shot', shotTemplate: null, shots: 0 }
}

type Metrics = TaskMetrics['metrics']

function generationProfile(config: TaskConfig, metrics: Metrics, shots: number): ProfileDefinition {
  const { until, do_sample: sampled, temperature, max_gen_toks: most = 256 } = config.generation_kwargs ?? {}
  return {
    ...shared,
    ...examples(shots),
    title: shots > 0 ? `${shots}-shot` : 'Zero-shot',
    summary: 'As the task asks.',
    requires: ['completion'],
    promptTemplate: '{text}',
    generation: {
      temperature: sampled === true ? (temperature ?? null) : (temperature ?? 0),
      max_output_tokens: most,
      stop: (until ?? [config.fewshot_delimiter]).slice(0, mostStops),
    },
    metrics,
    chanceLevel: null,
  }
}

function likelihoodProfile(config: TaskConfig, metrics: Metrics, shots: number, found: Tallied): ProfileDefinition {
  const { target_delimiter: delimiter } = config
  return {
    ...shared,
    ...examples(shots),
    title: `${shots > 0 ? `${shots}-shot` : 'Zero-shot'}, by log-likelihood`,
    summary: 'Each choice is measured as a continuation, one call a choice. Needs an endpoint whose check has proved log-likelihoods.',
    promptTemplate: '{text}',
    generation: { temperature: 0, max_output_tokens: 1, stop: [] },
    metrics,
    // Where nothing precedes what is measured, its first token is measured, too.
    requires: isWithoutContext(config) && shots === 0 ? [wholeTexts] : ['loglikelihood'],
    chanceLevel: found.chanceLevel,
    loglikelihood: {
      most: found.mostChoices,
      ...(delimiter !== ' ' && { delimiter }),
      ...(metrics.some(({ options }) => options['metric'] === 'acc_mutual_info') && { unconditional: true }),
    },
  }
}

/** What a model is capable of that measures texts from their first token on. */
const wholeTexts = 'loglikelihood_rolling'

function textProfile(config: TaskConfig, metrics: Metrics, _shots: number, found: Tallied): ProfileDefinition {
  return {
    ...likelihoodProfile({ ...config, target_delimiter: '' }, metrics, 0, found),
    title: 'Whole texts, by log-likelihood',
    summary: 'Each text is measured from its first token to its last, in windows where it is longer than the context. Needs a local model.',
    promptTemplate: '',
    requires: [wholeTexts],
    chanceLevel: null,
  }
}

function continuationProfile(config: TaskConfig, metrics: Metrics, shots: number, found: Tallied): ProfileDefinition {
  return {
    // As in the harness, nothing separates the continuation from the prompt.
    ...likelihoodProfile({ ...config, target_delimiter: '' }, metrics, shots, found),
    summary:
      'The reference answer is measured as a continuation, one call a task. Needs an endpoint whose check has proved log-likelihoods; chat endpoints have none.',
    chanceLevel: null,
  }
}

/** For models that answer in text. Where the choices are letters themselves, the prompt lists their texts. */
function letterProfile(found: Tallied): ProfileDefinition {
  const areLetters =
    found.preview.length > 0 && found.preview.every(({ choices }) => choices?.every((choice, i) => choice === choiceLabel(i)) === true)
  return {
    ...shared,
    ...examples(0),
    key: 'by-letter',
    title: 'Zero-shot, by letter',
    summary: 'The model answers in text and names a letter; the harness itself does not ask this way.',
    promptTemplate: `{text}\n\n${areLetters ? '' : '{choices}\n\n'}Think step by step. Then give the letter of the right choice on the last line in the form\nANSWER: <letter>`,
    generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
    metrics: choiceMetrics(),
    chanceLevel: found.chanceLevel,
  }
}
