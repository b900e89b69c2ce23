import { type AnswerFormat } from '../../contract/answers/answers.schemas.ts'
import { beginsAs, fileFormats } from '../../contract/catalog/file-formats.ts'
import type { EvidenceFormat } from '../../contract/releases/evidence.schemas.ts'
import { unpackedName } from '../../lib/file-name.ts'
import { detectFormat, headBytes } from './answers/detect-format.ts'
import { sniffFile, type SniffedFile } from './answers/sniff-file.ts'
import { isLightevalResults, isLmEvalResults } from './answers/figures-alone.ts'
import { toolOf } from './answers/tools/read-tool-results.ts'
import { describeUnreadable } from './files/decode-bytes.ts'
import type { OwnFormat } from './files/import-order.ts'

/** What a file of another tool is, and what to do with it. */
interface KnownFile {
  /** As in "it holds …". */
  readonly holds: string
  /** What to do, as a sentence without a full stop. */
  readonly cure: string
  /** Formats that read it, so that the choice of one of them was right. */
  readonly formats: readonly string[]
}

interface Sniffed {
  readonly name: string
  readonly head: string
}

const results: { readonly [Format in AnswerFormat]?: string } = {
  inspect_log: 'Inspect',
  lm_eval_samples: 'lm-evaluation-harness',
  promptfoo_results: 'promptfoo',
  livecodebench_results: 'LiveCodeBench',
}

const asLog = (...formats: readonly [AnswerFormat, ...AnswerFormat[]]): Pick<KnownFile, 'cure' | 'formats'> => ({
  cure: `Import it as outputs, as the log of another tool (format "${formats[0]}")`,
  formats,
})
const asBenchmark = (...formats: readonly [OwnFormat, ...OwnFormat[]]): Pick<KnownFile, 'cure' | 'formats'> => ({
  cure: `Import it as benchmark data with the format "${formats[0]}" (${fileFormats[formats[0]].title})`,
  formats,
})
const asTable = (format: AnswerFormat, columns = ''): Pick<KnownFile, 'cure' | 'formats'> => ({
  cure: `Import it as outputs, with the profile of the benchmark that they answer and the format "${format}"${columns}`,
  formats: [format],
})
const asEvidence = (format: string): Pick<KnownFile, 'cure' | 'formats'> => ({
  cure: `Send it as evidence of a release with the format "${format}"`,
  formats: [format],
})
const instead = (cure: string, formats: readonly string[] = []): Pick<KnownFile, 'cure' | 'formats'> => ({ cure, formats })

type Told = Omit<KnownFile, 'formats'> & { readonly formats: readonly string[]; matches(file: Sniffed): boolean }

const keys = (head: string, ...names: readonly string[]): boolean => names.every(name => new RegExp(`"${name}"\\s*:`).test(head))
const named =
  (pattern: RegExp) =>
  (file: Sniffed): boolean =>
    pattern.test(file.name)

