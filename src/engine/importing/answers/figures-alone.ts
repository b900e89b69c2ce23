import { z } from 'zod'
import { mostFigures, type RecordedFigure } from '../../../contract/answers/answers.schemas.ts'
import { nameFew } from '../../../lib/format/name-few.ts'
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
  config_general: z
    .looseObject({ model_name: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
  config_tasks: z
    .record(
      z.string(),
      z
        .looseObject({ effective_num_docs: z.int().min(0).nullish().catch(null) })
        .nullish()
        .catch(null),
    )
    .nullish()
    .catch(null),
  config: z.looseObject({ model_args: z.unknown() }).nullish().catch(null),
  samples: z.record(z.string(), z.array(z.unknown())).nullish(),
})

interface Sniffed {
  /** In lower case. */
  readonly name: string
  readonly head: string
}

/** Whether a file is results of lm-evaluation-harness, by its name and first words; those of lighteval have the same form. */
export function isLmEvalResults({ name, head }: Sniffed): boolean {
  if (isLightevalResults({ head })) return false
  return (
    (name.startsWith('results_') && /"(?:lm_eval_version|n-shot|pretty_env_info|higher_is_better|versions|configs)"\s*:/.test(head)) ||
    (/^\s*\{\s*"results"\s*:\s*\{/.test(head) && /"\w{1,60}_stderr(?:,[\w-]{1,60})?"\s*:/.test(head))
  )
}

/** Whether a file is the results of lighteval, by its first words. */
export function isLightevalResults({ head }: Pick<Sniffed, 'head'>): boolean {
  return /"(?:config_general|lighteval_sha)"\s*:/.test(head)
}

const harness = {
  run: 'run lm-evaluation-harness with --log_samples and send the folder with samples_*.jsonl',
  matches: isLmEvalResults,
}
const lighteval = { run: 'run lighteval with --save-details and send details_*.parquet', matches: isLightevalResults }

const shownNames = 20

/** Figures of results that come without samples, and how to get those. */
export interface FiguresAlone {
  readonly figures: readonly RecordedFigure[]
  readonly warnings: readonly string[]
}

/**
 * The figures of results of lm-evaluation-harness and lighteval that come without samples, as they were recorded; null where any file is
 * another.
 * @throws LogError where there are too many, or none of them is finite
 */
export function readFiguresAlone(files: readonly LogFile[], model: string | undefined): FiguresAlone | null {
  const figures: RecordedFigure[] = []
  const leftOut: string[] = []
  const runs = new Set<string>()
  for (const file of files) {
    const sniffed = { name: file.name.toLowerCase(), head: file.bytes.toString('utf8', 0, 65_536) }
    const tool = [harness, lighteval].find(one => one.matches(sniffed))
    if (!tool) return null
    const parsed = Results.safeParse(parseLogJson(file.bytes.toString('utf8'), file.name))
    if (!parsed.success || Object.keys(parsed.data.samples ?? {}).length > 0) return null
    for (const figure of figuresOf(parsed.data, model, tool === harness))
      if (Number.isFinite(figure.value)) figures.push(figure)
      else leftOut.push(`${figure.task} ${figure.metric}`)
    runs.add(tool.run)
    if (figures.length > mostFigures)
      throw new LogError(`At most ${mostFigures} figures are kept of an import. Send fewer results at once.`)
  }
  // The harness writes NaN where a task had nothing to average.
  const missing = leftOut.length === 0 ? [] : [`Left out, because they are not finite: ${nameFew(leftOut, shownNames)}.`]
  if (figures.length === 0) {
    if (missing.length === 0) return null
    throw new LogError(`The results hold no figure that is a finite number. ${missing.join('')} Run the evaluation again.`)
  }
  const said =
    'These are figures without samples: what the model answered is not in the files, so nothing is graded and no run is made. For a run,'
  return { figures, warnings: [`${said} ${[...runs].join(', or ')}.`, ...missing] }
}

/** @param hasFilters whether what follows a comma in a metric is its filter */
function figuresOf(results: z.infer<typeof Results>, model: string | undefined, hasFilters: boolean): RecordedFigure[] {
  const named = results.model_name ?? results.config_general?.model_name ?? argumentModel(results.config?.model_args)
  return Object.entries(results.results).flatMap(([task, metrics]) =>
    Object.entries(metrics).flatMap(([key, value]) => {
      // What is written as NaN is read as null.
      if ((typeof value !== 'number' && value !== null) || /_stderr(?:,|$)/.test(key) || key === 'sample_len' || key === 'sample_count')
        return []
      const [metric = key, filter = 'none'] = hasFilters ? key.split(',') : [key]
      // Older files have no filters: `acc_stderr`, and `acc_stderr,none` in newer ones.
      const error = metrics[hasFilters && key.includes(',') ? `${metric}_stderr,${filter}` : `${metric}_stderr`]
      return [
        {
          model: (named ?? model ?? 'unknown model').slice(0, 200),
          task: task.slice(0, 200),
          metric: (filter === 'none' ? metric : `${metric}, ${filter}`).slice(0, 200),
          value: value ?? Number.NaN,
          standard_error: typeof error === 'number' && Number.isFinite(error) && error >= 0 ? error : null,
          n: results['n-samples']?.[task]?.effective ?? results.config_tasks?.[task]?.effective_num_docs ?? null,
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
