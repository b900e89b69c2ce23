import { z } from 'zod'
import { mostFigures, type RecordedFigure } from '../../../contract/answers/answers.schemas.ts'
import { LogError, parseLogJson } from './foreign-log.ts'
import type { LogFile } from './log-files.ts'

const Results = z.looseObject({
  results: z.record(z.string(), z.record(z.string(), z.unknown())),
  'n-samples': z
    .record(
      z.string(),
      z
        .looseObject({ effective: z.int().min(0).nullish().catch(null) })
        .nullish()
        .catch(null),
    )
    .nullish()
    .catch(null),
  model_name: z.string().nullish(),
  config: z.looseObject({ model_args: z.unknown() }).nullish().catch(null),
  samples: z.record(z.string(), z.array(z.unknown())).nullish(),
})

/** Whether a file is results of lm-evaluation-harness, by its name and first words; those of lighteval have the same form. */
export function isLmEvalResults({ name, head }: { readonly name: string; readonly head: string }): boolean {
  if (/"(?:config_general|lighteval_sha)"\s*:/.test(head)) return false
  return (
    (name.startsWith('results_') && /"(?:lm_eval_version|n-shot|pretty_env_info|higher_is_better|versions|configs)"\s*:/.test(head)) ||
    (/^\s*\{\s*"results"\s*:\s*\{/.test(head) && /"\w{1,60}_stderr(?:,[\w-]{1,60})?"\s*:/.test(head))
  )
}

export interface LmEvalFigures {
  readonly figures: readonly RecordedFigure[]
  /** Task and metric of those that are no finite number: the harness writes NaN where a task had nothing to average. */
  readonly leftOut: readonly string[]
}

/**
 * The figures of results of lm-evaluation-harness that come without samples, as they were recorded; null where any file is another.
 * @throws LogError where there are too many
 */
export function readLmEvalFigures(files: readonly LogFile[], model: string | undefined): LmEvalFigures | null {
  const figures: RecordedFigure[] = []
  const leftOut: string[] = []
  for (const file of files) {
    if (!isLmEvalResults({ name: file.name.toLowerCase(), head: file.bytes.toString('utf8', 0, 65_536) })) return null
    const parsed = Results.safeParse(parseLogJson(file.bytes.toString('utf8'), file.name))
    if (!parsed.success || Object.keys(parsed.data.samples ?? {}).length > 0) return null
    for (const figure of figuresOf(parsed.data, model))
      if (Number.isFinite(figure.value)) figures.push(figure)
      else leftOut.push(`${figure.task} ${figure.metric}`)
    if (figures.length > mostFigures)
      throw new LogError(`At most ${mostFigures} figures are kept of an import. Send fewer results at once.`)
  }
  return figures.length > 0 ? { figures, leftOut } : null
}

function figuresOf(results: z.infer<typeof Results>, model: string | undefined): RecordedFigure[] {
  return Object.entries(results.results).flatMap(([task, metrics]) =>
    Object.entries(metrics).flatMap(([key, value]) => {
      // What is written as NaN is read as null.
      if ((typeof value !== 'number' && value !== null) || /_stderr(?:,|$)/.test(key) || key === 'sample_len' || key === 'sample_count')
        return []
      const [metric = key, filter = 'none'] = key.split(',')
      // Older files have no filters: `acc_stderr`, and `acc_stderr,none` in newer ones.
      const error = metrics[key.includes(',') ? `${metric}_stderr,${filter}` : `${metric}_stderr`]
      return [
        {
          model: (results.model_name ?? argumentModel(results.config?.model_args) ?? model ?? 'unknown model').slice(0, 200),
          task: task.slice(0, 200),
          metric: (filter === 'none' ? metric : `${metric}, ${filter}`).slice(0, 200),
          value: value ?? Number.NaN,
          standard_error: typeof error === 'number' && Number.isFinite(error) && error >= 0 ? error : null,
          n: results['n-samples']?.[task]?.effective ?? null,
        },
      ]
    }),
  )
}

/** Older results name their model in the arguments alone: `pretrained=org/x,dtype=float16`. */
function argumentModel(args: unknown): string | undefined {
  if (typeof args !== 'string') return undefined
  return /(?:^|,)(?:pretrained|model|engine)=([^,]+)/.exec(args)?.[1]
}
