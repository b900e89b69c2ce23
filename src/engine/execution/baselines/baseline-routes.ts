import type { ModelRoute } from '../../../contract/catalog/models.schemas.ts'

interface Baseline {
  readonly model: string
  readonly title: string
  readonly summary: string
}

const simple: readonly Baseline[] = [
  {
    model: 'random',
    title: 'Random answer',
    summary:
      'Picks one of the choices at random, or a number or word of the task where there are none. Not a model: it shows what blind guessing scores.',
  },
  {
    model: 'first-option',
    title: 'First option',
    summary:
      'Always takes the first choice, or the first number or word of the task. Not a model: it shows whether the order of choices gives points away.',
  },
  {
    model: 'majority',
    title: 'Most frequent answer',
    summary:
      'Always gives the answer that is right most often in the benchmark. Not a model: a model below it has learned nothing of the task.',
  },
  {
    model: 'echo',
    title: 'Echo',
    summary: 'Repeats the prompt. Not a model: its score is what a prompt copy gets without solving the task.',
  },
  {
    model: 'retrieval',
    title: 'Nearest passage',
    summary:
      'Copies the nearest worked example, choice or sentence by shared words (BM25). Not a model: it shows how far matching words gets.',
  },
]

const oracle = (percent: number): Baseline => ({
  model: `oracle-${percent}`,
  title: `Simulated model (${percent} %)`,
  summary: `Knows the references and answers right with a chance of ${percent} % per task, by the seed. Not a model: for trying the workstation and its statistics.`,
})

/** Words of a question that the hasty reader still reads to its end. */
export const hastyPatienceWords = 34
/** Its chance of a right answer, by whether it read the whole question. */
export const hastyChances = { short: 0.95, long: 0.25 } as const

const hasty: Baseline = {
  model: 'hasty',
  title: 'Hasty reader',
  summary: `Knows the references, but stops early on long questions: right with a chance of ${100 * hastyChances.short} % up to ${hastyPatienceWords} words and of ${100 * hastyChances.long} % beyond. Not a model: it shows how a weakness looks in a comparison.`,
}

/** The baselines that are listed. Oracles of other percentages and the hasty reader can be asked for by name. */
export function baselineRoutes(): ModelRoute[] {
  return [...simple, oracle(50), oracle(75), oracle(90)].map(toRoute)
}

/** The baseline of that route id, listed or not; null for any other route. */
export function findBaseline(routeId: string): ModelRoute | null {
  const percent = oraclePercent(routeId)
  const baseline = percent === null ? [...simple, hasty].find(({ model }) => `assay/${model}` === routeId) : oracle(percent)
  return baseline ? toRoute(baseline) : null
}

/** 0 to 100 for `assay/oracle-<percent>`, null for every other route. */
export function oraclePercent(routeId: string): number | null {
  const digits = /^assay\/oracle-(0|[1-9]\d?|100)$/.exec(routeId)?.[1]
  return digits === undefined ? null : Number(digits)
}

function toRoute({ model, title, summary }: Baseline): ModelRoute {
  return {
    route_id: `assay/${model}`,
    title,
    provider: 'assay',
    model,
    kind: 'baseline',
    is_model: false,
    summary,
    capabilities: ['chat', 'loglikelihood'],
    rates: { input_microusd_per_million: '0', output_microusd_per_million: '0' },
    efforts: [],
    limits: { context_tokens: null, max_output_tokens: null, max_concurrency: 64, requests_per_minute: null, tokens_per_minute: null },
    availability: { status: 'ready', reasons: [] },
  }
}
