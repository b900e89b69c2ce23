import type { CalibrationFigures } from '../../../contract/evaluators/calibrations.schemas.ts'
import type { Estimate } from '../../../contract/runs/results.schemas.ts'
import { formatNumber } from '../../../lib/format/numbers.ts'
import { balancedAccuracy } from '../../statistics/balanced-accuracy.ts'
import { fullAgreementInterval } from '../../statistics/full-agreement.ts'
import { gwetAc1 } from '../../statistics/gwet-ac1.ts'
import { correctJudgeRate } from '../../statistics/judge-correction.ts'
import { cohenKappa } from '../../statistics/kappa.ts'
import { ppiMean } from '../../statistics/ppi.ts'
import { summarizeMetric } from '../../statistics/summarize.ts'
import { chooseThreshold, splitInTwo } from './choose-threshold.ts'
import type { LabelMenu, Prediction } from './predict-label.ts'
import { selfPreference } from './self-preference.ts'
import { modelFamily } from '../judges/model-family.ts'

/** One example under the evaluator. */
export interface CalibrationItem {
  readonly exampleId: string
  /** The annotators' consensus; null: not labeled. */
  readonly label: string | null
  /** Whether people made the label. */
  readonly byPeople: boolean
  readonly prediction: Prediction
  /** The model that wrote the output, where the example says so. */
  readonly author?: string | null
  /** Votes asked in both orders, and how many of them changed with it. */
  readonly swapped: { readonly pairs: number; readonly flips: number }
}

export interface CalibrationSettings {
  readonly seed: number
  /** Share of the labeled examples that the threshold is reported on. */
  readonly holdout: number
  readonly level: number
  /** Families of its judges; absent without judges. */
  readonly judgeFamilies?: readonly string[]
  readonly minimum: { readonly kappa: number; readonly balanced_accuracy: number }
}

type AlwaysMeasured = 'n' | 'unscored' | 'confusion' | 'agreement' | 'balanced_accuracy' | 'kappa' | 'ac1' | 'verdict' | 'disagreements'

/** Figures of a calibration that has ended. The value of an estimate is its `mean`, also of kappa and the like. */
export type MeasuredFigures = CalibrationFigures & { readonly [Name in AlwaysMeasured]: NonNullable<CalibrationFigures[Name]> }

/** What is reported of each labeled and scored example once a threshold is known. */
interface Judged {
  readonly label: string
  readonly verdict: string
  readonly author: string | null
}

const fewestLabeled = 30
const fewestPerClass = 5

/** How far an evaluator's verdicts can be trusted, from examples with labels; and what that says of those without. Pure. */
export function calibrate(items: readonly CalibrationItem[], menu: LabelMenu, settings: CalibrationSettings): MeasuredFigures {
  const labeled = items.filter(item => item.label !== null)
  const labels = labelsOf(menu, labeled)
  const threshold = thresholdFor(labeled, labels, settings)
  const reported = threshold ? threshold.reported : labeled
  const verdictOf = (item: CalibrationItem) => verdictUnder(item.prediction, labels, threshold?.value ?? null)
  const judged = reported.flatMap((item): Judged[] => {
    const verdict = verdictOf(item)
    return verdict === null || item.label === null ? [] : [{ label: item.label, verdict, author: item.author ?? null }]
  })
  const { level } = settings
  const table = labels.map(label => labels.map(verdict => judged.filter(item => item.label === label && item.verdict === verdict).length))
  const ordered = menu.task === 'score'
  const kappa = atLeast(
    figureOf(judged.length, cohenKappa(table, ordered ? 'quadratic' : 'none', level), 'kappa'),
    fullAgreementInterval(table, 'cohen', level),
  )
  const balanced = toFigure(judged.length, balancedAccuracy(recallsOf(table), level))
  const rates = labels.length === 2 && menu.task !== 'score' ? passRates(judged, labels, level) : null
  const tooFew = whyTooFew(labeled, labels)
  const reasons = tooFew ?? whyNotUsable(kappa, balanced, settings.minimum)
  return {
    n: reported.length,
    unscored: reported.length - judged.length,
    unscored_reasons: reasonsOf(reported),
    confusion: {
      labels: [...labels],
      counts: table,
      unscored: labels.map(label => reported.filter(item => item.label === label && verdictOf(item) === null).length),
    },
    agreement: toFigure(
      judged.length,
      summarizeMetric(
        judged.map(({ label, verdict }) => (label === verdict ? 1 : 0)),
        { binary: true, level },
      ),
    ),
    balanced_accuracy: balanced,
    kappa,
    ac1: atLeast(figureOf(judged.length, gwetAc1(table, level), 'ac1'), fullAgreementInterval(table, 'gwet', level)),
    sensitivity: rates?.sensitivity ?? null,
    specificity: rates?.specificity ?? null,
    threshold: threshold && { value: threshold.value, chosen_on: threshold.chosenOn, reported_on: reported.length, curve: threshold.curve },
    position_flip_rate: flipRate(items, level),
    self_preference: rates && preferenceOf(judged, labels, settings),
    ...withoutLabels(items, judged, labels, rates, verdictOf, level),
    verdict: tooFew ? 'uninformative' : reasons.length === 0 ? 'usable' : (kappa.interval?.low ?? 0) > 0 ? 'weak' : 'uninformative',
    reasons,
    disagreements: judged.filter(({ label, verdict }) => label !== verdict).length,
  }
}

