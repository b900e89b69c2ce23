import type { AnswerFormat } from '../../../../contract/answers/answers.schemas.ts'
import { isLightevalResults, isLmEvalResults } from '../figures-alone.ts'
import { type Mark, markedBy, type Sniffed } from './file-marks.ts'

/** Files of a tool that hold no answers, or none that could be told apart. */
interface RefusedTool {
  readonly tool: string
  /** What to send instead. */
  readonly instead: string
  /** Formats that read it as a table of outputs, as `instead` advises. */
  readonly tables?: readonly AnswerFormat[]
  readonly marks: readonly Mark[]
}

const tables: readonly AnswerFormat[] = ['csv', 'json', 'jsonl']

/** @param output where the output is @param scores that are columns of the table, too */
const table = (id: string, output: string, scores = 'a column for each score'): string =>
  `Send a table of "id" (${id}), "output" (${output}) and ${scores}, and import it as outputs for a benchmark with its questions.`
const evidence = (what: string, columns: string): string => `${what}, which Assay does not run. Send ${columns} as evidence of a release.`
const answersOfChats =
  'Judgments hold no answers. Send model_answer/*.jsonl as a table for a benchmark, with the score of each as a column.'

/** The most particular first. */
const refused: readonly RefusedTool[] = [
  {
    tool: 'lighteval',
    instead:
      'Send its details (details_*.parquet), which hold the answers. Figures alone need results_*.json with a number, and no other files.',
    marks: [isLightevalResults],
  },
  {
    tool: 'lm-evaluation-harness',
    instead:
      'Run it with --log_samples and send the folder with samples_*.jsonl. Results that hold samples have the format "lm_eval_samples"; figures alone need results_*.json with a number, and no other files.',
    marks: [isLmEvalResults],
  },
  {
    tool: 'SWE-bench',
    instead: evidence('Patches are tested in repositories', 'the harness’s report as CSV with "instance_id" and "resolved"'),
    marks: [
      { fields: 'model_patch|patch_successfully_applied|resolved_instances' },
      { fields: 'resolved_ids unresolved_ids' },
      { fields: 'no_generation resolved' },
    ],
  },
  {
    tool: 'SWE-agent or OpenHands',
    instead: evidence('Patches are tested in repositories', 'the report of SWE-bench as CSV with "instance_id" and "resolved"'),
    marks: [{ fields: 'trajectory exit_status|submission' }, { fields: 'trajectory_format' }, { fields: 'instance_id git_patch' }],
  },
  {
    tool: 'Terminal-Bench',
    instead: evidence('Tasks are done in containers', 'its trials as CSV with "task_id" and "is_resolved"'),
    marks: [{ fields: 'is_resolved parser_results|trial_name' }],
  },
  {
    tool: 'τ²-bench',
    instead: evidence('Tasks are conversations with simulated users', 'its simulations as CSV with "task_id" and "reward"'),
    marks: [{ fields: 'user_info agent_info|environment_info num_trials|max_steps' }, { fields: 'simulations reward_info' }],
  },
  {
    tool: 'AgentBench',
    instead: evidence('Tasks are done in environments of its own', 'its runs.jsonl as CSV with "index" and the result of each'),
    marks: [{ fields: 'index output history status timestamp str' }, { fields: 'total validation', head: /"agent context limit"\s*:/ }],
  },
  {
    tool: 'WebArena or BrowserGym',
    instead: evidence('Tasks are done on websites', 'a CSV with "task_id" and "score"'),
    marks: [{ fields: 'cum_reward n_steps' }, { columns: 'cum_reward' }, { fields: 'sites intent eval_types|eval' }],
  },
  {
    tool: 'METR',
    instead: evidence('Tasks are done in containers', 'its runs as CSV with "task_id" and "score_binarized"'),
    marks: [{ fields: 'task_family score_binarized|score_cont|human_minutes' }, { columns: 'task_family score_binarized|human_minutes' }],
  },
  {
    tool: 'Aider',
    instead: evidence('Exercises are solved in folders of files', 'its results as CSV with "testcase" and whether it passed'),
    marks: [{ fields: 'testcase tests_outcomes' }],
  },
  {
    tool: 'MTEB',
    instead: 'Assay does not score embeddings by its tasks. Send its main scores as CSV with "task" and "score" as evidence of a release.',
    marks: [{ fields: 'mteb_version|mteb_dataset_name' }, { fields: 'main_score hf_subset' }],
  },
  {
    tool: 'EvalPlus',
    instead:
      'Results of its first releases hold no programs. Evaluate the samples again, and send the file whose name ends in _eval_results.json.',
    marks: [{ head: /"eval"\s*:\s*\{\s*"[^"]{1,100}"\s*:\s*\{\s*"nfiles"\s*:/ }],
  },
  {
    tool: 'Inspect',
    instead: 'Send the logs that the table was made from (.eval or .json), which hold the answers.',
    marks: [{ columns: 'eval_id log sample_id|task_name' }],
  },
  {
    tool: 'HumanEval or EvalPlus',
    instead: 'Samples hold programs without their problems: name the profile of HumanEval, MBPP, HumanEval+ or MBPP+ that they answer.',
    marks: [{ head: /^\s*\{\s*"task_id"\s*:\s*"(?:HumanEval|Mbpp)\/\d+"[^\n]*"(?:completion|solution)"\s*:/ }],
  },
  {
    tool: 'HELM',
    instead: 'Send scenario_state.json with per_instance_stats.json: this file holds settings or figures, and no answers.',
    marks: [
      { name: /^run_spec\.json$/, fields: 'scenario_spec' },
      { name: /^display_requests\.json$/, fields: 'instance_id' },
      { name: /^instances\.json$/, fields: 'references' },
      { name: /^stats\.json$/, fields: 'sum_squared|count' },
    ],
  },
  { tool: 'MT-Bench', instead: answersOfChats, marks: [{ fields: 'judgment question_id' }] },
  {
    tool: 'MT-Bench, Arena-Hard or LiveBench',
    instead: 'Answers come without scores: import them as outputs for a benchmark with its questions, and choose an evaluator.',
    marks: [{ fields: 'answer_id choices turns' }, { fields: 'ans_id messages' }],
  },
  {
    tool: 'MT-Bench or Chatbot Arena',
    instead: 'Pairwise judgments hold no answers. Rank the models from them under "Ranking" (POST /v1/comparisons/rank).',
    marks: [{ fields: 'g1_winner model_1' }, { fields: 'model_a model_b winner' }, { columns: 'model_a model_b winner' }],
  },
  { tool: 'Arena-Hard', instead: answersOfChats, marks: [{ fields: 'judge', head: /"games"\s*:\s*\[/ }] },
  {
    tool: 'AlpacaEval',
    instead: 'A leaderboard holds no answers. Send annotations.json, which has the outputs and preferences.',
    marks: [{ columns: 'win_rate n_total|avg_length' }],
  },
  { tool: 'LiveBench', instead: answersOfChats, marks: [{ fields: 'question_id tstamp score' }] },
  {
    tool: 'LiveBench',
    instead: 'Import the questions as benchmark data (JSON Lines), with "turns" as the question: they hold no answers of a model.',
    marks: [{ fields: 'question_id livebench_release_date' }],
  },
  {
    tool: 'MT-Bench',
    instead: 'Import the questions as benchmark data with the recipe "mt-bench": they hold no answers of a model.',
    marks: [{ head: /^\s*\{\s*"question_id"\s*:\s*\d+\s*,\s*"category"\s*:\s*"\w+"\s*,\s*"turns"\s*:\s*\[/ }],
  },
  {
    tool: 'WildBench or ZeroEval',
    instead: table('its "session_id"', 'its "output" or "model_output"', '"score", where it is judged'),
    marks: [{ fields: 'session_id chat_history generator' }, { fields: 'session_id model_output parsed_result' }],
  },
  {
    tool: 'OpenCompass',
    instead: 'Send a table of "id", "question", "output" and "score" for a benchmark, made from "origin_prompt" and "prediction".',
    marks: [
      { fields: 'origin_prompt prediction' },
      { fields: 'accuracy', head: /"details"\s*:\s*\{\s*"(?:0|type)"\s*:/ },
      { columns: 'dataset version metric mode' },
    ],
  },
  {
    tool: 'EvalScope',
    instead: table('its "index"', 'its "prediction"', 'the values of "sample_score" as columns'),
    marks: [{ fields: 'sample_score' }, { fields: 'dataset_pretty_name' }],
  },
  {
    tool: 'Phoenix',
    instead: 'Send a table of "id", "output" and a column for each annotation, and import it as outputs for a benchmark.',
    tables: ['csv'],
    marks: [{ fields: 'example_id repetition_number' }, { columns: 'example_id repetition_number' }],
  },
  {
    tool: 'Phoenix',
    instead: 'Spans are sent as OTLP (POST /v1/traces). For scores, export the experiment.',
    marks: [{ columns: 'context.span_id|context.trace_id' }, { fields: 'context.span_id|openinference.span.kind' }],
  },
  {
    tool: 'Ragas',
    instead:
      'Name the benchmark that its rows answer, and import the table as outputs with "response" as the output and its metrics as scores.',
    tables,
    marks: [{ columns: 'user_input response|retrieved_contexts' }, { fields: 'user_input response|retrieved_contexts' }],
  },
  {
    tool: 'Ragas',
    instead:
      'Name the benchmark that its rows answer, and import the table as outputs with "answer" as the output and its metrics as scores.',
    tables,
    marks: [
      { columns: 'question answer faithfulness|answer_relevancy|answer_correctness|context_precision|context_recall' },
      { fields: 'question answer faithfulness|answer_relevancy|answer_correctness|context_precision|context_recall' },
    ],
  },
  {
    tool: 'Ragas',
    instead:
      'Import the test set as benchmark data, with "user_input" as the question and "reference" as the answer: it holds no answers of a model.',
    marks: [{ columns: 'user_input reference synthesizer_name|reference_contexts' }, { fields: 'user_input reference synthesizer_name' }],
  },
  {
    tool: 'TruLens',
    instead: table('its "record_id"', 'its "output"', 'its feedback columns'),
    tables,
    marks: [{ columns: 'record_id app_id|app_name' }, { fields: 'record_id app_id|app_name' }],
  },
  {
    tool: 'Giskard',
    instead: table('its "id"', 'its "agent_answer"', '"correctness"'),
    tables,
    marks: [{ fields: 'agent_answer|assistant_answer correctness' }, { columns: 'question agent_answer|assistant_answer correctness' }],
  },
  {
    tool: 'Giskard',
    instead:
      'Import the test set as benchmark data, with "question" and "reference_answer" as its columns: it holds no answers of a model. A report of a scan holds none, either.',
    marks: [
      { fields: 'question reference_answer reference_context' },
      { columns: 'question reference_answer reference_context' },
      { head: /^\s*<!doctype html[^]{0,2000}giskard/i },
    ],
  },
  {
    tool: 'Weights & Biases Weave',
    instead:
      'Export the evaluation as CSV or JSON Lines with "id", "output" and a column for each score, and import it as outputs for a benchmark.',
    tables: ['csv', 'jsonl'],
    marks: [{ head: /"op_name"\s*:\s*"[^"]*Evaluation\./ }, { fields: 'op_name trace_id project_id' }, { columns: 'op_name trace_id' }],
  },
  {
    tool: 'Weights & Biases',
    instead:
      'Export the table as CSV with "id", "output" and a column for each score, and import it as outputs for a benchmark with its questions.',
    marks: [{ fields: 'columns data ncols nrows' }],
  },
  {
    tool: 'simple-evals',
    instead: 'Its files hold figures and a page, and no answers. Run it with another recorder, or send a table of task, output and score.',
    marks: [
      { fields: 'htmls|convos metrics' },
      { head: /"(?:[\w:. -]{1,100}:(?:std|bootstrap_std|n_samples)|accuracy_given_attempted)"\s*:/ },
    ],
  },
  {
    tool: 'BigCode evaluation harness',
    instead: 'Its generations are lists without ids. Send a table of "task_id" and "output" for the benchmark that they answer.',
    marks: [
      { head: /^\s*\[\s*\[\s*"/ },
      { head: /^\s*\[\s*"(?:\\n|\s)*(?:def|class|from|import|assert)\s/ },
      { fields: 'pass@1 n_samples' },
    ],
  },
  {
    tool: 'MultiPL-E',
    instead: table('the "name" of its problem', 'its "program"', 'whether the "status" is "OK"'),
    marks: [{ fields: 'program stdout exit_code status' }],
  },
  {
    tool: 'VLMEvalKit',
    instead:
      'Import the sheet with the predictions (.xlsx, .csv or .tsv) as outputs for the benchmark of its recipe, with "prediction" as the output and "hit", where it has that, as a score.',
    tables: ['csv'],
    marks: [
      { name: /_(?:openai_result|score|acc|exact_matching_result)\.(?:xlsx|csv)$/ },
      { name: /_result\.json$/, head: /^\s*\{\s*"\d+"\s*:\s*["{]/ },
      { columns: 'index question prediction' },
    ],
  },
  {
    tool: 'lmms-eval',
    instead: 'Send its samples (samples_*.jsonl), which hold the answers.',
    marks: [{ fields: 'model_configs logs' }, { fields: 'lmms_eval_version|lmms_eval_rev' }],
  },
  {
    tool: 'Langfuse',
    instead:
      'Export the dataset run as CSV or JSON Lines with "id", "output" and a column for each score, and import it as outputs for a benchmark.',
    marks: [
      { fields: 'sourceTraceId|datasetRunId|datasetItemId|sourceObservationId' },
      { columns: 'traceId timestamp' },
      { columns: 'sourceTraceId|datasetItemId' },
    ],
  },
  {
    tool: 'MLflow',
    instead:
      'Send its table as CSV or JSON Lines with "id", "output" and a column for each score, and import it as outputs for a benchmark.',
    marks: [{ name: /^eval_results?_table/, head: /^\s*\{\s*"columns"\s*:\s*\[/ }, { columns: 'trace_id|request_id assessments' }],
  },
  {
    tool: 'MLflow',
    instead: 'Traces are sent as OTLP (POST /v1/traces). For scores, send the table of the evaluation.',
    marks: [{ fields: 'trace_id|request_id trace_location|trace_metadata|request_preview|timestamp_ms assessments|spans|data' }],
  },
  {
    tool: 'LangSmith',
    instead: 'Import it as outputs for a benchmark with its questions, with "outputs" as the output and each feedback as a score.',
    tables: ['csv'],
    marks: [{ columns: 'inputs outputs reference_outputs|feedback' }],
  },
  {
    tool: 'LangSmith',
    instead: 'Runs are sent as OTLP (POST /v1/traces). For scores, export the experiment as CSV, and import it as outputs for a benchmark.',
    marks: [{ fields: 'run_type dotted_order|session_id|parent_run_id' }, { columns: 'run_type dotted_order|session_id|trace_id' }],
  },
  {
    tool: 'LangSmith',
    instead:
      'Import the examples as benchmark data with columns for the question and the answer, made from "inputs" and "outputs": they hold no answers of a model.',
    marks: [{ fields: 'dataset_id inputs outputs source_run_id|modified_at|attachment_urls' }],
  },
  {
    tool: 'Langfuse',
    instead: 'Traces are sent as OTLP (POST /v1/traces). For scores, export the dataset run with its outputs as a table.',
    marks: [
      { fields: 'htmlPath observations' },
      {
        fields: 'traceId|trace_id parentObservationId|parent_observation_id|observation_id|traceName',
        head: /"(?:project_?id|bookmarked|calculatedTotalCost|completionStartTime|data_?type)"\s*:/i,
      },
      { fields: 'traceId parentObservationId type' },
      { fields: 'bookmarked project_id' },
      { fields: 'bookmarked|observations|scores projectId timestamp' },
    ],
  },
  {
    tool: 'Braintrust',
    instead: 'Export the experiment as JSON, which keeps inputs, outputs and scores apart.',
    marks: [{ columns: 'root_span_id' }, { columns: 'input output expected llm_duration' }],
  },
  {
    tool: 'Opik',
    instead: table('its "dataset_item_id"', 'the answer in its "output"', 'its feedback scores'),
    marks: [{ fields: 'feedback_scores dataset_item_id|trace_id|project_id' }, { columns: 'dataset_item_id' }],
  },
  {
    tool: 'OpenAI’s evaluations',
    instead: table('its "datasource_item_id"', 'the text of "sample.output"', 'the score of each of its "results"'),
    marks: [{ head: /"object"\s*:\s*"eval(?:\.run(?:\.output_item)?)?"/ }, { fields: 'datasource_item sample' }],
  },
  {
    tool: 'Anthropic’s console',
    instead: table('the number of its row', 'the response of the model', 'its grade'),
    tables: ['csv'],
    marks: [{ head: /^(?=[^\n]*\bideal[ _]outputs?\b)[^\n]*\b(?:model[ _](?:response|output)|response|grade)\b/i }],
  },
  {
    tool: 'Azure AI’s evaluations',
    instead: table('the number of its row', 'its "outputs.response"', 'its other columns of "outputs."'),
    marks: [{ head: /"outputs\.[\w.]{1,100}"\s*:/ }, { fields: 'rows metrics studio_url' }],
  },
  {
    tool: 'Amazon Bedrock or Vertex AI',
    instead: table('its "recordId", or the number of its row', 'the text of the answer', 'the scores, where it has them'),
    marks: [{ fields: 'inputRecord modelResponses' }, { fields: 'modelInput modelOutput' }, { fields: 'processed_time candidates' }],
  },
  {
    tool: 'IFEval',
    instead:
      'Import it as outputs for the benchmark of the recipe "ifeval", with "response" as the output: the instructions are checked again.',
    tables: ['jsonl'],
    marks: [{ fields: 'follow_instruction_list follow_all_instructions' }],
  },
  {
    tool: 'MMLU-Pro',
    instead:
      'Import it as outputs for the benchmark of the recipe "mmlu-pro", with "question_id" as the task and "model_outputs" as the output.',
    tables: ['json', 'jsonl'],
    marks: [{ fields: 'question_id answer_index model_outputs|pred' }],
  },
  {
    tool: 'MMMU',
    instead: table('its "id"', 'its "response"'),
    tables: ['json', 'jsonl'],
    marks: [{ fields: 'all_choices index2ans response' }],
  },
  {
    tool: 'GAIA',
    instead: table('its "task_id"', 'its "model_answer"'),
    tables,
    marks: [{ fields: 'model_answer', head: /"task_id"\s*:\s*"[\da-f]{8}-[\da-f]{4}-/ }],
  },
  {
    tool: 'garak',
    instead: 'Send its attempts as a table of "id", "output" and "score" (of "detector_results") for a benchmark with its prompts.',
    marks: [{ head: /"entry_type"\s*:\s*"(?:start_run|init|attempt|eval|config|digest)/ }],
  },
  {
    tool: 'HarmBench',
    instead: table('the behavior', 'its "generation"', '"label" as a score'),
    marks: [{ fields: 'label', head: /^\s*\{\s*"[^"]{1,200}"\s*:\s*\[\s*\{\s*"test_case"\s*:[^]{0,20000}"generation"\s*:/ }],
  },
  {
    tool: 'deepeval',
    instead: 'A cache holds no answers. Send the test run (.latest_test_run.json).',
    marks: [{ fields: 'test_cases_lookup_map' }],
  },
]

/** The tool that writes a file, where it is one whose files are not opened. */
export function refusedTool(file: Sniffed): RefusedTool | undefined {
  const matches = markedBy(file)
  return refused.find(({ marks }) => marks.some(matches))
}
