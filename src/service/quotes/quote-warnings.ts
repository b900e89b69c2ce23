import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { selectedOnOwnResults } from '../../contract/runs/results.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import type { CostBound } from './bound-cost.ts'
import type { FrozenSelection } from './select-tasks.ts'
import type { SelectedModel } from './select-model.ts'

/** Below this, an interval is so wide that most differences between models would be missed. */
const fewTasks = 100

/** What a careful colleague would point out before signing. */
export function quoteWarnings(model: SelectedModel, selections: readonly FrozenSelection[], epochs: number): Quote['warnings'] {
  const warnings: Quote['warnings'] = []
  if (!model.snapshot.is_model) {
    warnings.push({
      code: 'not_a_model',
      message: `${model.snapshot.title} is a baseline for reference, not a model.`,
    })
  }
  if (model.snapshot.kind === 'connection') {
    warnings.push({
      code: 'billed_by_provider',
      message: model.snapshot.rates
        ? 'The endpoint’s provider bills these calls by itself; the wallet is not charged.'
        : 'The endpoint’s provider may bill these calls by itself. Its rates are not stored, so there is no estimate.',
    })
  }
  if (epochs > 1 && selections.every(({ generation }) => generation.temperature === 0)) {
    warnings.push({
      code: 'epochs_at_temperature_0',
      message: `${epochs} epochs at temperature 0 mostly repeat one answer: pass@k means little, and the interval gets no narrower. Raise the temperature or ask once.`,
    })
  }
  const seed = model.snapshot.request_settings?.seed ?? null
  if (epochs > 1 && seed !== null)
    warnings.push({
      code: 'epochs_with_one_seed',
      message: `The seed ${seed} is sent to the model with every call, so ${epochs} epochs mostly repeat one answer. Remove the seed or ask once.`,
    })
  for (const { profile, tasks, available, asked, status } of selections) {
    const where = { profile_id: profile.id }
    if (status === 'candidate')
      warnings.push({
        code: 'unpublished_profile',
        message: 'The profile’s package is accepted and not published yet.',
        ...where,
      })
    if (tasks.length < available) {
      warnings.push({
        code: 'sample',
        message: `${tasks.length} of ${available} tasks: the result is of a sample, not a benchmark score.`,
        ...where,
      })
    }
    if (asked !== null && asked > available)
      warnings.push({ code: 'fewer_tasks', message: `${asked} tasks were requested and only ${available} exist.`, ...where })
    if (tasks.length > 0 && tasks.length < fewTasks) {
      warnings.push({
        code: 'few_tasks',
        message: `With ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} the interval will be wide; see what difference it could show.`,
        ...where,
      })
    }
  }
  return warnings
}

type Capped = Pick<Quote, 'model' | 'execution' | 'cost'>

const kindNames: Readonly<Record<MediaPart['type'], string>> = { image: 'images', audio: 'audio', document: 'documents' }

/**
 * Where a judge grades by the text alone what the model was shown.
 * @param files kinds of files of the tasks that it grades
 */
export function blindJudge(name: string, sees: ReadonlySet<MediaPart['type']>, files: readonly MediaPart['type'][]): Quote['warnings'] {
  const unseen = [...new Set(files)].filter(kind => !sees.has(kind)).map(kind => kindNames[kind])
  if (unseen.length === 0) return []
  const message = `The judge ${name} is given the text of the tasks without their ${unseen.join(' and ')}, which it does not take. Choose a judge that takes them, or grade what can only be seen by a rule.`
  return [{ code: 'judges_see_text', message }]
}

/** Where a spending limit may stop the run before its end, or keep its judges from grading all of it. */
export function capWarnings({ model, execution, cost }: Capped, bound: CostBound): Quote['warnings'] {
  const isManaged = model.kind === 'managed'
  return [
    ...capWarning(
      { field: 'max_charge_microusd', cap: cost.max_charge_microusd, most: cost.upper_bound_microusd },
      isManaged ? bound : nothing,
    ),
    ...capWarning(
      {
        field: 'execution.max_provider_billed_microusd',
        cap: execution.max_provider_billed_microusd,
        most: cost.provider_billed_upper_bound_microusd,
      },
      isManaged ? nothing : bound,
    ),
  ]
}

const nothing: CostBound = { run: 0n, sample: 0n }

/**
 * @param most what model and judges can cost at most; null where it is not known
 * @param model what the model alone can
 */
function capWarning(
  { field, cap, most }: { readonly field: string; readonly cap: string | null; readonly most: string | null },
  model: CostBound,
): Quote['warnings'] {
  if (cap === null || most === null || BigInt(cap) >= BigInt(most)) return []
  const limit = `The spending limit of ${formatUsd(cap)} (${field})`
  if (BigInt(cap) < model.sample)
    return [
      {
        code: 'cap_below_sample',
        message: `${limit} is less than the most expensive sample can cost, ${formatUsd(String(model.sample))}: that sample may never be asked. Raise it to ${formatUsd(most)} to cover the whole run.`,
      },
    ]
  const message =
    model.run === 0n
      ? `${limit} is less than the judges can cost at most, ${formatUsd(most)}: answers may stay unscored. Raise it to score them all.`
      : `${limit} is less than the run can cost at most, ${formatUsd(most)}: the run may stop before its end. It can be raised later.`
  return [{ code: 'cap_below_upper_bound', message }]
}

/** From this share of its tasks on, a selection counts as chosen by what the model answered before. */
const ownResultsShare = 0.5

/** For exact tasks: whether they were recommended on results of the very model that is to be evaluated on them. */
export function ownResultsWarning(profileId: string, tasks: number, chosenOnOwnResults: number): Quote['warnings'] {
  if (chosenOnOwnResults === 0 || chosenOnOwnResults < tasks * ownResultsShare) return []
  return [
    {
      code: selectedOnOwnResults,
      message:
        `${chosenOnOwnResults} of ${tasks} tasks were chosen with the help of this model’s own past results. Its score on them is biased and no estimate of how good it is. ` +
        'It can still show where the model fails; for a score, select tasks without its results (name it in the recommendation’s `models`) or sample the benchmark.',
      profile_id: profileId,
    },
  ]
}
