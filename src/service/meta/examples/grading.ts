import { tracesExamples } from '../../../contract/traces/traces.examples.ts'
import { type Example, step, upload } from './example.ts'

const oracle = { kind: 'managed', route_id: 'assay/oracle-75' } as const
const chooseBenchmark = step(
  'Choose a benchmark.',
  'listBenchmarks',
  { query: { q: 'word problems' } },
  { keep: { PROFILE_ID: 'items.0.profile_ids.0' } },
)
const ends = ['status', 'complete', 'partial', 'failed', 'cancelled'] as const
const ofDataset = { dataset_id: 'DATASET_ID' }
const approveAll = (expected: number) =>
  step(
    'Approve what was added.',
    'reviewExamples',
    { params: ofDataset, body: { filter: {}, expected, decision: 'approve' } },
    { person: true },
  )
const freeze = step('Freeze what is approved.', 'createDatasetVersion', { params: ofDataset, body: {} }, { keep: { VERSION_ID: 'id' } })

const tickets = Array.from({ length: 40 }, (_, i) => {
  const label = i % 2 === 0 ? 'refund' : 'bug'
  return { input: `Ticket ${i}`, output: i % 10 === 9 ? `Perhaps a ${label}.` : `A ${label}.`, label }
})

export const calibrations: Example = {
  title: 'Measure an evaluator against labels',
  steps: [
    step(
      'Create a dataset.',
      'createDataset',
      { body: { name: 'Labeled tickets', task: 'classify', labels: ['refund', 'bug'] } },
      { keep: { DATASET_ID: 'id' } },
    ),
    step('Add examples with the labels of people.', 'addExamples', { params: ofDataset, body: { examples: tickets } }),
    approveAll(tickets.length),
    freeze,
    step(
      'Save an evaluator whose verdict is one of the labels.',
      'createEvaluator',
      { body: { name: 'Refund', definition: { kind: 'deterministic', scorer: 'assay/pattern', options: { pattern: '^A refund' } } } },
      { keep: { EVALUATOR_ID: 'id' } },
    ),
    step(
      'Measure it against the labels.',
      'createCalibration',
      { body: { evaluator_version_id: 'EVALUATOR_ID', dataset_version_id: 'VERSION_ID' } },
      { keep: { CALIBRATION_ID: 'id' } },
    ),
    step(
      'Read agreement, its interval and the verdict.',
      'getCalibration',
      { params: { calibration_id: 'CALIBRATION_ID' } },
      { until: ['status', 'resolved', 'failed'] },
    ),
  ],
}

export const judges: Example = {
  title: 'Let a model judge',
  steps: [
    step(
      'Connect the model that judges.',
      'createConnection',
      { body: { name: 'Judge', base_url: 'http://127.0.0.1:8080/v1', model: 'my-judge' } },
      { keep: { CONNECTION_ID: 'id' } },
    ),
    step('Check it.', 'checkConnection', { params: { connection_id: 'CONNECTION_ID' } }),
    step(
      'Save the judge, with what each verdict means.',
      'createEvaluator',
      {
        body: {
          name: 'Polite',
          definition: {
            kind: 'model_graded',
            judges: [{ model: { kind: 'connection', connection_id: 'CONNECTION_ID' } }],
            mode: 'classification',
            instructions: 'Is the answer polite?',
            menu: [
              { value: 'yes', meaning: 'It is polite.', passes: true },
              { value: 'no', meaning: 'It is not.' },
            ],
          },
        },
      },
      { keep: { EVALUATOR_ID: 'id' } },
    ),
    chooseBenchmark,
    step(
      'Quote a run that it grades as well; its calls are in the price.',
      'createQuote',
      {
        body: {
          model: oracle,
          selection: { profile_ids: ['PROFILE_ID'] },
          coverage: { mode: 'sample', sample_count: 3, seed: 1 },
          execution: { evaluators: ['EVALUATOR_ID'] },
          max_charge_microusd: '0',
        },
      },
      { keep: { QUOTE_ID: 'id' } },
    ),
    step(
      'Run it.',
      'submitRun',
      { body: { quote_id: 'QUOTE_ID', name: 'Judged' }, headers: { 'idempotency-key': 'judged-run' } },
      { keep: { RUN_ID: 'run_id' } },
    ),
    step('Wait.', 'getRun', { params: { run_id: 'RUN_ID' } }, { until: [...ends] }),
    step('Read its verdicts beside the benchmark’s own metric.', 'getRunResults', { params: { run_id: 'RUN_ID' } }),
  ],
}

