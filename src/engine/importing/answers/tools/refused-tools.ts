import { isLightevalResults, isLmEvalResults } from '../figures-alone.ts'
import { markedBy, type Sniffed } from './file-marks.ts'
import { refusedBenchmarks } from './refused-benchmarks.ts'
import { type RefusedTool, table, tables } from './refused-tool.ts'

/** The most particular first. */
const refusedTools: readonly RefusedTool[] = [
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
    tool: 'Inspect',
    instead: 'Send the logs that the table was made from (.eval or .json), which hold the answers.',
    marks: [{ columns: 'eval_id log sample_id|task_name' }],
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
  {
    tool: 'OpenCompass',
    instead: 'Send a table of "id", "question", "output" and "score" for a benchmark, made from "origin_prompt" and "prediction".',
    marks: [
      { fields: 'origin_prompt prediction' },
      { fields: 'accuracy', head: /"details"\s*:\s*\{\s*"(?:0|type)"\s*:/ },
      { columns: 'dataset version metric mode' },
      { columns: 'dataset metric mode', name: /^summary/ },
      { head: /^tabulate format\n\^{5}/m },
      { head: /^[| ]{0,3}dataset[| ]{1,20}(?:version[| ]{1,20})?metric[| ]{1,20}mode\b/ },
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
    tool: 'deepeval',
    instead: 'A cache holds no answers. Send the test run (.latest_test_run.json).',
    marks: [{ fields: 'test_cases_lookup_map' }],
  },
]

/** The tool that writes a file, where it is one whose files are not opened. */
export function refusedTool(file: Sniffed): RefusedTool | undefined {
  const matches = markedBy(file)
  return [...refusedBenchmarks, ...refusedTools].find(({ marks }) => marks.some(matches))
}
