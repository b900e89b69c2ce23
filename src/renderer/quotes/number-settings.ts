import type { ExecutionOptions } from '../../contract/catalog/models.schemas.ts'
import type { ExecutionDraft } from './quote-form.ts'

/** An execution setting that is a number, as its field shows it. */
export interface NumberSetting {
  readonly id: Exclude<keyof ExecutionDraft, 'cache' | 'effort' | 'evaluators' | 'mode' | 'prompt_template' | 'stop' | 'system_prompt'>
  readonly label: string
  readonly description: string
  /** Stored units in one shown unit: 1,000 for milliseconds shown as seconds. */
  readonly unit: number
  /** Bounds, in stored units. */
  readonly min: number
  readonly max: number
  readonly decimals: number
  /** In shown units. */
  readonly step: number
}

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

/** With the bounds of this machine, as far as they are known. */
export function numberSettings(options: ExecutionOptions | undefined): readonly NumberSetting[] {
  const whole = { unit: 1, decimals: 0, step: 1 }
  const seconds = { unit: second, decimals: 1, step: 1 }
  return [
    { id: 'epochs', label: 'Epochs', description: 'Answers per task', ...whole, ...(options?.epochs ?? { min: 1, max: 100 }) },
    {
      id: 'max_attempts',
      label: 'Attempts',
      description: 'Maximum attempts per sample',
      ...whole,
      ...(options?.attempts ?? { min: 1, max: 10 }),
    },
    {
      id: 'temperature',
      label: 'Temperature',
      description: 'Profile default',
      unit: 1,
      decimals: 2,
      step: 0.1,
      min: 0,
      max: 2,
    },
    { id: 'top_p', label: 'Top p', description: 'Default: connection’s', unit: 1, decimals: 3, step: 0.05, min: 0.001, max: 1 },
    {
      id: 'model_seed',
      label: 'Model seed',
      description: 'Sent to the model; does not choose tasks. Default: connection’s',
      ...whole,
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
    },
    {
      id: 'max_output_tokens',
      label: 'Max output tokens',
      description: 'Profile default',
      ...whole,
      ...(options?.max_output_tokens ?? { min: 1, max: 1_000_000 }),
    },
    {
      id: 'concurrency',
      label: 'Max concurrency',
      description: 'Default: endpoint limit',
      ...whole,
      ...(options?.concurrency ?? { min: 1, max: 256 }),
    },
    {
      id: 'attempt_timeout_ms',
      label: 'Request timeout (s)',
      description: 'Default: endpoint setting',
      ...seconds,
      ...(options?.attempt_timeout_ms ?? { min: 100, max: day }),
    },
    {
      id: 'sample_timeout_ms',
      label: 'Sample timeout (s)',
      description: 'Includes all attempts. Default: no limit',
      ...seconds,
      min: 100,
      max: day,
    },
    {
      id: 'throttle_patience_ms',
      label: 'Throttling patience (min)',
      description: 'Stops the run after this time without an answer while the endpoint takes no calls',
      unit: minute,
      decimals: 1,
      step: 1,
      min: second,
      max: day,
    },
    {
      id: 'run_timeout_ms',
      label: 'Run timeout (min)',
      description: 'Stops after this time; the rest counts as missing. Default: no limit',
      unit: minute,
      decimals: 1,
      step: 1,
      min: second,
      max: 30 * day,
    },
  ]
}