/** The verdict that an item counts with: its label, or what the threshold makes of its number. */
export function verdictUnder(prediction: Prediction, labels: readonly string[], threshold: number | null): string | null {
  if (prediction.kind === 'unscored') return null
  if (threshold === null) return prediction.kind === 'label' ? prediction.label : null
  return (valueOf(prediction, labels) >= threshold ? labels[0] : labels[1]) ?? null
}

/** The menu; of scores, every number that occurs. */
function labelsOf(menu: LabelMenu, labeled: readonly CalibrationItem[]): readonly string[] {
  if (menu.task !== 'score') return menu.labels
  const seen = labeled.flatMap(({ label, prediction }) => [label ?? '', ...(prediction.kind === 'label' ? [prediction.label] : [])])
  return [...new Set(seen)].sort((a, b) => Number(a) - Number(b))
}

function thresholdFor(labeled: readonly CalibrationItem[], labels: readonly string[], { seed, holdout }: CalibrationSettings) {
  if (labels.length !== 2 || labeled.every(({ prediction }) => prediction.kind !== 'value')) return null
  const { chosenOn, reportedOn } = splitInTwo(labeled.length, holdout, seed)
  const scored = chosenOn.flatMap(i => {
    const item = labeled[i]
    if (!item || item.prediction.kind === 'unscored') return []
    return [{ value: valueOf(item.prediction, labels), passes: item.label === labels[0] }]
  })
  const chosen = chooseThreshold(scored)
  return {
    value: chosen?.threshold ?? 0.5,
    curve: chosen?.curve ?? [],
    chosenOn: chosenOn.length,
    reported: reportedOn.flatMap(i => labeled[i] ?? []),
  }
}

function valueOf(prediction: Exclude<Prediction, { kind: 'unscored' }>, labels: readonly string[]): number {
  return prediction.kind === 'value' ? prediction.value : prediction.label === labels[0] ? 1 : 0
}

function recallsOf(table: readonly (readonly number[])[]) {
  return table
    .map((row, i) => ({ items: row.reduce((sum, count) => sum + count, 0), recognized: row[i] ?? 0 }))
    .filter(({ items }) => items > 0)
}

function passRates(judged: readonly Judged[], [pass = '', fail = '']: readonly string[], level: number) {
  const share = (label: string) => {
    const values = judged.filter(item => item.label === label).map(({ verdict }) => (verdict === label ? 1 : 0))
    return toFigure(values.length, summarizeMetric(values, { binary: true, level }))
  }
  return { sensitivity: share(pass), specificity: share(fail) }
}

function preferenceOf(judged: readonly Judged[], [pass]: readonly string[], { judgeFamilies = [], level }: CalibrationSettings) {
  const verdicts = judged.map(({ author, label, verdict }) => ({
    family: author === null ? null : modelFamily(author),
    labelPasses: label === pass,
    verdictPasses: verdict === pass,
  }))
  return selfPreference(judgeFamilies, verdicts, level)
}

/** Pass rate of the unlabeled items, corrected by the evaluator's errors on the labeled ones. */
function withoutLabels(
  items: readonly CalibrationItem[],
  judged: readonly Judged[],
  labels: readonly string[],
  rates: ReturnType<typeof passRates> | null,
  verdictOf: (item: CalibrationItem) => string | null,
  level: number,
): Pick<CalibrationFigures, 'corrected_pass_rate' | 'ppi'> {
  const [pass] = labels
  const open = items
    .filter(({ label }) => label === null)
    .flatMap(item => verdictOf(item) ?? [])
    .map(verdict => (verdict === pass ? 1 : 0))
  if (!rates || open.length === 0) return { corrected_pass_rate: null, ppi: null }
  const raw = toFigure(open.length, summarizeMetric(open, { binary: true, level }))
  return {
    corrected_pass_rate: correctPassRate(raw, rates, level),
    ppi: (({ estimate, ...rest }) => toFigure(judged.length + open.length, { mean: estimate, ...rest }))(
      ppiMean(
        {
          human: judged.map(({ label }) => (label === pass ? 1 : 0)),
          judgeOnLabeled: judged.map(({ verdict }) => (verdict === pass ? 1 : 0)),
          judgeOnUnlabeled: open,
        },
        { level },
      ),
    ),
  }
}

