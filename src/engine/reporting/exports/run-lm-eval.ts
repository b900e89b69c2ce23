import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { exportedMetrics } from '../../tasks/exported-metrics.ts'
import type { ReportSample } from '../report/report-sample.ts'
import type { Samples, WriteBytes } from './samples.ts'
import { describeContent } from '../../../contract/messages/message-text.ts'

const Likelihoods = z.object({ loglikelihoods: z.array(z.number()) })

/**
 * The results of lm-evaluation-harness as `simple_evaluate` returns them: one task for each profile, with its samples under `samples`.
 * A document is a task; its epochs are the repeats of the harness. Samples without an answer are left out, as `n-samples` says.
 */
export async function renderRunLmEval(results: Results, samples: Samples, write: WriteBytes): Promise<void> {
  const { profiles } = results.reproducibility
  const names = taskNames(profiles)
  const head = describeResults(results, names)
  await write(`${JSON.stringify(head).slice(0, -1)},"samples":{`)
  for (const [profileNo, profile] of profiles.entries()) {
    await write(`${profileNo === 0 ? '' : ','}${JSON.stringify(names[profileNo])}:[`)
    let document = 0
    let separator = '\n'
    for await (const epochs of byTask(samples(), profile.profile_id)) {
      const answered = epochs.filter(({ output, status }) => status === 'scored' && output !== null)
      if (answered.length > 0) {
        await write(separator + JSON.stringify(describeDocument(document, answered, profile)))
        separator = ',\n'
      }
      document++
    }
    await write(']')
  }
  await write('}}\n')
}

/** As the harness allows them: a name for each profile, without its version. */
function taskNames(profiles: readonly FrozenProfile[]): string[] {
  return profiles.map(({ slug, profile_id: id }) => `${slug}_${id.slice(id.lastIndexOf(':') + 1)}`.replaceAll(/[^A-Za-z0-9_-]/g, '_'))
}

/** The epochs of a task come one after the other. */
async function* byTask(samples: AsyncIterable<ReportSample>, profileId: string): AsyncGenerator<ReportSample[]> {
  let epochs: ReportSample[] = []
  for await (const sample of samples) {
    if (sample.profile_id !== profileId) continue
    if (epochs[0] && epochs[0].task_id !== sample.task_id) {
      yield epochs
      epochs = []
    }
    epochs.push(sample)
  }
  if (epochs.length > 0) yield epochs
}

function describeDocument(documentNo: number, epochs: readonly ReportSample[], { metrics, generation }: FrozenProfile) {
  const [first] = epochs
  if (!first) throw new RangeError('A document has no samples.')
  const prompt = first.messages
    .map(({ role, content }) => (first.messages.length === 1 ? describeContent(content) : `${role}: ${describeContent(content)}`))
    .join('\n\n')
  const target = first.targets.length === 1 ? (first.targets[0] ?? '') : first.targets
  const document = { task_id: first.task_id, ...(first.choices === null ? {} : { choices: first.choices }) }
  const settings = { temperature: generation.temperature, max_gen_toks: generation.max_output_tokens, until: generation.stop }
  const values = metrics.flatMap(({ id }): [string, number][] => {
    const scored = epochs.flatMap(({ score_details: scores }) => scores.find(({ metric }) => metric === id)?.value ?? [])
    return scored.length === 0 ? [] : [[id, scored.reduce((sum, value) => sum + value, 0) / scored.length]]
  })
  const likelihoods = likelihoodsOf(first)
  return {
    doc_id: documentNo,
    doc: document,
    target,
    arguments:
      likelihoods === null
        ? { gen_args_0: { arg_0: prompt, arg_1: settings } }
        : Object.fromEntries(likelihoods.map((_, i) => [`gen_args_${i}`, { arg_0: prompt, arg_1: ` ${first.choices?.[i] ?? ''}` }])),
    resps: likelihoods === null ? [epochs.map(({ output }) => output)] : likelihoods.map(value => [[String(value), 'False']]),
    filtered_resps: likelihoods === null ? [first.output] : likelihoods.map(value => [String(value), 'False']),
    filter: 'none',
    metrics: values.map(([id]) => id),
    ...Object.fromEntries(values),
    doc_hash: sha256(JSON.stringify(document)),
    prompt_hash: sha256(prompt),
    target_hash: sha256(JSON.stringify(target)),
  }
}

