import type { ImportProfile } from '../../contract/catalog/imports.schemas.ts'

export interface MetricChoice {
  readonly scorer: string | null
  /** JSON as typed. */
  readonly options: string
}

/** What was typed about asking and grading; empty parts keep their defaults. */
export interface SettingsDraft {
  readonly prompt: string
  readonly system: string
  readonly shots: number
  readonly shot: string
  /** Reasoning that a model writes into its text stays part of the answer. */
  readonly keepsReasoning: boolean
  /** Graders see reasoning before the answer. */
  readonly gradesReasoning: boolean
  readonly metrics: readonly MetricChoice[]
  /** Index of the primary metric. */
  readonly primary: number
}

export const noSettings: SettingsDraft = {
  prompt: '',
  system: '',
  shots: 0,
  shot: '',
  keepsReasoning: false,
  gradesReasoning: false,
  metrics: [],
  primary: 0,
}

/** Why the options of a metric cannot be sent; null where they can. */
export function optionsFault(options: string): string | null {
  const values = parsed(options)
  return typeof values === 'string' ? values : null
}

/** The settings as they are sent; undefined where nothing was set or something is not complete yet. */
export function toProfile({
  prompt,
  system,
  shots,
  shot,
  keepsReasoning,
  gradesReasoning,
  metrics,
  primary,
}: SettingsDraft): ImportProfile | undefined {
  const chosen = metrics.flatMap(({ scorer, options }, i) => {
    const values = parsed(options)
    return scorer === null || typeof values === 'string' ? [] : [{ scorer, options: values, primary: i === primary }]
  })
  const profile: ImportProfile = {
    ...(prompt.trim() !== '' && { prompt_template: prompt }),
    ...(system.trim() !== '' && { system_prompt: system }),
    ...(shots > 0 && { shots }),
    ...(shots > 0 && shot.trim() !== '' && { shot_template: shot }),
    ...(keepsReasoning && { reasoning: 'as_text' as const }),
    ...(gradesReasoning && { grade: 'output_and_reasoning' as const }),
    ...(chosen.length > 0 && { metrics: chosen }),
  }
  return Object.keys(profile).length === 0 ? undefined : profile
}

/** The object, or what is wrong with the text. */
function parsed(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
    return 'Options are a JSON object, such as {"ignore_case": true}'
  } catch {
    return 'Not valid JSON'
  }
}