/** A raw pass rate corrected by an evaluator's sensitivity and specificity; also for the outputs of a run. */
export function correctPassRate(
  raw: Estimate,
  { sensitivity, specificity }: { readonly sensitivity: Estimate; readonly specificity: Estimate },
  level: number,
): NonNullable<CalibrationFigures['corrected_pass_rate']> {
  const corrected = correctJudgeRate(
    {
      judgeRate: raw.mean ?? 0,
      n: raw.mean === null ? 0 : raw.n,
      sensitivity: sensitivity.mean ?? 0,
      positives: sensitivity.mean === null ? 0 : sensitivity.n,
      specificity: specificity.mean ?? 0,
      negatives: specificity.mean === null ? 0 : specificity.n,
    },
    level,
  )
  const { rate, standardError, interval, reason, cautions } = corrected
  return {
    raw,
    rogan_gladen: toFigure(raw.n, { mean: rate, standardError, interval, reason, cautions }),
    lang_reiczigel_interval: interval,
  }
}

function flipRate(items: readonly CalibrationItem[], level: number): Estimate | null {
  const pairs = items.reduce((sum, { swapped }) => sum + swapped.pairs, 0)
  if (pairs === 0) return null
  const flips = items.reduce((sum, { swapped }) => sum + swapped.flips, 0)
  const values = new Float64Array(pairs)
  values.fill(1, 0, flips)
  return toFigure(pairs, summarizeMetric(values, { binary: true, level }))
}

/** Only people's labels count for how many there must be. */
function whyTooFew(labeled: readonly CalibrationItem[], labels: readonly string[]): string[] | null {
  const byPeople = labeled.filter(item => item.byPeople)
  const reasons: string[] = []
  if (byPeople.length < fewestLabeled)
    reasons.push(`Only ${byPeople.length} examples are labeled by people; a calibration needs at least ${fewestLabeled}.`)
  for (const label of labels) {
    const count = byPeople.filter(item => item.label === label).length
    if (count < fewestPerClass)
      reasons.push(`Only ${count} examples are labeled ${label} by people; each label needs at least ${fewestPerClass}.`)
  }
  return reasons.length === 0 ? null : reasons
}

function whyNotUsable(kappa: Estimate, balanced: Estimate, minimum: CalibrationSettings['minimum']): string[] {
  const short = (name: string, { mean, interval }: Estimate, least: number) =>
    (interval?.low ?? Number.NEGATIVE_INFINITY) >= least
      ? []
      : [
          `The ${name} is ${mean === null ? 'undefined' : `${formatNumber(mean, 3)}, and its interval begins at ${interval ? formatNumber(interval.low, 3) : 'no known value'}`}; the minimum is ${least}.`,
        ]
  return [...short('kappa', kappa, minimum.kappa), ...short('balanced accuracy', balanced, minimum.balanced_accuracy)]
}

function reasonsOf(items: readonly CalibrationItem[]): CalibrationFigures['unscored_reasons'] {
  const counts = new Map<string, number>()
  for (const { prediction } of items)
    if (prediction.kind === 'unscored') {
      // Replies differ from each other; what went wrong does not.
      const reason = (prediction.reason.split(/(?<=\.) |\n/)[0] ?? '').slice(0, 200)
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, 20)
}

type Summary = {
  readonly standardError: number | null
  readonly interval: Estimate['interval']
  readonly reason: string | null
  readonly cautions?: readonly string[]
}

function toFigure(
  n: number,
  { mean, standardError, interval, reason, cautions = [] }: Summary & { readonly mean: number | null },
): Estimate {
  return { n, mean, standard_error: standardError, interval, reason, cautions: [...cautions] }
}

function figureOf<Name extends 'kappa' | 'ac1'>(n: number, found: Summary & { readonly [K in Name]: number | null }, name: Name): Estimate {
  return toFigure(n, { ...found, mean: found[name] })
}

/** Full agreement has no standard error to make an interval from; how many items agree still says how far off it can be. */
function atLeast(figure: Estimate, interval: Estimate['interval']): Estimate {
  if (figure.interval !== null || figure.mean === null || interval === null) return figure
  return {
    ...figure,
    interval,
    reason: null,
    cautions: [...figure.cautions, 'Every verdict agrees; the interval comes from the number of examples alone.'],
  }
}
