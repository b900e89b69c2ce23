import type { AnswerFormat } from '../../../../contract/answers/answers.schemas.ts'
import { unpackedName } from '../../../../lib/file-name.ts'
import type { ForeignLog } from '../foreign-log.ts'
import { isLightevalResults, isLmEvalResults } from '../figures-alone.ts'
import { LogError } from '../foreign-log.ts'
import type { LogFile } from '../log-files.ts'
import { alpacaEval } from './alpaca-eval.ts'
import { braintrust } from './braintrust.ts'
import { deepeval } from './deepeval.ts'
import { evalplusResults } from './evalplus-results.ts'
import { helm } from './helm.ts'
import { lighteval } from './lighteval.ts'
import { openAiEvalsLog } from './openai-evals-log.ts'

/** Results of a tool that are opened with the scores that it recorded. */
export interface ToolReader {
  readonly tool: string
  /** Whether the first bytes of a file are of it. */
  matches(file: Sniffed): boolean
  /** Other files that say more about its own. */
  uses?(file: Sniffed): boolean
  /** Its files belong together; absent: each is read by itself. */
  readonly isWhole?: true
  /** @throws LogError */
  read(files: readonly LogFile[]): ForeignLog[] | Promise<ForeignLog[]>
}

export interface Sniffed {
  /** Without its folder, in lower case, without how it is packed. */
  readonly name: string
  readonly head: string
}

const readers: readonly ToolReader[] = [helm, lighteval, deepeval, alpacaEval, evalplusResults, openAiEvalsLog, braintrust]

