import { connectionsExamples } from '../../../contract/connections/connections.examples.ts'
import { tracesExamples } from '../../../contract/traces/traces.examples.ts'
import { type Example, step, upload } from './example.ts'

const file = {
  name: 'capitals.jsonl',
  content: '{"id":"fr","question":"Capital of France?","answer":"Paris"}\n{"id":"jp","question":"Capital of Japan?","answer":"Tokyo"}\n',
}
const fields = { format: 'jsonl', name: 'Capitals', version: '1.0', mapping: '{"input":"question","target":"answer","id":"id"}' }

export const imports: Example = {
  title: 'Import a benchmark of your own',
  steps: [
    upload('Check the file first: nothing is stored.', 'createImport', { fields: { ...fields, dry_run: 'true' }, file }),
    upload('Import it.', 'createImport', { fields, file }, { keep: { IMPORT_ID: 'id' } }),
    step('Wait.', 'getImport', { params: { import_id: 'IMPORT_ID' } }, { until: ['status', 'imported', 'failed'] }),
    step('Find its profiles.', 'listBenchmarks', { query: { q: 'Capitals' } }, { keep: { PROFILE_ID: 'items.0.profile_ids.0' } }),
  ],
}

export const connections: Example = {
  title: 'Connect a model server of your own',
  steps: [
    step('Say where it is.', 'createConnection', { body: connectionsExamples.createConnection }, { keep: { CONNECTION_ID: 'id' } }),
    step('Check it: a first quote needs a passed check.', 'checkConnection', { params: { connection_id: 'CONNECTION_ID' } }),
    step('Choose a benchmark.', 'listBenchmarks', { query: { q: 'word problems' } }, { keep: { PROFILE_ID: 'items.0.profile_ids.0' } }),
    step('Quote it like any model.', 'createQuote', {
      body: {
        model: { kind: 'connection', connection_id: 'CONNECTION_ID' },
        selection: { profile_ids: ['PROFILE_ID'] },
        coverage: { mode: 'sample', sample_count: 10, seed: 1 },
        max_charge_microusd: '0',
      },
    }),
  ],
}

export const traces: Example = {
  title: 'Send and read traces',
  steps: [
    step(
      'Send spans as any OpenTelemetry exporter does; OTEL_EXPORTER_OTLP_ENDPOINT is the service’s address and /v1/traces the path.',
      'receiveTraces',
      { body: tracesExamples.receiveTraces } as object,
    ),
    step('Find them.', 'listTraces', {}, { keep: { TRACE_ID: 'items.0.id' } }),
    step('Read one.', 'getTrace', { params: { trace_id: 'TRACE_ID' } }),
  ],
}

export const datasets: Example = {
  title: 'Collect, label and freeze examples',
  steps: [
    step(
      'Create a dataset.',
      'createDataset',
      { body: { name: 'Support tickets', task: 'classify', labels: ['refund', 'bug'] } },
      { keep: { DATASET_ID: 'id' } },
    ),
    step(
      'Add examples.',
      'addExamples',
      {
        params: { dataset_id: 'DATASET_ID' },
        body: {
          examples: [
            { input: 'I was charged twice.', output: 'refund' },
            { input: 'It crashes.', output: 'bug' },
          ],
        },
      },
      { keep: { EXAMPLE_ID: 'items.0.example_id' } },
    ),
    step('Label one.', 'labelExample', {
      params: { dataset_id: 'DATASET_ID', example_id: 'EXAMPLE_ID' },
      body: { revision: 1, value: 'refund' },
    }),
    step(
      'Approve it.',
      'reviewExample',
      { params: { dataset_id: 'DATASET_ID', example_id: 'EXAMPLE_ID' }, body: { revision: 1, decision: 'approve' } },
      { person: true },
    ),
    step(
      'Freeze what is approved.',
      'createDatasetVersion',
      { params: { dataset_id: 'DATASET_ID' }, body: {} },
      { keep: { VERSION_ID: 'id' } },
    ),
    step(
      'Look for duplicates and secrets. This is a job.',
      'createDatasetScan',
      { params: { dataset_id: 'DATASET_ID' }, body: {} },
      { keep: { JOB_ID: 'job_id' } },
    ),
    step('Wait for a job.', 'getJob', { params: { job_id: 'JOB_ID' } }, { until: ['state', 'succeeded', 'failed', 'cancelled'] }),
  ],
}

const capitals = [
  'France Paris',
  'Japan Tokyo',
  'Peru Lima',
  'Cuba Havana',
  'Kenya Nairobi',
  'Chad N’Djamena',
  'Nepal Kathmandu',
  'Oman Muscat',
  'Latvia Riga',
  'Fiji Suva',
]
const tasks = {
  test: capitals.map((pair, i) => {
    const [country, answer] = pair.split(' ')
    return { id: `c${i}`, question: `What is the capital of ${country}?`, answer }
  }),
}

export const packages: Example = {
  title: 'Publish a benchmark that you wrote',
  steps: [
    step('Register a namespace, once.', 'createNamespace', { body: { name: 'acme-lab', title: 'ACME Lab' } }),
    step(
      'Send the package. Its checks are a job; dry_run: true only validates. The manifest’s schema is at /v1/schemas/package.json.',
      'createPackage',
      {
        body: {
          manifest: {
            format: 'assay.package/1',
            namespace: 'acme-lab',
            name: 'capitals',
            version: '1.0.0',
            title: 'Capitals',
            summary: 'Capital cities.',
            license: 'CC-BY-4.0',
            creators: [{ name: 'ACME Lab' }],
            runner: 'inspect',
            fields: { id: 'id', input: 'question', target: 'answer' },
            profiles: [
              {
                key: 'direct',
                title: 'Direct',
                prompt_template: '{input}',
                metrics: [{ id: 'exact', scorer: 'assay/exact_match', primary: true }],
              },
            ],
          },
          tasks,
        },
      },
      { keep: { PACKAGE_ID: 'id' } },
    ),
    step('Wait for the checks.', 'getPackage', { params: { package_id: 'PACKAGE_ID' } }, { until: ['status', 'in_review', 'rejected'] }),
    step('Read them: each has figures and the tasks concerned.', 'listPackageReviews', { params: { package_id: 'PACKAGE_ID' } }),
    step(
      'Approve it, after reading sampled tasks.',
      'createPackageReview',
      { params: { package_id: 'PACKAGE_ID' }, body: { outcome: 'approve', note: 'Read all tasks.' } },
      { person: true },
    ),
    step('Publish it.', 'publishPackage', { params: { package_id: 'PACKAGE_ID' } }, { person: true }),
    step('Its profiles quote like any other.', 'listPrivateProfiles', {}),
  ],
}