export const monitors: Example = {
  title: 'Notice when a model changes',
  steps: [
    chooseBenchmark,
    step(
      'Quote the run to compare with.',
      'createQuote',
      {
        body: {
          model: oracle,
          selection: { profile_ids: ['PROFILE_ID'] },
          coverage: { mode: 'sample', sample_count: 20, seed: 1 },
          max_charge_microusd: '0',
        },
      },
      { keep: { QUOTE_ID: 'id' } },
    ),
    step(
      'Run it.',
      'submitRun',
      { body: { quote_id: 'QUOTE_ID', name: 'Baseline' }, headers: { 'idempotency-key': 'baseline-run' } },
      { keep: { RUN_ID: 'run_id' } },
    ),
    step('Wait.', 'getRun', { params: { run_id: 'RUN_ID' } }, { until: [...ends] }),
    step(
      'Watch it, each day and after each event.',
      'createTuneMonitor',
      {
        body: {
          name: 'Word problems each day',
          profile_id: 'PROFILE_ID',
          baseline: { run_id: 'RUN_ID' },
          schedule: 'day',
          max_charge_microusd: '0',
          max_monthly_microusd: '0',
        },
      },
      { keep: { MONITOR_ID: 'id' } },
    ),
    step('Tell it of a release. The same tasks are run again.', 'createTuneMonitorEvent', {
      params: { monitor_id: 'MONITOR_ID' },
      body: { type: 'release', ref: 'v2.1', note: 'New prompt' },
      headers: { 'idempotency-key': 'release-v2.1' },
    }),
    step(
      'Read the result: better, worse, no change or inconclusive, with its interval.',
      'listTuneOccurrences',
      { params: { monitor_id: 'MONITOR_ID' } },
      { until: ['0.status', 'complete', 'failed', 'skipped'] },
    ),
  ],
}

export const answers: Example = {
  title: 'Grade answers that you already have',
  steps: [
    chooseBenchmark,
    upload(
      'Send them, by the ids of the tasks. No model is called.',
      'importAnswers',
      {
        fields: { profile_id: 'PROFILE_ID', model: 'my-model', name: 'Answers of last week' },
        file: {
          name: 'answers.jsonl',
          content: ['awp-0001', 'awp-0002', 'awp-0003'].map(task_id => JSON.stringify({ task_id, output: '#### 13' })).join('\n'),
        },
      },
      { keep: { ANSWER_IMPORT_ID: 'id' } },
    ),
    step(
      'Wait.',
      'getAnswerImport',
      { params: { answer_import_id: 'ANSWER_IMPORT_ID' } },
      { until: ['status', 'imported', 'failed', 'cancelled'], keep: { RUN_ID: 'runs.0.run_id' } },
    ),
    step('Read the score of the tasks that were answered.', 'getRunResults', { params: { run_id: 'RUN_ID' } }),
  ],
}

export const traceBenchmarks: Example = {
  title: 'Make a benchmark of traces',
  steps: [
    step('Send traces.', 'receiveTraces', { body: tracesExamples.receiveTraces } as object),
    step('Find them.', 'listTraces', {}, { keep: { TRACE_ID: 'items.0.id' } }),
    step('Create a dataset.', 'createDataset', { body: { name: 'Traced questions', task: 'answer' } }, { keep: { DATASET_ID: 'id' } }),
    step('Make an example of each trace: what was asked, and what was answered.', 'addTraceSource', {
      params: ofDataset,
      body: { trace_ids: ['TRACE_ID'] },
    }),
    step('Find the example.', 'listExamples', { params: ofDataset }, { keep: { EXAMPLE_ID: 'items.0.id' } }),
    step('Set the expected answer.', 'reviseExample', {
      params: { ...ofDataset, example_id: 'EXAMPLE_ID' },
      body: { base_revision: 1, expected: 'refund' },
    }),
    approveAll(1),
    freeze,
    step(
      'Save the evaluator that grades answers.',
      'createEvaluator',
      { body: { name: 'Same words', definition: { kind: 'deterministic', scorer: 'assay/f1', options: {}, target_from: 'expected' } } },
      { keep: { EVALUATOR_ID: 'id' } },
    ),
    step('Make the benchmark. It can be quoted and run like any other.', 'createDatasetBenchmark', {
      params: { dataset_id: 'DATASET_ID', version_id: 'VERSION_ID' },
      body: { name: 'Support questions', evaluator_version_id: 'EVALUATOR_ID' },
    }),
  ],
}