function likelihoodsOf({ output, choices }: ReportSample): readonly number[] | null {
  if (choices === null || !output?.startsWith('{"loglikelihoods"')) return null
  try {
    return Likelihoods.parse(JSON.parse(output)).loglikelihoods
  } catch {
    return null
  }
}

/** What the run changed of its profiles' and its connection's settings. */
function generationSettings({
  temperature,
  max_output_tokens: longest,
  top_p: topP = null,
  model_seed: seed = null,
}: Results['reproducibility']['execution']) {
  return { temperature, max_gen_toks: longest, ...(topP === null ? {} : { top_p: topP }), ...(seed === null ? {} : { seed }) }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function describeResults(results: Results, names: readonly string[]) {
  const { reproducibility, coverage } = results
  const { model, profiles, execution, app_version: version, started_at: started, finished_at: finished } = reproducibility
  const each = <Value>(make: (profile: FrozenProfile, name: string) => Value) =>
    Object.fromEntries(profiles.map((profile, i) => [names[i] ?? '', make(profile, names[i] ?? '')]))
  return {
    results: each((profile, name) => ({ alias: name, ...figuresOf(results, profile.profile_id) })),
    group_subtasks: each(() => []),
    configs: each((profile, name) => ({
      task: name,
      dataset_path: profile.source_ref,
      test_split: profile.split,
      num_fewshot: profile.shots,
      metric_list: profile.metrics.map(({ id }) => ({ metric: id, aggregation: 'mean', higher_is_better: true })),
      output_type: 'generate_until',
      generation_kwargs: {
        temperature: profile.generation.temperature,
        max_gen_toks: profile.generation.max_output_tokens,
        until: profile.generation.stop,
      },
      repeats: coverage.epochs,
      should_decontaminate: false,
      metadata: { version: profile.version_digest, assay: { metrics: exportedMetrics(profile.metrics) } },
    })),
    versions: each(({ version_digest: digest }) => digest),
    'n-shot': each(({ shots }) => shots),
    higher_is_better: each(({ profile_id: of }) =>
      Object.fromEntries(
        results.metrics.filter(({ profile_id: id }) => id === of).map(({ metric, original }) => [metric, original === undefined]),
      ),
    ),
    'n-samples': each(({ tasks_available: original, tasks_selected: effective }) => ({ original, effective })),
    config: {
      model: model.provider,
      model_args: model.model,
      batch_size: 1,
      batch_sizes: [],
      device: null,
      use_cache: execution.cache ? 'assay' : null,
      limit: coverage.sample_count,
      bootstrap_iters: 0,
      gen_kwargs: generationSettings(execution),
      random_seed: coverage.seed,
      numpy_seed: null,
      torch_seed: null,
      fewshot_seed: null,
    },
    git_hash: null,
    date: Date.parse(results.created_at) / 1000,
    pretty_env_info: `Assay ${version}`,
    lm_eval_version: null,
    task_hashes: {},
    model_source: 'assay',
    model_name: model.model,
    model_name_sanitized: model.model.replaceAll(/[^A-Za-z0-9._-]/g, '_'),
    start_time: started === null ? null : Date.parse(started) / 1000,
    end_time: finished === null ? null : Date.parse(finished) / 1000,
    total_evaluation_time_seconds:
      started === null || finished === null ? null : String((Date.parse(finished) - Date.parse(started)) / 1000),
  }
}

/** Metric keys hold the filter after a comma; `none` is not a filter. */
function figuresOf({ metrics }: Results, profileId: string): Record<string, unknown> {
  const own = metrics.filter(({ profile_id: id, attempts }) => id === profileId && attempts === undefined)
  return Object.fromEntries(
    own.flatMap(({ metric, estimate, original }): [string, unknown][] =>
      estimate.mean === null
        ? []
        : [
            [`${metric},none`, original?.value ?? estimate.mean],
            [`${metric}_stderr,none`, original ? 'N/A' : (estimate.standard_error ?? 'N/A')],
          ],
    ),
  )
}
