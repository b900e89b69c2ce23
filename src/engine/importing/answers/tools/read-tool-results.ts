import type { ForeignLog } from '../foreign-log.ts'
import { LogError } from '../foreign-log.ts'
import type { LogFile } from '../log-files.ts'
import { alpacaEval } from './alpaca-eval.ts'
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
  /** @throws LogError */
  read(files: readonly LogFile[]): ForeignLog[] | Promise<ForeignLog[]>
}

export interface Sniffed {
  /** Without its folder, in lower case, without `.gz`. */
  readonly name: string
  readonly head: string
}

const readers: readonly ToolReader[] = [helm, lighteval, deepeval, alpacaEval, evalplusResults, openAiEvalsLog]

/** Results that hold no answers, or none that could be told apart, and what to send instead. */
const refused: readonly { readonly tool: string; readonly instead: string; matches(file: Sniffed): boolean }[] = [
  {
    tool: 'lighteval',
    instead: 'Send its details (details_*.parquet), which hold the answers.',
    matches: ({ head }) => /"config_general"\s*:/.test(head) && /"lighteval_sha"\s*:/.test(head),
  },
  {
    tool: 'lm-evaluation-harness',
    instead: 'Run it with --log_samples and send the folder with samples_*.jsonl. The figures alone can be evidence of a release.',
    matches: ({ name, head }) =>
      name.startsWith('results_') && /"(?:lm_eval_version|n-shot|pretty_env_info|higher_is_better|versions)"\s*:/.test(head),
  },
  {
    tool: 'SWE-bench',
    instead:
      'Patches are tested in repositories, which Assay does not run. Send the harness’s report as CSV with "instance_id" and "resolved" as evidence of a release.',
    matches: ({ head }) => /"model_patch"\s*:/.test(head) || (/"resolved_ids"\s*:/.test(head) && /"unresolved_ids"\s*:/.test(head)),
  },
  {
    tool: 'MT-Bench',
    instead:
      'Judgments hold no answers. Send the answers (model_answer/*.jsonl) as a table for a benchmark, with the score of each as a column.',
    matches: ({ head }) => /"judgment"\s*:/.test(head) && /"question_id"\s*:/.test(head),
  },
  {
    tool: 'simple-evals',
    instead: 'Its files hold figures and a page, and no answers. Run it with another recorder, or send a table of task, output and score.',
    matches: ({ head }) => /"(?:htmls|convos)"\s*:/.test(head) && /"metrics"\s*:/.test(head),
  },
  {
    tool: 'BigCode evaluation harness',
    instead: 'Its generations are lists without ids. Send a table of "task_id" and "output" for the benchmark that they answer.',
    matches: ({ head }) => /^\s*\[\s*\[\s*"/.test(head) || (/"pass@1"\s*:/.test(head) && /"n_samples"\s*:/.test(head)),
  },
  {
    tool: 'VLMEvalKit',
    instead: 'Save the sheet as CSV with the columns "index", "prediction" and "hit", and import it as outputs for a benchmark.',
    matches: ({ name }) => /_(?:openai_result|score|acc|exact_matching_result)\.(?:xlsx|csv)$/.test(name) || name.endsWith('.xlsx'),
  },
  {
    tool: 'Langfuse',
    instead:
      'Export the dataset run as CSV or JSON Lines with "id", "output" and a column for each score, and import it as outputs for a benchmark.',
    matches: ({ head }) => /"(?:sourceTraceId|datasetRunId|datasetItemId|sourceObservationId)"\s*:/.test(head),
  },
  {
    tool: 'Braintrust',
    instead:
      'Export the experiment as CSV or JSON Lines with "id", "output" and a column for each score, and import it as outputs for a benchmark.',
    matches: ({ head }) => /"_xact_id"\s*:/.test(head) || (/"span_id"\s*:/.test(head) && /"experiment_id"\s*:/.test(head)),
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
    name: file.name.toLowerCase().replace(/\.gz$/, ''),
    head: file.bytes.toString('utf8', 0, headCharacters),
  }))
  const reader = readers.find(one => sniffed.some(file => one.matches(file)))
  if (reader) return reader.read(files)
  for (const one of refused) {
    const found = sniffed.find(file => one.matches(file))
    if (found) throw new LogError(`"${found.file.name}" is of ${one.tool}. ${one.instead}`)
  }
  throw new LogError(
    `Send results of ${readers.map(({ tool }) => tool).join(', ')}, or a table of outputs for a benchmark; "${files[0]?.name ?? ''}" is neither.`,
  )
}
