import type { Generation, Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { eachTurnId } from '../../grading/scorers/native/each-turn.scorer.ts'
import { scorerById } from '../../grading/scorers/registry.ts'
import type { BenchmarkDefinition, ProfileDefinition } from '../../tasks/definition.ts'
import type { Columns } from './column-mapping.ts'

/** How the user wants the tasks of a table to be asked and graded; absent parts keep their defaults. */
export interface ProfileSettings {
  readonly prompt_template?: string | undefined
  readonly system_prompt?: string | undefined
  readonly shots?: number | undefined
  readonly shot_template?: string | undefined
  readonly shots_as?: 'text' | 'turns' | undefined
  readonly max_output_tokens?: number | undefined
  readonly max_image_pixels?: number | undefined
  readonly reasoning?: Generation['reasoning'] | undefined
  readonly grade?: Generation['grade'] | undefined
  readonly response_format?: Generation['response_format'] | undefined
  /** Beside the usual or chosen ones; none is primary. */
  readonly added_metrics?: readonly Metric[] | undefined
  /** With their scorers' current versions; exactly one is primary. */
  readonly metrics?: readonly Metric[] | undefined
}

/** Column values that a table's tasks keep beside their answer. */
export const clusterKey = 'cluster'
export const dateKey = 'date'

const placeholder = /\{(\w+)\}/g
const openShot = '{input}\n{target}\n\n'
const openAnswerShot = '{target}'
const choiceAnswerShot = 'ANSWER: {target}'
const choiceShot = '{input}\n\n{choices}\nANSWER: {target}\n\n'

/** Columns beside the question that the templates show; none where the settings have no templates. */
export function shownColumns(names: readonly string[], { input, target }: Columns, settings: ProfileSettings): string[] {
  const named = placeholdersOf(`${settings.prompt_template ?? ''}${settings.shot_template ?? ''}`)
  return named.filter(name => name !== input && name !== target && !reserved.has(name) && names.includes(name))
}

/** Why a table cannot be asked in this way; null where it can. */
export function templateFault({ input, target }: Columns, { prompt_template: template }: ProfileSettings): string | null {
  const named = template === undefined ? null : placeholdersOf(template)
  if (named === null) return null
  if (named.includes('target') || (target !== null && target !== input && named.includes(target)))
    return `The prompt template names the reference answer ({${named.includes('target') ? 'target' : target}}), which the model must not see.`
  return named.length === 0
    ? `The prompt template names no column, so that every task is the same. Write {input} where the question belongs.`
    : null
}

/** Placeholders that are not a column and are sent unchanged. */
export function unknownPlaceholders(names: readonly string[], settings: ProfileSettings): string[] {
  const named = placeholdersOf(`${settings.prompt_template ?? ''}${settings.shot_template ?? ''}`)
  return named.filter(name => !reserved.has(name) && !names.includes(name))
}

/** The usual definition with what the user set in its place. */
export function withSettings(definition: BenchmarkDefinition, columns: Columns | null, settings: ProfileSettings): BenchmarkDefinition {
  const { system_prompt: system, shots = 0, metrics, added_metrics: added = [] } = settings
  const asTurns = settings.shots_as === 'turns'
  const usualShot = columns?.choices ? (asTurns ? choiceAnswerShot : choiceShot) : asTurns ? openAnswerShot : openShot
  const ours = (template: string): string => toOurNames(template, columns)
  const change = (profile: ProfileDefinition): ProfileDefinition => ({
    ...profile,
    ...(shots > 0 && {
      key: `${shots}-shot`,
      title: `${shots}-shot`,
      summary: `Each task after ${shots} worked examples${asTurns ? ', as turns of the conversation' : ''}.`,
    }),
    ...(system !== undefined && { systemPrompt: system }),
    ...(settings.prompt_template !== undefined && {
      promptTemplate: ours(settings.prompt_template),
      summary: 'The prompt chosen in the import.',
    }),
    ...(shots > 0 && { shots, shotTemplate: ours(settings.shot_template ?? usualShot), ...(asTurns && { shotsAs: 'turns' as const }) }),
    generation: { ...profile.generation, ...generationOf(settings) },
    metrics: [...(metrics ?? profile.metrics), ...added].map(metric => (columns?.turnTargets === undefined ? metric : ofEachTurn(metric))),
  })
  return { ...definition, profiles: definition.profiles.map(change) }
}

/** The same scorer on the answer to every turn. */
function ofEachTurn({ scorer, options, ...metric }: Metric): Metric {
  return {
    ...metric,
    title: `${metric.title}, mean of the turns`,
    scorer: eachTurnId,
    scorer_version: scorerById(eachTurnId).version,
    options: { scorer, options },
    binary: false,
  }
}

/** What is as usual is left out, so that digests stay what they were. */
function generationOf({
  max_output_tokens: most,
  max_image_pixels: pixels,
  reasoning,
  grade,
  response_format: format,
}: ProfileSettings): Partial<Generation> {
  return {
    ...(most !== undefined && { max_output_tokens: most }),
    ...(reasoning === 'as_text' && { reasoning }),
    ...(grade === 'output_and_reasoning' && { grade }),
    ...(format && { response_format: format }),
    ...(pixels !== undefined && { max_image_pixels: pixels }),
  }
}

const reserved: ReadonlySet<string> = new Set(['input', 'target', 'choices'])

function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map(([, name = '']) => name))]
}

/** A column's own name means what it holds. */
function toOurNames(template: string, columns: Columns | null): string {
  return template.replaceAll(placeholder, (whole, name: string) =>
    name === columns?.input ? '{input}' : name === columns?.target ? '{target}' : whole,
  )
}
