import { evaluatorsExamples } from '../../../contract/evaluators/evaluators.examples.ts'
import { remoteScorersExamples } from '../../../contract/evaluators/remote-scorers.examples.ts'
import { type Example, step } from './example.ts'

const oracle = (percent: 75 | 90) => ({ kind: 'managed', route_id: `assay/oracle-${percent}` }) as const
const benchmark = step(
  'Choose tasks.',
  'getBenchmark',
  { params: { slug: 'arithmetic-word-problems' } },
  { keep: { SOURCE_REF: 'latest_version.source_ref' } },
)
const selection = {
  task_selections: [{ source_ref: 'SOURCE_REF', split: 'test' as const, task_ids: ['awp-0001', 'awp-0002', 'awp-0003'] }],
}

export const suites: Example = {
  title: 'Evaluate exact tasks',
  steps: [
    benchmark,
    step(
      'Save them as a suite, which never changes.',
      'createSuite',
      { body: { name: 'Three tasks', ...selection } },
      { keep: { SUITE_ID: 'id' } },
    ),
    step(
      'Run it.',
      'createEvaluation',
      {
        body: { name: 'Three tasks', model: oracle(75), suite_version_id: 'SUITE_ID', max_charge_microusd: '0' },
        headers: { 'idempotency-key': 'three-tasks' },
      },
      { keep: { EVALUATION_ID: 'id' } },
    ),
    step(
      'Wait.',
      'getEvaluation',
      { params: { evaluation_id: 'EVALUATION_ID' } },
      { until: ['status', 'complete', 'completed', 'partial', 'failed', 'cancelled'] },
    ),
  ],
}

export const recommendations: Example = {
  title: 'Find tasks for an objective',
  steps: [
    step('Ask for at most 20 tasks.', 'recommendTasks', {
      body: { objective: 'Solve arithmetic word problems', models: ['assay/oracle-75'], task_limit: 20 },
    }),
  ],
}

export const evaluators: Example = {
  title: 'Write an evaluator',
  steps: [
    step('Try it on an output. Nothing is stored.', 'tryEvaluator', { body: evaluatorsExamples.tryEvaluator }),
    step('Save it.', 'createEvaluator', { body: evaluatorsExamples.createEvaluator }, { keep: { EVALUATOR_ID: 'id' } }),
    step('Read it; a change is a new version.', 'getEvaluator', { params: { evaluator_version_id: 'EVALUATOR_ID' } }),
  ],
}

export const remoteScorers: Example = {
  title: 'Score behind an address of your own',
  steps: [
    step(
      'Register the address. The answer has the secret that signs requests, once.',
      'createRemoteScorer',
      { body: remoteScorersExamples.createRemoteScorer },
      { keep: { REMOTE_SCORER_ID: 'id' } },
    ),
    step('An evaluator uses it by its id.', 'createEvaluator', {
      body: { name: 'House style', definition: { kind: 'remote', remote_scorer_id: 'REMOTE_SCORER_ID' } },
    }),
  ],
}

export const releases: Example = {
  title: 'Gate a release',
  steps: [
    benchmark,
    step(
      'Name the groups of tasks that matter.',
      'createReleaseSuite',
      { body: { name: 'Release checks', groups: [{ key: 'math', title: 'Word problems', weight: 1, selection }] } },
      { keep: { SUITE_ID: 'id' } },
    ),
    step(
      'State the rules before you see results.',
      'createReleasePolicy',
      { body: { name: 'No worse', rules: [{ kind: 'non_inferiority', key: 'no-worse', margin: 0.1 }] } },
      { keep: { POLICY_ID: 'id' } },
    ),
    step(
      'Plan the decision.',
      'createReleaseDecision',
      {
        body: {
          name: 'Release 2.1',
          candidate: { label: '2.1', model: oracle(90) },
          baseline: { label: '2.0', model: oracle(75) },
          suite_version_id: 'SUITE_ID',
          policy_id: 'POLICY_ID',
          max_charge_microusd: '0',
        },
      },
      { keep: { DECISION_ID: 'id' } },
    ),
    step(
      'Advance it: each call does the next step. "assay gate DECISION_ID" repeats this and exits by the outcome.',
      'advanceReleaseDecision',
      {
        params: { decision_id: 'DECISION_ID' },
      },
    ),
    step('Read rules, n, bounds and what is missing.', 'getReleaseDecision', { params: { decision_id: 'DECISION_ID' } }),
  ],
}

export const tuning: Example = {
  title: 'Find a cheaper or better call',
  steps: [
    step(
      'Describe the call, its cases and how answers are graded.',
      'createTuneSession',
      {
        body: {
          name: 'Sums',
          call: { model: oracle(75), prompt_template: 'Answer with a number: {input}' },
          grader: { scorer: 'assay/exact_match' },
          cases: [
            { id: 'a', input: 'What is 6 times 7?', expected: '42' },
            { id: 'b', input: 'What is 8 times 9?', expected: '72' },
          ],
        },
      },
      { keep: { SESSION_ID: 'id' } },
    ),
    step(
      'Change the draft; name the revision that you read.',
      'patchTuneDraft',
      {
        params: { session_id: 'SESSION_ID' },
        body: { revision: 1, cases: { upsert: [{ id: 'c', input: 'What is 5 times 5?', expected: '25' }] } },
      },
      { keep: { REVISION: 'revision' } },
    ),
    step('Approve the draft.', 'approveTuneSession', { params: { session_id: 'SESSION_ID' }, body: { revision: 2 } }, { person: true }),
    step(
      'Quote candidates.',
      'createTuneQuote',
      { params: { session_id: 'SESSION_ID' }, body: { candidates: [{ label: 'Oracle 90', model: oracle(90) }], max_charge_microusd: '0' } },
      { keep: { QUOTE_ID: 'id' } },
    ),
    step('Start the race.', 'startTuneGroup', {
      params: { session_id: 'SESSION_ID' },
      body: { quote_id: 'QUOTE_ID' },
      headers: { 'idempotency-key': 'first-race' },
    }),
  ],
}
