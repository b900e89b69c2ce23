import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { type BleuSmoothing, bleuScore } from './text/bleu.ts'
import { type ChrfCounts, chrfScore } from './text/chrf.ts'
import { errorRate } from './text/error-counts.ts'
import { terRate } from './text/ter.ts'

/** Computed from what scores count, not from their values. */
export type CountedAggregation = Exclude<NonNullable<Metric['aggregation']>, 'median' | 'all_of_group'>
type Counts = Readonly<Record<string, number>>

/** Scorers whose figure of a run is not the mean of its samples' values. */
const own: ReadonlyMap<string, CountedAggregation> = new Map([
  ['sacrebleu/bleu', 'bleu'],
  ['sacrebleu/chrf', 'chrf'],
  ['sacrebleu/ter', 'ter'],
  ['evaluate/wer', 'error_rate'],
  ['evaluate/cer', 'error_rate'],
  ['lm_eval/perplexity', 'perplexity'],
])

/** Whether a metric's figure is computed from the values of its samples, be it their mean. */
export function isOfValues({ aggregation }: Pick<Metric, 'aggregation'>): boolean {
  return aggregation === undefined || aggregation === 'median' || aggregation === 'all_of_group'
}

/** How a scorer's metric is aggregated where nothing else is stated; empty for the mean. */
export function aggregatedBy(scorer: string): Pick<Metric, 'aggregation'> {
  const aggregation = own.get(scorer)
  return aggregation === undefined ? {} : { aggregation }
}

/** The figure of a run from what its scores count, added up; null where it is undefined. */
export function aggregateCounts(
  { aggregation, options }: { readonly aggregation: CountedAggregation; readonly options: Metric['options'] },
  sums: Counts,
): number | null {
  const at = (name: string) => sums[name] ?? 0
  switch (aggregation) {
    case 'bleu': {
      const orders = [1, 2, 3, 4]
      const shared = orders.map(n => at(`shared_${n}`))
      return bleuScore({ length: at('length'), wanted: at('wanted'), shared, total: orders.map(n => at(`total_${n}`)) }, false, {
        method: methodOf(options['smooth_method']),
        value: numberOf(options['smooth_value']),
      })
    }
    case 'chrf': {
      const counts: ChrfCounts = Array.from({ length: 8 }, (_, i) => ({
        output: at(`output_${i + 1}`),
        wanted: at(`wanted_${i + 1}`),
        shared: at(`shared_${i + 1}`),
      }))
      return chrfScore(counts, {
        characterOrder: numberOf(options['char_order']),
        wordOrder: numberOf(options['word_order']) ?? 0,
        beta: numberOf(options['beta']) ?? 2,
        epsSmoothing: options['eps_smoothing'] === true,
      })
    }
    case 'ter':
      return Math.max(0, 1 - terRate({ edits: at('edits'), wanted: at('wanted') }))
    case 'error_rate':
      return Math.max(0, 1 - errorRate({ edits: at('edits'), wanted: at('wanted') }))
    case 'perplexity':
      return at('weight') === 0 ? null : Math.exp(at('loglikelihood') / at('weight'))
    case 'f1':
      return f1OfLabel(confusion(sums), 1)
    case 'mcc':
      return matthews(confusion(sums))
  }
}

function numberOf(option: unknown): number | undefined {
  return typeof option === 'number' ? option : undefined
}

function methodOf(option: unknown): BleuSmoothing['method'] {
  return option === 'floor' || option === 'add-k' || option === 'none' ? option : 'exp'
}

/** The upper middle of the values in order, as lm-eval takes it; null for none. */
export function medianOf(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null
}

interface Cell {
  readonly gold: number
  readonly named: number
  readonly count: number
}

/** The name under which a scorer counts that `named` was chosen where `gold` is right. */
export function confusionKey(gold: number, named: number): string {
  return `${gold}>${named}`
}

function confusion(sums: Counts): Cell[] {
  return Object.entries(sums).flatMap(([key, count]) => {
    const [gold, named] = key.split('>').map(Number)
    return gold === undefined || named === undefined ? [] : [{ gold, named, count }]
  })
}

function total(cells: readonly Cell[], of: (cell: Cell) => boolean = () => true): number {
  return cells.reduce((sum, cell) => sum + (of(cell) ? cell.count : 0), 0)
}

/** 0 where the label is neither right nor chosen anywhere, as scikit-learn has it. */
function f1OfLabel(cells: readonly Cell[], label: number): number | null {
  if (cells.length === 0) return null
  const hits = total(cells, ({ gold, named }) => gold === label && named === label)
  const all = total(cells, ({ gold }) => gold === label) + total(cells, ({ named }) => named === label)
  return all === 0 ? 0 : (2 * hits) / all
}

/** Matthews correlation of any number of labels (Gorodkin 2004); 0 where one side never varies, as scikit-learn has it. */
function matthews(cells: readonly Cell[]): number | null {
  const all = total(cells)
  if (all === 0) return null
  const labels = new Set(cells.flatMap(({ gold, named }) => [gold, named]))
  const right = total(cells, ({ gold, named }) => gold === named)
  let both = 0
  let golds = 0
  let nameds = 0
  for (const label of labels) {
    const [gold, named] = [total(cells, cell => cell.gold === label), total(cells, cell => cell.named === label)]
    both += gold * named
    golds += gold ** 2
    nameds += named ** 2
  }
  const spread = Math.sqrt((all ** 2 - nameds) * (all ** 2 - golds))
  return spread === 0 ? 0 : (right * all - both) / spread
}