/** Results that hold no answers, or none that could be told apart, and what to send instead. */
const refused: readonly {
  readonly tool: string
  readonly instead: string
  /** Formats that read it as a table of outputs, as `instead` advises. */
  readonly tables?: readonly AnswerFormat[]
  matches(file: Sniffed): boolean
}[] = [
  {
    tool: 'lighteval',
    instead:
      'Send its details (details_*.parquet), which hold the answers. Figures alone need results_*.json with a number, and no other files.',
    matches: isLightevalResults,
  },
  {
    tool: 'lm-evaluation-harness',
    instead:
      'Run it with --log_samples and send the folder with samples_*.jsonl. Results that hold samples have the format "lm_eval_samples"; figures alone need results_*.json with a number, and no other files.',
    matches: isLmEvalResults,
  },
  {
    tool: 'SWE-bench',
    instead:
      'Patches are tested in repositories, which Assay does not run. Send the harness’s report as CSV with "instance_id" and "resolved" as evidence of a release.',
    matches: ({ head }) =>
      /"(?:model_patch|patch_successfully_applied|resolved_instances)"\s*:/.test(head) ||
      (/"resolved_ids"\s*:/.test(head) && /"unresolved_ids"\s*:/.test(head)) ||
      (/"no_generation"\s*:/.test(head) && /"resolved"\s*:/.test(head)),
  },
  {
    tool: 'Terminal-Bench',
    instead:
      'Tasks are done in containers, which Assay does not run. Send its trials as CSV with "task_id" and "is_resolved" as evidence of a release.',
    matches: ({ head }) => /"is_resolved"\s*:/.test(head) && /"(?:parser_results|trial_name)"\s*:/.test(head),
  },
  {
    tool: 'EvalPlus',
    instead:
      'Results of its first releases hold no programs. Evaluate the samples again, and send the file whose name ends in _eval_results.json.',
    matches: ({ head }) => /"eval"\s*:\s*\{\s*"[^"]{1,100}"\s*:\s*\{\s*"nfiles"\s*:/.test(head),
  },
  {
    tool: 'Inspect',
    instead: 'Send the logs that the table was made from (.eval or .json), which hold the answers.',
    matches: ({ head }) => /^(?=[^\n]*\beval_id\b)(?=[^\n]*\blog\b)[^\n]*\b(?:sample_id|task_name)\b/.test(head),
  },
  {
    tool: 'HumanEval or EvalPlus',
    instead: 'Samples hold programs without their problems: name the profile of HumanEval, MBPP, HumanEval+ or MBPP+ that they answer.',
    matches: ({ head }) => /^\s*\{\s*"task_id"\s*:\s*"(?:HumanEval|Mbpp)\/\d+"[^\n]*"(?:completion|solution)"\s*:/.test(head),
  },
  {
    tool: 'HELM',
    instead: 'Send scenario_state.json with per_instance_stats.json: this file holds settings or figures, and no answers.',
    matches: ({ name, head }) =>
      (/^run_spec\.json$/.test(name) && /"scenario_spec"\s*:/.test(head)) ||
      (/^display_requests\.json$/.test(name) && /"instance_id"\s*:/.test(head)) ||
      (/^instances\.json$/.test(name) && /"references"\s*:/.test(head)) ||
      (/^stats\.json$/.test(name) && /"sum_squared"|"count"\s*:/.test(head)),
  },
  {
    tool: 'MT-Bench',
    instead:
      'Judgments hold no answers. Send the answers (model_answer/*.jsonl) as a table for a benchmark, with the score of each as a column.',
    matches: ({ head }) => /"judgment"\s*:/.test(head) && /"question_id"\s*:/.test(head),
  },
  {
    tool: 'MT-Bench, Arena-Hard or LiveBench',
    instead: 'Answers come without scores: import them as outputs for a benchmark with its questions, and choose an evaluator.',
    matches: ({ head }) =>
      (/"answer_id"\s*:/.test(head) && /"choices"\s*:/.test(head) && /"turns"\s*:/.test(head)) ||
      (/"ans_id"\s*:/.test(head) && /"messages"\s*:/.test(head)),
  },
  {
    tool: 'MT-Bench or Chatbot Arena',
    instead: 'Pairwise judgments hold no answers. Rank the models from them under "Ranking" (POST /v1/comparisons/rank).',
    matches: ({ head }) =>
      (/"g1_winner"\s*:/.test(head) && /"model_1"\s*:/.test(head)) ||
      (/"model_a"\s*:/.test(head) && /"model_b"\s*:/.test(head) && /"winner"\s*:/.test(head)),
  },
  {
    tool: 'Arena-Hard',
    instead: 'Judgments hold no answers. Send model_answer/*.jsonl as a table for a benchmark, with the score of each as a column.',
    matches: ({ head }) => /"games"\s*:\s*\[/.test(head) && /"judge"\s*:/.test(head),
  },
  {
    tool: 'AlpacaEval',
    instead: 'A leaderboard holds no answers. Send annotations.json, which has the outputs and preferences.',
    matches: ({ head }) => /^[^\n]*\bwin_rate\b[^\n]*\b(?:n_total|avg_length)\b/.test(head),
  },
  {
    tool: 'LiveBench',
    instead: 'Judgments hold no answers. Send model_answer/*.jsonl as a table for a benchmark, with the score of each as a column.',
    matches: ({ head }) => /"question_id"\s*:/.test(head) && /"tstamp"\s*:/.test(head) && /"score"\s*:/.test(head),
  },
  {
    tool: 'OpenCompass',
    instead: 'Send a table of "id", "question", "output" and "score" for a benchmark, made from "origin_prompt" and "prediction".',
    matches: ({ head }) =>
      (/"origin_prompt"\s*:/.test(head) && /"prediction"\s*:/.test(head)) || head.startsWith('dataset,version,metric,mode,'),
  },
  {
    tool: 'Phoenix',
    instead: 'Send a table of "id", "output" and a column for each annotation, and import it as outputs for a benchmark.',
    matches: ({ head }) => /"example_id"\s*:/.test(head) && /"repetition_number"\s*:/.test(head),
  },
  {
    tool: 'Ragas',
    instead:
      'Name the benchmark that its rows answer, and import the table as outputs with "response" as the output and its metrics as scores.',
    tables: ['csv', 'json', 'jsonl'],
    matches: ({ head }) =>
      /^[^\n]*\buser_input\b[^\n]*\b(?:response|retrieved_contexts)\b/.test(head) ||
      /"user_input"\s*:[^\n]*"retrieved_contexts"\s*:/.test(head),
  },
  {
    tool: 'Weights & Biases Weave',
    instead:
      'Export the evaluation as CSV or JSON Lines with "id", "output" and a column for each score, and import it as outputs for a benchmark.',
    matches: ({ head }) => /"op_name"\s*:\s*"[^"]*Evaluation\./.test(head),
  },
  {
    tool: 'simple-evals',
    instead: 'Its files hold figures and a page, and no answers. Run it with another recorder, or send a table of task, output and score.',
    matches: ({ head }) =>
      (/"(?:htmls|convos)"\s*:/.test(head) && /"metrics"\s*:/.test(head)) ||
      /"(?:[\w:. -]{1,100}:(?:std|bootstrap_std|n_samples)|accuracy_given_attempted)"\s*:/.test(head),
  },
  {
    tool: 'BigCode evaluation harness',
    instead: 'Its generations are lists without ids. Send a table of "task_id" and "output" for the benchmark that they answer.',
    matches: ({ head }) => /^\s*\[\s*\[\s*"/.test(head) || (/"pass@1"\s*:/.test(head) && /"n_samples"\s*:/.test(head)),
  },
  {
    tool: 'VLMEvalKit',
    instead:
      'Import the sheet with the predictions (.xlsx, .csv or .tsv) as outputs for the benchmark of its recipe, with "prediction" as the output and "hit", where it has that, as a score.',
    tables: ['csv'],
    matches: ({ name, head }) =>
      /_(?:openai_result|score|acc|exact_matching_result)\.(?:xlsx|csv)$/.test(name) ||
      (name.endsWith('_result.json') && /^\s*\{\s*"\d+"\s*:\s*["{]/.test(head)) ||
      /^(?=[^\n]*\bindex\b)(?=[^\n]*\bquestion\b)[^\n]*\bprediction\b/.test(head),
  },
  {
    tool: 'Langfuse',
    instead:
      'Export the dataset run as CSV or JSON Lines with "id", "output" and a column for each score, and import it as outputs for a benchmark.',
    matches: ({ head }) =>
      /"(?:sourceTraceId|datasetRunId|datasetItemId|sourceObservationId)"\s*:/.test(head) ||
      /^(?=[^\n]*\btraceId\b)[^\n]*\btimestamp\b/.test(head) ||
      /^[^\n]*\b(?:sourceTraceId|datasetItemId)\b/.test(head),
  },
  {
    tool: 'MLflow',
    instead:
      'Send its table as CSV or JSON Lines with "id", "output" and a column for each score, and import it as outputs for a benchmark.',
    matches: ({ name, head }) => /^eval_results?_table/.test(name) && /^\s*\{\s*"columns"\s*:\s*\[/.test(head),
  },
  {
    tool: 'Langfuse',
    instead: 'Traces are sent as OTLP (POST /v1/traces). For scores, export the dataset run with its outputs as a table.',
    matches: ({ head }) =>
      (/"htmlPath"\s*:/.test(head) && /"observations"\s*:/.test(head)) ||
      (/"(?:traceId|trace_id)"\s*:/.test(head) &&
        /"(?:parentObservationId|parent_observation_id|observation_id|traceName)"\s*:/.test(head) &&
        /"(?:project_?id|bookmarked|calculatedTotalCost|completionStartTime|data_?type)"\s*:/i.test(head)) ||
      (/"bookmarked"\s*:/.test(head) && /"project_id"\s*:/.test(head)) ||
      (/"(?:bookmarked|observations|scores)"\s*:/.test(head) && /"projectId"\s*:/.test(head) && /"timestamp"\s*:/.test(head)),
  },
  {
    tool: 'Braintrust',
    instead: 'Export the experiment as JSON, which keeps inputs, outputs and scores apart.',
    matches: ({ head }) => /^[^\n]*\broot_span_id\b/.test(head),
  },
]

/** Whether files are results of another tool, by their first bytes. */
export function isToolResults(files: readonly Sniffed[]): boolean {
  return files.some(file => [...readers, ...refused].some(one => one.matches(file)))
}

const headCharacters = 65_536

/** Results of other tools, which content tells. @throws LogError naming the tool whose results cannot be opened, and what to send instead */
export async function readToolResults(files: readonly LogFile[]): Promise<readonly ForeignLog[]> {
  const sniffed = files.map(file => ({
    file,
    name: unpackedName(file.name.toLowerCase()),
    head: file.bytes.toString('utf8', 0, headCharacters),
  }))
  const owned = sniffed.flatMap(one => {
    const reader = readers.find(each => each.matches(one))
    return reader ? [{ one, reader }] : []
  })
  if (owned.length === 0) throw nothingOf(sniffed)
  const logs: ForeignLog[] = []
  const faults: LogError[] = []
  const used = new Set(owned.map(({ one }) => one))
  for (const [reader, own] of Map.groupBy(owned, each => each.reader)) {
    const beside = sniffed.filter(one => !used.has(one) && reader.uses?.(one))
    for (const one of beside) used.add(one)
    for (const part of reader.isWhole ? [own] : own.map(each => [each])) {
      try {
        logs.push(...(await reader.read([...part.map(({ one }) => one), ...beside].map(({ file }) => file))))
      } catch (error) {
        if (!(error instanceof LogError)) throw error
        faults.push(error)
      }
    }
  }
  const [first, ...others] = logs
  if (!first) throw faults[0] ?? nothingOf(sniffed)
  const left = [...faults.map(({ message }) => message), ...sniffed.filter(one => !used.has(one)).map(describeUnread)]
  return [{ ...first, warnings: [...first.warnings, ...left.map(message => `Left out: ${message}`)] }, ...others]
}

type SniffedFile = Sniffed & { readonly file: LogFile }

/** The tool that writes a file, and what to send instead where it is not opened. */
export function toolOf(file: Sniffed): {
  readonly tool: string
  readonly instead: string | null
  readonly tables?: readonly AnswerFormat[]
} {
  const reader = readers.find(one => one.matches(file))
  return reader ? { tool: reader.tool, instead: null } : (refused.find(one => one.matches(file)) ?? { tool: 'another tool', instead: null })
}

function describeUnread({ file, ...sniffed }: SniffedFile): string {
  const known = refused.find(one => one.matches(sniffed))
  return known ? `"${file.name}" is of ${known.tool}. ${known.instead}` : `"${file.name}" holds no results that are read here.`
}

function nothingOf(sniffed: readonly SniffedFile[]): LogError {
  const known = sniffed.find(one => refused.some(each => each.matches(one)))
  if (known) return new LogError(describeUnread(known))
  return new LogError(
    `Send results of ${readers.map(({ tool }) => tool).join(', ')}, or a table of outputs for a benchmark; "${sniffed[0]?.file.name ?? ''}" is neither.`,
  )
}
