/** Of an archive. */
interface PackedFile {
  readonly name: string
  readonly content: Buffer
}

interface HarnessTask {
  readonly task: string
  /** Outputs of a generated answer by whether they are right; the target of document i is i. */
  readonly right: readonly boolean[]
  /** Whether it measures likelihoods of choices instead; the first one is right. */
  readonly isChoice?: boolean
  /** Other choices than "one" and "three". */
  readonly choices?: readonly [string, string]
}

export interface HarnessRun {
  readonly model: string
  readonly date: string
  readonly tasks: readonly HarnessTask[]
  readonly groups?: Readonly<Record<string, readonly string[]>>
}

const filters = [
  { name: 'strict-match', filter: [{ function: 'regex', regex_pattern: '#### (\\-?[0-9\\.\\,]+)' }, { function: 'take_first' }] },
  {
    name: 'flexible-extract',
    filter: [{ function: 'regex', group_select: -1, regex_pattern: '(-?[$0-9.,]{2,})|(-?[0-9]+)' }, { function: 'take_first' }],
  },
]

/** The folder that one call of lm-evaluation-harness leaves behind, as its `evaluation_tracker.py` writes it. */
export function harnessOutput({ model, date, tasks, groups = {} }: HarnessRun, folder = 'output'): PackedFile[] {
  const place = `${folder}/${model.replaceAll('/', '__')}`
  const configs = Object.fromEntries(tasks.map(({ task, isChoice = false }) => [task, isChoice ? choiceConfig(task) : openConfig(task)]))
  const results = {
    results: Object.fromEntries(tasks.map(({ task }) => [task, { alias: ` - ${task}` }])),
    ...(Object.keys(groups).length > 0 && { group_subtasks: groups }),
    configs,
    versions: Object.fromEntries(tasks.map(({ task }) => [task, 1])),
    'n-shot': {},
    config: { model: 'hf', model_args: `pretrained=${model}` },
    git_hash: 'abc1234',
    model_source: 'hf',
    model_name: model,
    model_name_sanitized: model.replaceAll('/', '__'),
  }
  return [
    { name: `${place}/results_${date}.json`, content: Buffer.from(JSON.stringify(results, null, 2)) },
    ...tasks.map(one => ({
      name: `${place}/samples_${one.task}_${date}.jsonl`,
      content: Buffer.from(`${(one.isChoice ? choiceRows(one) : openRows(one)).map(row => JSON.stringify(row)).join('\n')}\n`),
    })),
  ]
}

function openConfig(task: string) {
  return {
    task,
    output_type: 'generate_until',
    doc_to_text: 'Question: {{question}}\nAnswer:',
    filter_list: filters,
    metric_list: [{ metric: 'exact_match', aggregation: 'mean', higher_is_better: true, ignore_case: true, ignore_punctuation: false }],
    metadata: { version: 3 },
  }
}

function choiceConfig(task: string) {
  return { task, output_type: 'multiple_choice', metric_list: [{ metric: 'acc' }, { metric: 'acc_norm' }], metadata: { version: 1 } }
}

/** A row for each document and filter. */
function openRows({ task, right }: HarnessTask) {
  return right.flatMap((is, i) =>
    filters.map(({ name }) => ({
      doc_id: i,
      doc: { question: `${task} ${i}?`, answer: `#### ${i}` },
      target: String(i),
      arguments: { gen_args_0: { arg_0: `Question: ${task} ${i}?\nAnswer:`, arg_1: { until: ['Question:'] } } },
      resps: [[`It is ${is ? i : i + 1}.\n#### ${is ? i : i + 1}`]],
      filtered_resps: [String(is ? i : i + 1)],
      filter: name,
      metrics: ['exact_match'],
      doc_hash: 'd',
      prompt_hash: 'p',
      target_hash: 't',
      exact_match: is ? 1 : 0,
    })),
  )
}

function choiceRows({ task, right, choices = ['one', 'three'] }: HarnessTask) {
  return right.map((is, i) => ({
    doc_id: i,
    doc: { question: `${task} ${i}?`, choices, answer: 0 },
    target: '0',
    arguments: Object.fromEntries(choices.map((choice, c) => [`gen_args_${c}`, { arg_0: `${task} ${i}, ${c}?`, arg_1: ` ${choice}` }])),
    resps: [[[is ? '-1.0' : '-9.0', 'False']], [['-5.0', 'False']]],
    filtered_resps: [
      [is ? '-1.0' : '-9.0', 'False'],
      ['-5.0', 'False'],
    ],
    filter: 'none',
    metrics: ['acc', 'acc_norm'],
    doc_hash: 'd',
    prompt_hash: 'p',
    target_hash: 't',
    acc: is ? 1 : 0,
    acc_norm: is ? 1 : 0,
  }))
}
