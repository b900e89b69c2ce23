import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { withRecordedScores } from '../../../../src/engine/importing/answers/recorded-metrics.ts'
import { isToolResults, readToolResults } from '../../../../src/engine/importing/answers/tools/read-tool-results.ts'
import { detectFormat } from '../../../../src/engine/importing/answers/detect-format.ts'

const file = (name: string, content: unknown, folder = '') => ({
  name,
  folder,
  bytes: Buffer.from(
    content instanceof ArrayBuffer ? new Uint8Array(content) : typeof content === 'string' ? content : JSON.stringify(content),
  ),
})
type Sent = ReturnType<typeof file>
const lines = (...rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).join('\n')
const summary = async (...files: Sent[]) => {
  const [log] = await readToolResults(files)
  if (!log) throw new Error('There is no log.')
  return {
    title: log.title,
    rows: log.answers.map(({ taskIndex, epoch, model, output, scores }) => [log.tasks[taskIndex]?.id, epoch, model, output, scores]),
    first: log.tasks[0],
    warnings: log.warnings,
    metrics: withRecordedScores(log).metrics.map(({ title, primary }) => [title, primary]),
    reasons: log.answers[0]?.reasons,
  }
}

const state = (more: object = {}) => ({
  instance: {
    id: 'id0',
    input: { text: '1+1?' },
    references: [
      { output: { text: '2' }, tags: ['correct'] },
      { output: { text: '3' }, tags: [] },
    ],
  },
  train_trial_index: 0,
  request: { model: 'openai/x', prompt: 'Q: 1+1?' },
  result: { success: true, completions: [{ text: '2' }] },
  ...more,
})
const helmStats = [
  {
    instance_id: 'id0',
    train_trial_index: 0,
    stats: [
      { name: { name: 'exact_match' }, mean: 1 },
      { name: { name: 'num_output_tokens' }, mean: 5 },
    ],
  },
  { instance_id: 'id0', train_trial_index: 1, stats: [{ name: { name: 'exact_match' }, mean: 0 }] },
]