/** What first bytes or a name tell, the most particular first. */
const told: readonly Told[] = [
  {
    holds: 'a notebook',
    ...instead('Save the tables that it makes as JSON Lines or CSV'),
    matches: ({ name, head }) => keys(head, 'cells', 'nbformat') || name.endsWith('.ipynb'),
  },
  {
    holds: 'a program',
    ...instead('Run it, and send what it writes'),
    matches: ({ name, head }) => /\.(?:py|js|mjs|cjs|ts|sh)$/.test(name) && !/^\s*[[{]/.test(head),
  },
  {
    holds: 'test results of JUnit',
    ...asEvidence('junit'),
    matches: ({ head }) => /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[^]{0,1000}?-->\s*)?<testsuites?[\s/>]/.test(head),
  },
  {
    holds: 'findings in SARIF',
    ...asEvidence('sarif'),
    matches: ({ head }) => /"\$schema"\s*:\s*"[^"]*sarif|"version"\s*:\s*"2\.1\.0"/i.test(head) && keys(head, 'runs'),
  },
  {
    holds: 'traces in OTLP',
    ...instead('Send it to POST /v1/traces'),
    matches: ({ head }) => keys(head, 'resourceSpans') || keys(head, 'resource_spans'),
  },
  {
    holds: 'the description of a data set',
    ...instead('Send the data beside it as a zip archive under "Packages"', ['package']),
    matches: ({ head }) => /mlcommons\.org\/croissant/i.test(head) && keys(head, 'conformsTo'),
  },
  {
    holds: 'facts about a data set of Hugging Face, and no rows',
    ...instead('Send its data files (.parquet, .jsonl or .csv)'),
    matches: ({ name, head }) =>
      /^dataset_infos?\.json$/.test(name) || name === 'dataset_dict.json' || (name === 'state.json' && keys(head, '_data_files')),
  },
  {
    holds: 'a text about the data, and no rows',
    ...instead('Send the data files'),
    matches: named(/^(?:readme|license|citation)(?:\.(?:md|txt|cff))?$/),
  },
  {
    holds: 'results of promptfoo without what was tested',
    ...instead('Run "promptfoo export eval ID --output results.json" and import its file as outputs'),
    matches: ({ name, head }) =>
      /\.(?:csv|tsv)$/.test(name) && /^[^\n]*"?\[[\w.-]+:[^\]\n]+\] /.test(head) && /\[(?:PASS|FAIL|ERROR)\]/.test(head),
  },
  {
    holds: 'tests of promptfoo',
    ...asBenchmark('promptfoo_csv'),
    matches: ({ name, head }) => /\.(?:csv|tsv)$/.test(name) && /^[^\n]*\b__expected/.test(head),
  },
  {
    holds: 'the registry of OpenAI evals',
    ...asBenchmark('openai_evals_jsonl'),
    cure: 'Import it with its samples (.jsonl) as benchmark data with the format "openai_evals_jsonl"',
    matches: ({ name, head }) => /\.ya?ml$/.test(name) && /^\s+(?:class:\s*["']?evals[.:]|samples_jsonl:)/m.test(head),
  },
  {
    holds: 'how OpenAI evals grade by a model',
    ...asBenchmark('openai_evals_jsonl'),
    cure: 'Import it with its registry and samples as benchmark data with the format "openai_evals_jsonl"',
    matches: ({ name, head }) => /\.ya?ml$/.test(name) && /^\s+choice_strings:/m.test(head),
  },
  {
    holds: 'a configuration of promptfoo',
    ...asBenchmark('promptfoo_yaml'),
    matches: ({ name, head }) => /\.ya?ml$/.test(name) && beginsAs('promptfoo_yaml', head) && !beginsAs('lm_eval_yaml', head),
  },
  {
    holds: 'a task of lm-evaluation-harness',
    ...asBenchmark('lm_eval_yaml'),
    matches: ({ name, head }) => /\.ya?ml$/.test(name) && beginsAs('lm_eval_yaml', head) && !beginsAs('promptfoo_yaml', head),
  },
  {
    holds: 'samples of OpenAI evals',
    ...asBenchmark('openai_evals_jsonl', 'jsonl', 'json'),
    matches: ({ head }) => /^\s*\{/.test(head) && keys(head, 'input', 'ideal') && !keys(head, 'target'),
  },
  {
    holds: 'calls for a batch, and no answers',
    ...instead('Send the output file of the batch as outputs for a benchmark'),
    matches: ({ head }) => keys(head, 'custom_id', 'method', 'url', 'body'),
  },
  {
    holds: 'the output of a batch',
    ...asTable('jsonl'),
    matches: ({ head }) =>
      keys(head, 'custom_id', 'response') || keys(head, 'custom_id', 'result') || keys(head, 'key', 'response', 'candidates'),
  },
  {
    holds: 'an evaluation of OpenAI’s platform',
    ...asTable('jsonl', ', after making columns of "output_text" and the grades'),
    matches: ({ head }) => keys(head, 'item', 'sample', 'grades'),
  },
  {
    holds: 'programs that EvalPlus or HumanEval grades',
    ...asTable('evalplus_samples'),
    matches: ({ head }) => /^\s*\{\s*"task_id"\s*:\s*"(?:HumanEval|Mbpp)\/\d+"[^\n]*"(?:completion|solution)"\s*:/.test(head),
  },
  {
    holds: 'answers of LiveCodeBench without their results',
    ...instead('Send the file whose name ends in _eval_all.json', ['livecodebench_results', 'json', 'jsonl']),
    matches: ({ name, head }) =>
      /^scenario\.\w/.test(name) && (keys(head, 'output_list') || keys(head, 'pass@1')) && !keys(head, 'graded_list'),
  },
  {
    holds: 'figures of BFCL, and no answers',
    ...instead('Send the answers (BFCL_*_result.json) as outputs for a benchmark of the recipe "bfcl"'),
    matches: ({ head }) => keys(head, 'correct_count', 'total_count') || keys(head, 'test_category', 'valid'),
  },
  {
    holds: 'articles of SQuAD with their questions',
    ...instead('Import it with the recipe "squad"', ['recipe']),
    matches: ({ head }) => keys(head, 'paragraphs', 'qas', 'context'),
  },
  {
    holds: 'answers of a model to BFCL',
    ...asTable('jsonl', ' and "result" as the output'),
    matches: ({ name, head }) => /^bfcl_v\d.*_result\.json$/.test(name) && keys(head, 'id', 'result'),
  },
  {
    holds: 'tasks of BFCL in which a model searches the web or keeps a memory, with tools that Assay does not have',
    ...instead('Send the folder "data" as a zip archive with the recipe "bfcl" or under "Environments", which read its other categories'),
    matches: ({ name }) => /^bfcl_v\d+_(?:web_search|memory)/.test(name),
  },
  {
    holds: 'tasks of BFCL with several turns',
    ...instead('Send the folder "data" of the leaderboard as a zip archive under "Environments"'),
    matches: ({ name }) => /^bfcl_v\d+_multi_turn/.test(name),
  },
  {
    holds: 'questions of BFCL, or the right calls for them',
    ...instead('Send the folder "data" of the leaderboard as a zip archive with the recipe "bfcl"', ['recipe']),
    matches: ({ name, head }) => /^bfcl_v\d/.test(name) && (keys(head, 'question', 'function') || keys(head, 'id', 'ground_truth')),
  },
  {
    holds: 'rewards of τ-bench',
    ...asTable('json', ' and "reward" as a score'),
    matches: ({ head }) => keys(head, 'task_id', 'reward', 'traj'),
  },
  {
    holds: 'a description of a scenario of HELM',
    ...instead('Send scenario_state.json with per_instance_stats.json as outputs'),
    matches: ({ name, head }) => name === 'scenario.json' && keys(head, 'definition_path'),
  },
]

function recognize(file: SniffedFile): KnownFile | null {
  const sniffed = { name: unpackedName((file.name.split('/').at(-1) ?? '').toLowerCase()), head: file.head.replace(/^\uFEFF/, '') }
  const own = told.find(one => one.matches(sniffed))
  if (own) return own
  const format = detectFormat([file], false)
  if (format === null) return null
  if (isLmEvalResults(sniffed) || isLightevalResults(sniffed))
    return {
      ...asLog('tool_results', 'lm_eval_samples'),
      holds: `figures of ${isLightevalResults(sniffed) ? 'lighteval' : 'lm-evaluation-harness'}, and no answers`,
    }
  const { tool, instead: cure, tables = [] } = format === 'tool_results' ? toolOf(sniffed) : { tool: results[format], instead: null }
  return cure === null
    ? { ...asLog(format), holds: `results of ${tool}` }
    : { holds: `what ${tool} writes`, cure: cure.replace(/\.$/, ''), formats: [format, ...tables] }
}

/** What to do, before what it is. @param name of the file; null where it has none */
function describe(name: string | null, { cure, holds }: KnownFile): string {
  const isOne = /^(?:Import|Send) it\b/.test(cure) && !/[.:] /.test(cure)
  return isOne
    ? `${cure.replace(' it', name === null ? ' this file' : ` "${name}"`)}: it holds ${holds}.`
    : `${cure}. ${name === null ? 'This file' : `"${name}"`} holds ${holds}.`
}

/** Formats of logs that releases take as evidence, too. */
const evidenceFormats: Readonly<Record<string, EvidenceFormat>> = {
  inspect_log: 'inspect',
  lm_eval_samples: 'lm_eval',
  promptfoo_results: 'promptfoo',
}

/** What to do with a file that was sent as evidence in a format that does not read it; null where it is of no tool that is known. */
export function describeMisplacedEvidence(bytes: Buffer, chosen: EvidenceFormat): string | null {
  const ends = bytes.subarray(Math.max(0, bytes.length - headBytes))
  const unreadable = describeUnreadable(bytes.toString('latin1', 0, headBytes))
  const known = recognize({ name: '', head: bytes.toString('utf8', 0, headBytes), end: ends.toString('latin1'), unreadable })
  if (!known) return unreadable
  const taken = known.formats.map(format => evidenceFormats[format] ?? format)
  if (taken.includes(chosen)) return null
  const [as] = known.formats.flatMap(format => evidenceFormats[format] ?? [])
  return describe(null, as === undefined ? known : { ...known, ...asEvidence(as) })
}

/** Where files of an import are, or what came out of an archive. */
interface GivenFile {
  readonly name: string
  readonly path: string
  readonly content?: unknown
}

/** Files of an import that are looked at. */
const lookedAt = 20

/**
 * What to do with files that other tools write and that the chosen format does not read, such as results sent as questions: of the first, where
 * each of them is such a file; null otherwise.
 * @param chosen id of a format of any import
 */
export async function describeMisplaced(files: readonly GivenFile[], chosen: string): Promise<string | null> {
  let first: string | null = null
  for (const file of files.slice(0, lookedAt)) {
    if (file.content !== undefined) return null
    const sniffed = await sniffFile(file)
    const found = sniffed.unreadable === null ? recognize(sniffed) : null
    if (found?.formats.includes(chosen)) return null
    const said = found ? describe(file.name, found) : sniffed.unreadable
    if (said === null) return null
    first ??= said
  }
  return first
}

/**
 * What to do with a log of another tool whose list was read as rows of a table, so that the rest of it is lost; null otherwise. It is one
 * object: rows may have the fields of any tool.
 */
export async function describeReadLog(files: readonly GivenFile[], chosen: string): Promise<string | null> {
  const [file] = files
  if (chosen !== 'json' || !file || file.content !== undefined) return null
  const sniffed = await sniffFile(file)
  const format = /^\s*\{/.test(sniffed.head) ? detectFormat([sniffed], false) : null
  const isLog = format === 'tool_results' ? toolOf(sniffed).instead === null : Object.hasOwn(results, format ?? '')
  return isLog ? describeMisplaced([file], chosen) : null
}

/** What is wrong with files, after what to do where they are of another tool. */
export async function withMisplaced<
  Found extends {
    readonly problems: readonly { readonly file: string; readonly line: number | null; readonly message: string }[]
    readonly problemCount: number
  },
>(found: Found, files: readonly GivenFile[], chosen: string): Promise<Found> {
  const message = found.problemCount === 0 ? null : await describeMisplaced(files, chosen)
  if (message === null) return found
  const problem = { file: files[0]?.name ?? '', line: null, message }
  return { ...found, problems: [problem, ...found.problems], problemCount: found.problemCount + 1 }
}