describe('results of', () => {
  test('HELM have its figures for each trial, without those of calls', async () => {
    const states = { adapter_spec: {}, request_states: [state(), state({ train_trial_index: 1 }), state({ reference_index: 0 })] }
    const found = await summary(file('scenario_state.json', states, 'runs/gsm'), file('per_instance_stats.json', helmStats, 'runs/gsm'))
    expect(found).toMatchObject({
      title: 'gsm',
      first: { fields: { input: 'Q: 1+1?' }, targets: ['2'] },
      metrics: [['exact_match, as recorded', true]],
    })
    expect(found.rows).toEqual([
      ['id0', 1, 'openai/x', '2', { exact_match: 1 }],
      ['id0', 2, 'openai/x', '2', { exact_match: 0 }],
    ])
    expect(found.warnings).toEqual(['1 requests measure the likelihood of a choice and were left out.'])
    await expect(readToolResults([file('per_instance_stats.json', helmStats)])).rejects.toThrow('Send scenario_state.json beside')
  })

  test('lighteval have the answers of its details, the likeliest choice where there is none', async () => {
    const doc = (id: string) => ({ query: `Q ${id}`, id, choices: [' no', ' yes'], gold_index: [1] })
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: 'doc', data: [doc('0'), doc('1')], type: 'JSON' },
        { name: 'metric', data: [{ acc: 1 }, { acc: 0 }], type: 'JSON' },
        { name: 'model_response', data: [{ text: ['yes', 'no'] }, { text: [], logprobs: [-1, -2] }], type: 'JSON' },
      ],
    })
    const found = await summary(
      file('details_quiz|0_2025-11-05T14-43-47.148527.parquet', parquet, 'details/org/model/2025-11-05T14-43-47.148527'),
    )
    expect(found).toMatchObject({ title: 'quiz|0', first: { targets: ['yes'] } })
    expect(found.rows).toEqual([
      ['0', 1, 'org/model', 'yes', { acc: 1 }],
      ['0', 2, 'org/model', 'no', { acc: 1 }],
      ['1', 1, 'org/model', 'no', { acc: 0 }],
    ])
  })

  test('deepeval have a score of each metric with its reason', async () => {
    const run = {
      testCases: [
        {
          name: 'a',
          input: 'Q?',
          actualOutput: 'A',
          expectedOutput: 'B',
          success: false,
          metricsData: [{ name: 'Relevancy', score: 0.5, reason: 'Half.' }],
        },
      ],
    }
    const found = await summary(file('.latest_test_run.json', { testRunData: run }))
    expect(found.rows).toEqual([['case-0001', 1, 'unknown model', 'A', { success: 0, Relevancy: 0.5 }]])
    expect(found).toMatchObject({ first: { targets: ['B'] }, reasons: { Relevancy: 'Half.' } })
  })

  test('AlpacaEval have how far the answer was preferred', async () => {
    const one = {
      instruction: 'Write.',
      output_1: 'a',
      generator_1: 'gpt4',
      output_2: 'b',
      generator_2: 'mine',
      annotator: 'judge',
      preference: 1.25,
    }
    const found = await summary(file('annotations.json', [one, { ...one, instruction: 'Read.', preference: null }]))
    expect(found.rows.map(([, , ...rest]) => rest)).toEqual([
      ['mine', 'b', { 'preferred to the reference': 0.25 }],
      ['mine', 'b', {}],
    ])
  })

  test('EvalPlus have both verdicts of each program', async () => {
    const result = (base_status: string, plus_status: string) => ({ task_id: 'HumanEval/0', solution: 'x', base_status, plus_status })
    const found = await summary(
      file('gpt-4_eval_results.json', { date: '', eval: { 'HumanEval/0': [result('pass', 'fail'), result('pass', 'pass')] } }),
    )
    expect(found.rows.map(([id, epoch, model, , scores]) => [id, epoch, model, scores])).toEqual([
      ['HumanEval/0', 1, 'gpt-4', { plus: 0, base: 1 }],
      ['HumanEval/0', 2, 'gpt-4', { plus: 1, base: 1 }],
    ])
  })

  test('BigCodeBench have the verdict of each program', async () => {
    const result = { task_id: 'BigCodeBench/0', solution: 'x = 1', status: 'pass', details: {} }
    const found = await summary(file('m--bigcodebench_eval_results.json', { date: '2026', eval: { 'BigCodeBench/0': [result] } }))
    expect(found).toMatchObject({ title: 'BigCodeBench', metrics: [['pass, as recorded', true]], reasons: { pass: 'Tests: pass.' } })
  })

  test.each(['its end', 'its beginning'])('OpenAI evals have the events of each sample, with the report at %s', async place => {
    const event = (sample_id: string, type: string, data: object) => ({ run_id: 'r', event_id: 0, sample_id, type, data })
    const report = { final_report: { accuracy: 0.5 } }
    const log = lines(
      ...(place === 'its end' ? [] : [report]),
      { spec: { completion_fns: ['gpt-x'], eval_name: 'quiz.dev.v0', run_config: {} } },
      event('q.0', 'sampling', { prompt: [{ role: 'user', content: 'Capital?' }], sampled: ['Paris'] }),
      event('q.0', 'match', { correct: true, expected: 'Paris', picked: 'Paris' }),
      event('q.1', 'sampling', { prompt: 'Two?', sampled: '3' }),
      event('q.1', 'match', { correct: false, expected: ['2', 'two'] }),
      event('q.2', 'match', { correct: false }),
      ...(place === 'its end' ? [report] : []),
    )
    const found = await summary(file('run.jsonl', log))
    expect(found).toMatchObject({ title: 'quiz.dev.v0', first: { fields: { input: 'Capital?' }, targets: ['Paris'] } })
    expect(found.rows).toEqual([
      ['q.0', 1, 'gpt-x', 'Paris', { match: 1 }],
      ['q.1', 1, 'gpt-x', '3', { match: 0 }],
    ])
    expect(found.warnings).toEqual(['One sample has no answer in the log ("sampling") and was left out.'])
  })

  test.each([
    ['a list', (rows: object[]) => rows],
    ['lines', (rows: object[]) => lines(...rows)],
    ['an export with events', (rows: object[]) => ({ events: rows })],
  ])('Braintrust as %s have the root spans with their scores, and trials as epochs', async (_, form) => {
    const row = (id: string, more: object = {}) => ({
      id,
      _xact_id: '1',
      span_id: id,
      root_span_id: id,
      input: { q: '1+1' },
      output: '2',
      expected: '2',
      scores: { Exact: 1, Judge: null },
      metadata: { model: 'gpt' },
      ...more,
    })
    const rows = [
      row('a'),
      row('b', { output: '3', scores: { Exact: 0 } }),
      row('c', { root_span_id: 'a', input: 'inner' }),
      row('d', { input: 'Why?', expected: null, output: null, error: 'timeout', metadata: null, scores: null }),
    ]
    const found = await summary(file('experiment.json', form(rows)))
    expect(found.rows).toEqual([
      ['a', 1, 'gpt', '2', { Exact: 1 }],
      ['a', 2, 'gpt', '3', { Exact: 0 }],
      ['d', 1, 'unknown model', null, {}],
    ])
    expect(found.first).toMatchObject({ fields: { input: '{"q":"1+1"}' }, targets: ['2'] })
    expect(found.warnings).toEqual(['1 inner spans of the experiment were left out.'])
  })

  test('deepeval that hold conversations alone are refused, with what to send instead', async () => {
    const run = { testRunData: { testCases: [], conversationalTestCases: [{ name: 'c', metricsData: [], turns: [] }] } }
    await expect(readToolResults([file('.latest_test_run.json', run)])).rejects.toThrow(
      /^Send a test run with single-turn cases \(LLMTestCase\): ".*" holds conversations of deepeval alone/,
    )
  })

  test.each([
    ['lm-evaluation-harness', 'results_2026.json', { results: {}, lm_eval_version: '0.4.9' }, '--log_samples'],
    ['lm-evaluation-harness', 'results_2026.json', { results: { a: { alias: 'a' } }, configs: {} }, 'need results_*.json with a number'],
    [
      'lm-evaluation-harness',
      'results_2026.json',
      { results: { a: { acc: 1 } }, configs: {}, samples: { a: [{}] } },
      'Results that hold samples have the format "lm_eval_samples"',
    ],
    ['lighteval', 'results_2026.json', { config_general: { lighteval_sha: 'x' }, results: {}, versions: {} }, 'details_*.parquet'],
    ['SWE-bench', 'preds.jsonl', { instance_id: 'a', model_patch: 'x' }, 'report as CSV'],
    ['MT-Bench', 'gpt-4_single.jsonl', { question_id: 81, judgment: 'Good', score: 9 }, 'model_answer'],
    ['SWE-bench', 'report.json', { 'a__b-1': { patch_exists: true, patch_successfully_applied: true, resolved: true } }, 'report as CSV'],
    ['HumanEval or EvalPlus', 'samples.jsonl', { task_id: 'HumanEval/0', completion: ' return 1' }, 'name the profile'],
    ['HELM', 'stats.json', [{ name: { name: 'exact_match' }, count: 1, sum: 1 }], 'scenario_state.json'],
    ['HELM', 'run_spec.json', { name: 'mmlu', scenario_spec: {} }, 'scenario_state.json'],
    ['MT-Bench or Chatbot Arena', 'gpt-4_pair.jsonl', { question_id: 81, model_1: 'a', model_2: 'b', g1_winner: 'tie' }, 'rank'],
    ['MT-Bench or Chatbot Arena', 'battles.json', [{ model_a: 'a', model_b: 'b', winner: 'tie' }], 'rank'],
    ['Arena-Hard', 'm.jsonl', { uid: '1', judge: 'g', games: [{ score: 'A>B' }] }, 'model_answer'],
    ['AlpacaEval', 'leaderboard.csv', ',win_rate,standard_error,n_total\nm,50,1,805\n', 'annotations.json'],
    ['LiveBench', 'x.jsonl', { question_id: '1', model: 'm', score: 1, turn: 1, tstamp: 1 }, 'model_answer'],
    ['OpenCompass', 'gsm8k.json', { '0': { origin_prompt: 'q', prediction: '18', gold: '18' } }, '"prediction"'],
    ['Phoenix', 'x.json', [{ example_id: '1', repetition_number: 1, output: 'a' }], 'annotation'],
    ['Ragas', 'ragas.csv', 'user_input,retrieved_contexts,response,faithfulness\nq,c,a,1\n', '"response"'],
    ['Weights & Biases Weave', 'x.json', { op_name: 'weave:///e/Evaluation.predict_and_score:v1' }, 'a column for each score'],
    ['simple-evals', 'gpt.json', { chars: 1, 'score:std': 0.4, score: 0.5 }, 'send a table'],
    ['Langfuse', 'traces.csv', '"id","traceId","timestamp","output"\n', 'CSV'],
    ['simple-evals', 'x.json', { score: 1, metrics: {}, htmls: [], convos: [] }, 'send a table'],
    ['BigCode evaluation harness', 'generations.json', [['def f(): pass']], '"task_id" and "output"'],
    ['Langfuse', 'export.json', [{ id: 'a', sourceTraceId: 'b' }], 'CSV'],
    ['lm-evaluation-harness', 'pythia.json', { results: { lambada: { acc: 0.5, acc_stderr: 0.01 } }, versions: {} }, 'log_samples'],
    ['Langfuse', 'traces.jsonl', lines({ id: 't', htmlPath: '/p', observations: [] }), 'as OTLP'],
    ['Langfuse', 'export.json', [{ id: 't', timestamp: '2026-01-01', projectId: 'p', scores: [{ name: 'good', value: 1 }] }], 'as OTLP'],
    ['lm-evaluation-harness', 'results_2026.json', { results: { demo: { 'acc,none': 0.5 } }, configs: { demo: {} } }, '--log_samples'],
    ['Langfuse', 'traces.csv', 'id,timestamp,name,input,output,traceId\n', 'CSV'],
    ['Langfuse', 'items.csv', 'id,datasetId,input,expectedOutput,metadata,sourceTraceId\n', 'CSV'],
    ['Braintrust', 'export.csv', 'input,output,scores,id,span_id,root_span_id\n', 'as JSON'],
    [
      'MT-Bench, Arena-Hard or LiveBench',
      'gpt.jsonl',
      { question_id: 81, answer_id: 'x', choices: [{ index: 0, turns: ['a'] }], tstamp: 1 },
      'choose an evaluator',
    ],
    ['VLMEvalKit', 'GPT4o_MMBench.csv', 'index,question,A,B,answer,prediction\n', '"prediction"'],
    ['VLMEvalKit', 'GPT4o_MMBench_result.json', { 1: 'A' }, '"prediction"'],
    ['MT-Bench, Arena-Hard or LiveBench', 'm.jsonl', { uid: '1', ans_id: 'x', messages: [] }, 'choose an evaluator'],
    ['AlpacaEval', 'leaderboard.csv', 'name,length_controlled_winrate,win_rate,avg_length,link\nm,1,2,3,x\n', 'annotations.json'],
    ['SWE-bench', 'm.run.json', { total_instances: 2, resolved_instances: 1, completed_ids: ['a__b-1'] }, 'report as CSV'],
    ['SWE-bench', 'results.json', { no_generation: [], no_logs: [], resolved: ['a__b-1'] }, 'report as CSV'],
    [
      'Terminal-Bench',
      'results.json',
      { n_resolved: 1, resolved_ids: ['a'], unresolved_ids: [], results: [{ is_resolved: true, trial_name: 'a' }] },
      'trials as CSV',
    ],
    ['Harbor or Terminal-Bench', 'result.json', { trial_name: 'a__b', verifier_result: { rewards: { reward: 1 } } }, '"reward"'],
    ['Humanity’s Last Exam', 'judged.json', { a: { response: 'x', judge_response: { correct: 'yes' } } }, '"judge_response"'],
    ['RULER or LongBench', 'hotpotqa.jsonl', { pred: 'x', answers: ['x'], all_classes: null }, '"pred"'],
    ['RULER or LongBench', 'niah.jsonl', { index: 0, pred: 'x', outputs: ['x'], others: {} }, '"pred"'],
    ['MMMU', 'total_val_output.json', { validation_Art_1: 'B' }, 'as outputs for a benchmark'],
    ['BIG-bench', 'results.json', { scores: [{ score_dict: {}, preferred_score: 'x' }] }, 'task.json'],
    ['BFCL, LiveBench or RewardBench', 'data_overall.csv', 'Rank,Overall Acc,Model\n1,70%,m\n', 'answers of one model'],
    ['BFCL, LiveBench or RewardBench', 'all_groups.csv', 'model,average,coding\nm,1,2\n', 'answers of one model'],
    [
      'BFCL, LiveBench or RewardBench',
      'm.json',
      { model: 'm', Chat: 0.9, 'Chat Hard': 0.8, Safety: 0.9, Reasoning: 0.7 },
      'answers of one model',
    ],
    ['Vectara’s leaderboard', 'leaderboard_summaries.csv', 'source,summary,model\n', '"summary" as the output'],
    ['τ²-bench', 'tasks.json', [{ id: '0', user_scenario: {}, evaluation_criteria: {} }], '"reward"'],
    ['OpenCompass', 'summary_1.txt', '20260101\ntabulate format\n^^^^^^^^^\ndataset    version    metric    mode      m\n', '"prediction"'],
    ['OpenCompass', 'summary_1.md', '| dataset | version | metric | mode | m |\n', '"prediction"'],
    ['OpenCompass', 'summary_1.csv', 'dataset,metric,mode,m\n', '"prediction"'],
    ['Terminal-Bench', 'results.json', { results: [{ trial_name: 'a', is_resolved: true }] }, 'trials as CSV'],
    ['EvalPlus', 'eval_results.json', { eval: { 'HumanEval/0': { nfiles: 1, base: [] } } }, '_eval_results.json'],
    ['Inspect', 'evals.csv', 'eval_id,run_id,task_id,log,created,task_name\n', '.eval'],
    ['Inspect', 'samples.csv', '"sample_id","eval_id","log","id","epoch"\n', '.eval'],
    ['HELM', 'instances.json', [{ input: { text: 'q' }, references: [], id: 'id1' }], 'scenario_state.json'],
    ['HELM', 'display_requests.json', [{ instance_id: 'id1', request: {} }], 'scenario_state.json'],
    ['OpenCompass', 'summary.csv', 'dataset,version,metric,mode,m\n', '"prediction"'],
    ['simple-evals', 'health.json', { overall_score: 0.3, 'overall_score:n_samples': 5000 }, 'send a table'],
    ['simple-evals', 'simpleqa.json', { is_correct: 0.4, accuracy_given_attempted: 0.5 }, 'send a table'],
    ['Langfuse', 'observations.json', [{ id: 'o', traceId: 't', traceName: 'n', completionStartTime: null, input: 'q' }], 'as OTLP'],
    ['Langfuse', 'scores.jsonl', { id: 's', trace_id: 't', observation_id: null, name: 'good', value: 1, data_type: 'NUMERIC' }, 'as OTLP'],
    ['Langfuse', 'traces.jsonl', { id: 't', project_id: 'p', input: 'q', bookmarked: false }, 'as OTLP'],
    [
      'OpenCompass',
      'gsm8k.json',
      { accuracy: 80, details: { type: 'GEN', 0: { origin_prediction: 'x', predictions: '1' } } },
      '"prediction"',
    ],
    ['Ragas', 'r.csv', 'question,contexts,answer,ground_truth,faithfulness\nq,c,a,a,1\n', '"answer"'],
    ['Ragas', 't.csv', 'user_input,reference_contexts,reference,synthesizer_name\nq,c,a,s\n', 'test set as benchmark data'],
    ['TruLens', 'r.csv', 'app_name,app_version,record_id,input,output\nn,v,r,q,a\n', '"record_id"'],
    ['Phoenix', 'e.csv', 'example_id,repetition_number,input,output,annotation_a_score\n', 'annotation'],
    ['Phoenix', 's.csv', 'name,context.span_id,context.trace_id\n', 'as OTLP'],
    ['Giskard', 't.jsonl', { id: 'x', question: 'q', reference_answer: 'a', reference_context: 'c' }, 'benchmark data'],
    ['Giskard', 'r.json', [{ id: 'x', question: 'q', agent_answer: 'a', correctness: true }], '"agent_answer"'],
    ['Weights & Biases Weave', 'c.csv', 'id,trace_id,op_name,output\n', 'a column for each score'],
    ['Weights & Biases', 't.table.json', { columns: ['q'], data: [['x']], ncols: 1, nrows: 1 }, 'table as CSV'],
    ['MLflow', 't.csv', 'trace_id,state,request,response,assessments\n', 'a column for each score'],
    ['MLflow', 't.json', [{ info: { trace_id: 't', trace_location: {} }, data: { spans: [] } }], 'as OTLP'],
    ['LangSmith', 'e.csv', 'id,inputs,outputs,reference_outputs\n', '"outputs" as the output'],
    ['LangSmith', 'r.jsonl', { id: 'x', run_type: 'llm', session_id: 's', inputs: {} }, 'as OTLP'],
    ['LangSmith', 'd.jsonl', { dataset_id: 'd', inputs: {}, outputs: {}, modified_at: '' }, 'benchmark data'],
    ['OpenAI’s evaluations', 'o.json', { object: 'list', data: [{ object: 'eval.run.output_item' }] }, '"results"'],
    ['Anthropic’s console', 'a.csv', 'question,Ideal Output,Model Response\n', 'response of the model'],
    ['MTEB', 'STS12.json', { task_name: 'STS12', mteb_version: '1.2', scores: {} }, 'evidence of a release'],
    [
      'AgentBench',
      'runs.jsonl',
      { index: 0, output: { status: 'completed', history: [] }, time: { timestamp: 1, str: 'x' } },
      'evidence of a release',
    ],
    ['τ²-bench', 'r.json', { info: { num_trials: 1, user_info: {}, agent_info: {} }, simulations: [] }, '"reward"'],
    ['WebArena or BrowserGym', 'summary_info.json', { n_steps: 1, cum_reward: 1 }, '"score"'],
    ['METR', 'runs.jsonl', { task_family: 't', task_id: 't/1', score_binarized: 1 }, '"score_binarized"'],
    ['LiveBench', 'question.jsonl', { question_id: 'q', turns: ['q'], livebench_release_date: '2026' }, 'as benchmark data'],
    ['MT-Bench', 'question.jsonl', { question_id: 81, category: 'writing', turns: ['a', 'b'] }, 'recipe "mt-bench"'],
    ['MT-Bench or Chatbot Arena', 'b.csv', 'model_a,model_b,winner\na,b,tie\n', 'rank'],
    ['BigCode evaluation harness', 'references.json', ['\ndef check(f):\n    assert f()'], '"task_id"'],
    ['Langfuse', 'o.json', [{ id: 'o', traceId: 't', type: 'GENERATION', parentObservationId: null }], 'as OTLP'],
    ['IFEval', 'e.jsonl', { follow_instruction_list: [true], follow_all_instructions: true, response: 'a' }, 'recipe "ifeval"'],
    ['MMLU-Pro', 'm.json', [{ question_id: 1, answer_index: 0, pred: 'A', model_outputs: 'x' }], 'recipe "mmlu-pro"'],
    ['SWE-agent or OpenHands', 'output.jsonl', { instance_id: 'a', test_result: { git_patch: 'd' } }, 'evidence of a release'],
    ['EvalScope', 'r.jsonl', { index: 0, input: 'q', sample_score: {} }, '"sample_score"'],
    ['Opik', 'o.csv', 'dataset_item_id,input,output\n', '"dataset_item_id"'],
    ['Azure AI’s evaluations', 'e.json', { rows: [{ 'outputs.response': 'a' }], metrics: {} }, '"outputs.response"'],
    ['Amazon Bedrock or Vertex AI', 'e.jsonl', { inputRecord: {}, modelResponses: [] }, 'text of the answer'],
    ['Amazon Bedrock or Vertex AI', 'b.jsonl', { processed_time: 'x', request: {}, response: { candidates: [] } }, 'text of the answer'],
    ['garak', 'g.jsonl', { entry_type: 'attempt', uuid: 'u' }, 'attempts'],
    ['HarmBench', 'm.json', { b: [{ test_case: 'q', generation: 'a', label: 1 }] }, '"generation"'],
    ['MultiPL-E', 'r.json', { results: [{ program: 'x', stdout: '', exit_code: 0, status: 'OK' }] }, '"program"'],
    ['Aider', 'r.json', { testcase: 'a', tests_outcomes: [true] }, '"testcase"'],
    ['GAIA', 's.jsonl', { task_id: '0a1b2c3d-0000-4000-8000-000000000000', model_answer: '3' }, '"model_answer"'],
    ['MMMU', 'o.json', [{ id: 'v', all_choices: ['A'], index2ans: {}, response: 'A' }], '"response"'],
    ['WildBench or ZeroEval', 'm.json', [{ session_id: 'x', chat_history: ['q'], output: ['a'], generator: 'm' }], '"session_id"'],
    ['lmms-eval', 'r.json', { lmms_eval_version: '0.3' }, 'samples_*.jsonl'],
    ['deepeval', '.deepeval-cache.json', { test_cases_lookup_map: {} }, 'latest_test_run'],
  ])('%s are refused by its name, with what to send instead', async (tool, name, content, instead) => {
    const sent = file(name, content)
    expect(isToolResults([{ name, head: sent.bytes.toString() }])).toBe(true)
    await expect(readToolResults([sent])).rejects.toThrow(`is of ${tool}.`)
    await expect(readToolResults([sent])).rejects.toThrow(instead)
  })

  test.each([
    { id: 'a', trace_id: 't', observation_id: 'o', output: 'x', score: 1 },
    { index: 1, output: 'x', time: 3, history: [], status: 'ok' },
    { accuracy: 1, details: 'x', correct: true },
    { test_case: 'x', generation: 'y', label: 1 },
    { session_id: 's', chat_history: [], output: 'x' },
    { session_id: 's', model_output: 'x', score: 1 },
    { task_id: '7', model_answer: 'x' },
    { games: 3, judge: 'x' },
    { id: '1', output: 'x', feedback_scores: 1 },
    'input,output,expected,prompt_tokens\n',
    'id,input,output,expected,duration\n',
    'source,summary,model,score\n',
    'dataset,metric,mode,id,output\n',
    { id: '1', model: 'm', output: 'x', 'Chat Hard': 0.2 },
  ])('a table of one’s own is of no tool for its everyday columns: %o', row => {
    const head = typeof row === 'string' ? row : JSON.stringify(row)
    expect(isToolResults([{ name: 'rows', head }])).toBe(false)
  })

  test.each([
    { projectId: 'p', timestamp: '2026' },
    { instance_id: 'a', model_patch: 'x' },
    { accuracy_given_attempted: 1 },
    { evalId: 'x' },
    { op_name: 'x/Evaluation.y', model_a: 'a', model_b: 'b', winner: 'tie' },
  ])('a log of Inspect that holds words of another tool is none of it: %o', metadata => {
    const log = { version: 2, status: 'success', eval: { task: 't' }, results: { scores: [] }, samples: [{ metadata }] }
    const head = JSON.stringify(log)
    expect(detectFormat([{ name: 'log.json', head, end: '' }], false)).toBe('inspect_log')
  })

  test('an archive are told by the files that it lists', () => {
    const listing = (...names: string[]) => ({ name: 'out.zip', head: 'PK\u0003\u0004', end: names.join('\n') })
    for (const name of [
      'runs/a/scenario_state.json',
      'x_eval_results.json',
      'org__x/results_2026-05-31T10-00-00.json',
      'd/details_a|0_2026.parquet',
    ])
      expect(detectFormat([listing('readme.txt', name)], false)).toBe('tool_results')
    expect(detectFormat([listing('o/results_2026.json', 'o/samples_a_2026.jsonl')], false)).toBe('lm_eval_samples')
    expect(detectFormat([listing('notes.json')], false)).toBeNull()
  })

  test('HELM pass over the settings and figures of a run beside its answers', async () => {
    const beside = ['run_spec.json', 'scenario.json', 'stats.json'].map(name =>
      file(name, { name: 'gsm', scenario_spec: {}, count: 1 }, 'runs/gsm'),
    )
    const states = { request_states: [state()] }
    const found = await summary(
      ...beside,
      file('scenario_state.json', states, 'runs/gsm'),
      file('per_instance_stats.json', helmStats, 'runs/gsm'),
    )
    expect(found.rows).toEqual([['id0', 1, 'openai/x', '2', { exact_match: 1 }]])
    expect(found.warnings).toEqual([])
  })

  test('several tools are read each by its own, and what is beside them is named', async () => {
    const helmState = file('scenario_state.json', { request_states: [state()] }, 'runs/a')
    const evalplus = file('gpt_eval_results.json', { eval: { 'HumanEval/0': [{ solution: 'x', base_status: 'pass' }] } })
    const samples = file('gpt.jsonl', lines({ task_id: 'HumanEval/0', solution: 'x' }))
    const logs = await readToolResults([evalplus, samples, file('run.json', { a: 1 }), helmState])
    expect(logs.map(({ answers }) => answers.length)).toEqual([1, 1])
    expect(logs[0]?.warnings.slice(1)).toEqual([
      expect.stringMatching(/^Left out: "gpt.jsonl" is of HumanEval or EvalPlus\./),
      'Left out: "run.json" holds no results that are read here.',
    ])
    const broken = file('bad_eval_results.json', { eval: { a: [{ base_status: 'pass' }] } })
    const [kept] = await readToolResults([broken, evalplus])
    expect(kept?.warnings.at(-1)).toBe('Left out: "bad_eval_results.json", result 1, cannot be read: "result.solution" is required.')
    await expect(readToolResults([broken])).rejects.toThrow('cannot be read')
  })

  test('a tool keep the rows that can be read, and name the others', async () => {
    const left = async (...files: Sent[]) => (await summary(...files)).warnings.filter(text => text.startsWith('Left out:'))
    const rest = { input: 'Q', actualOutput: 'A', success: true }
    expect(await left(file('run.json', { testCases: [rest, { metricsData: [] }] }))).toEqual([
      'Left out: "run.json", case 2, cannot be read: "input" must be text, a number or true or false.',
    ])
    expect(await left(file('scenario_state.json', { request_states: [state(), {}] }))).toEqual([
      'Left out: "scenario_state.json", request 2, cannot be read: "instance" is required.',
    ])
    const preferred = { instruction: 'I', output_1: 'R', generator_1: 'r', output_2: 'O', generator_2: 'm', preference: null }
    const alpaca = await summary(file('annotations.json', [preferred, { instruction: 'only', generator_2: 'm' }]))
    expect(alpaca.rows.map(([, , , output, scores]) => [output, scores])).toEqual([['O', {}]])
    expect(alpaca.warnings[0]).toBe('Left out: "annotations.json", annotation 2, cannot be read: "output_1" is required.')
    const solved = { solution: 'x', base_status: 'pass' }
    for (const broken of [{}, { solution: 'x' }])
      expect(await left(file('a_eval_results.json', { eval: { 'HumanEval/0': [broken], 'HumanEval/1': [solved] } }))).toHaveLength(1)
  })

  test('OpenAI evals keep a conversation as one, and lose nothing to a line that was cut off', async () => {
    const event = (type: string, data: object) => ({ run_id: 'r', sample_id: 's.0', type, data })
    const prompt = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '1+1?' },
    ]
    const text = lines({ spec: { completion_fns: ['gpt'], eval_name: 'sums' } }, event('sampling', { prompt, sampled: ['2'] }))
    const { first, rows, warnings } = await summary(file('log.jsonl', `${text}\n{"run_id"`))
    expect(first).toMatchObject({ fields: { input: '1+1?' }, conversations: { input: prompt } })
    expect(rows).toHaveLength(1)
    expect(warnings[0]).toMatch(/^Left out: "log.jsonl, line 3": .*The JSON breaks off there\./)
  })

  test('OpenAI evals name parts of messages that only their provider can read', async () => {
    const prompt = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '1+1?' },
          { type: 'data', data: {} },
        ],
      },
    ]
    const { first, warnings } = await summary(
      file(
        'log.jsonl',
        lines(
          { spec: { completion_fns: ['gpt'], eval_name: 'sums' } },
          { run_id: 'r', sample_id: 's.0', type: 'sampling', data: { prompt, sampled: ['2'] } },
        ),
      ),
    )
    expect(first).toMatchObject({ fields: { input: '1+1?' } })
    expect(warnings).toEqual(['Messages of the samples: one part of the type "data", which only their provider can read, was left out.'])
  })

  test('OpenAI evals name the samples that are not asked as they were', async () => {
    const event = (sample_id: string, content: string, role: string) => ({
      run_id: 'r',
      sample_id,
      type: 'sampling',
      data: {
        prompt: [
          { role: 'user', content: 'Hello.' },
          { role, content },
        ],
        sampled: ['2'],
      },
    })
    const text = lines(
      { spec: { completion_fns: ['gpt'], eval_name: 'sums' } },
      event('s.0', '1+1?', 'user'),
      event('s.1', '1+1?', 'system'),
      event('s.2', '1+1=', 'assistant'),
    )
    const { warnings } = await summary(file('log.jsonl', text))
    expect(warnings).toEqual([
      '2 samples were asked with messages that cannot be asked as a conversation, such as ones that end with a system message. New runs ask them as text.',
    ])
    const one = lines({ spec: { completion_fns: ['gpt'], eval_name: 'sums' } }, event('s.1', '1+1?', 'system'))
    expect((await summary(file('log.jsonl', one))).warnings).toEqual([
      'One sample was asked with messages that cannot be asked as a conversation, such as ones that end with a system message. New runs ask it as text.',
    ])
  })

  test('anything else are refused with what can be sent', async () => {
    await expect(readToolResults([file('x.json', { a: 1 })])).rejects.toThrow('Send results of HELM, lighteval, deepeval')
  })
})

test('logs of other tools keep their own formats', () => {
  const formatOf = (name: string, head: string) => detectFormat([{ name, head, end: head }], false)
  expect(formatOf('log.json', '{"version":2,"eval":{"task":"x"}')).toBe('inspect_log')
  expect(formatOf('x.json', '{"evalId":"e","results":{}}')).toBe('promptfoo_results')
  expect(formatOf('x_eval_results.json', '{"eval":{"HumanEval/0":[{"base_status":"pass"')).toBe('tool_results')
  expect(formatOf('other.json', '{"a":1}')).toBeNull()
})
