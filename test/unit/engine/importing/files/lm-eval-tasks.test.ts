import { describe, expect, test } from 'vitest'
import { choiceLabel } from '../../../../../src/engine/grading/scorers/inspect-ai/multiple-choice.ts'
import { valueOf } from '../../grading/scorers/grade.ts'
import { lines, lookAt } from './look-at.ts'

interface Family {
  readonly yaml: readonly string[]
  readonly row: Readonly<Record<string, unknown>>
  /** The prompt, the answers and the metrics of what is imported. */
  readonly is?: { readonly text: string; readonly targets: readonly string[]; readonly metrics: readonly string[] }
  /** Why it is not. */
  readonly not?: RegExp
  readonly warns?: RegExp
}

const match = 'metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true, ignore_case: true, ignore_punctuation: true}]'
const acc = 'metric_list: [{metric: acc, aggregation: mean, higher_is_better: true}, {metric: acc_norm, aggregation: mean}]'
const choice = 'output_type: multiple_choice'
const strip = 'filter_list: [{name: remove_whitespace, filter: [{function: remove_whitespace}, {function: take_first}]}]'
const both = ['acc', 'acc_norm']

/** One task of each of forty families of the harness, in the form that the family’s files have. */
const families: Readonly<Record<string, Family>> = {
  gsm8k: {
    yaml: [
      'test_split: test',
      'doc_to_text: "Question: {{question}}\\nAnswer:"',
      'doc_to_target: "{{answer}}"',
      'filter_list:',
      '  - {name: strict-match, filter: [{function: regex, regex_pattern: "#### (\\\\-?[0-9\\\\.\\\\,]+)"}, {function: take_first}]}',
      '  - {name: flexible-extract, filter: [{function: regex, group_select: -1, regex_pattern: "(-?[$0-9.,]{2,})|(-?[0-9]+)"}, {function: take_first}]}',
    ],
    row: { question: 'How many?', answer: 'Two.\n#### 2' },
    is: {
      text: 'Question: How many?\nAnswer:',
      targets: ['Two.\n#### 2'],
      metrics: ['exact_match_strict-match', 'exact_match_flexible-extract'],
    },
  },
  gsm8k_self_consistency: {
    yaml: [
      'test_split: test',
      'repeats: 64',
      'doc_to_text: "Q: {{question}}\\n\\nA:"',
      'doc_to_target: "{{answer.split(\'#### \')[-1]}}"',
      'filter_list:',
      '  - {name: score-first, filter: [{function: regex, regex_pattern: "The answer is (\\\\-?[0-9\\\\.\\\\,]*[0-9]+)"}, {function: take_first}]}',
      '  - {name: maj@64, filter: [{function: majority_vote}, {function: take_first}]}',
      '  - {name: maj@8, filter: [{function: take_first_k, k: 8}, {function: majority_vote}, {function: take_first}]}',
    ],
    row: { question: 'How many?', answer: '#### 2' },
    is: { text: 'Q: How many?\n\nA:', targets: ['2'], metrics: ['exact_match_score-first'] },
    warns: /"maj@64", because the filter "majority_vote" votes over several answers/,
  },
  bbh_cot: {
    yaml: [
      'test_split: test',
      'target_delimiter: ""',
      'description: "Sort.\\n\\n"',
      'doc_to_text: "Q: {{input}}\\nA: Let\'s think step by step.\\n"',
      'doc_to_target: "{{target}}"',
      'filter_list: [{name: get-answer, filter: [{function: regex, regex_pattern: "(?<=the answer is )(.*)(?=.)"}, {function: take_first}]}]',
      'num_fewshot: 1',
      'fewshot_config: {sampler: first_n, samples: [{input: b a, target: "So the answer is a b."}]}',
    ],
    row: { input: 'd c', target: 'c d' },
    is: { text: "Q: d c\nA: Let's think step by step.\n", targets: ['c d'], metrics: ['exact_match_get-answer'] },
  },
  bbh_zeroshot: {
    yaml: [
      'test_split: test',
      'doc_to_text: "Q: {{input}}\\nA:"',
      'doc_to_target: "{{target}}"',
      'filter_list:',
      '  - {name: strict-match, filter: [{function: take_first}]}',
      '  - {name: flexible-extract, filter: [{function: !function utils.ExtendedRegexFilter, group_select: 0}, {function: take_first}]}',
    ],
    row: { input: 'x', target: 'y' },
    is: { text: 'Q: x\nA:', targets: ['y'], metrics: ['exact_match_strict-match'] },
    warns: /"flexible-extract", because the filter "utils.ExtendedRegexFilter" is Python/,
  },
  mmlu: {
    yaml: [
      'test_split: test',
      choice,
      'doc_to_text: "{{question.strip()}}\\nA. {{choices[0]}}\\nB. {{choices[1]}}\\nAnswer:"',
      'doc_to_choice: ["A", "B"]',
      'doc_to_target: answer',
    ],
    row: { question: ' Which? ', choices: ['x', 'y'], answer: 1 },
    is: { text: 'Which?\nA. x\nB. y\nAnswer:', targets: ['B'], metrics: ['acc'] },
  },
  mmlu_flan_generative: {
    yaml: [
      'test_split: test',
      'doc_to_text: "Q: {{question}}\\n(A) {{choices[0]}} (B) {{choices[1]}}\\nA:"',
      "doc_to_target: \"{{['(A)', '(B)'][answer]}}\"",
      'filter_list: [{name: flexible, filter: [{function: multi_choice_regex, group_select: 0, regex_pattern: "(\\\\([A-Z]\\\\))", ignore_case: true}, {function: take_first}]}]',
    ],
    row: { question: 'Which?', choices: ['x', 'y'], answer: 1 },
    is: { text: 'Q: Which?\n(A) x (B) y\nA:', targets: ['(B)'], metrics: ['exact_match_flexible'] },
  },
  mmlu_pro: {
    yaml: [
      'test_split: test',
      'fewshot_config: {sampler: first_n, doc_to_text: !function utils.fewshot_to_text}',
      'doc_to_text: q',
      'doc_to_target: a',
    ],
    row: { q: 'x', a: 'A' },
    not: /"doc_to_text" is "!function utils.fewshot_to_text", which is Python/,
  },
  arc: {
    yaml: [
      'validation_split: validation',
      'test_split: test',
      choice,
      'doc_to_text: "Question: {{question}}\\nAnswer:"',
      'doc_to_target: "{{choices.label.index(answerKey)}}"',
      'doc_to_choice: "{{choices.text}}"',
      acc,
    ],
    row: { question: 'Which?', choices: { text: ['x', 'y'], label: ['1', '2'] }, answerKey: '2' },
    is: { text: 'Question: Which?\nAnswer:', targets: ['B'], metrics: both },
  },
  sciq: {
    yaml: [
      'test_split: test',
      choice,
      'doc_to_text: "{{support.lstrip()}}\\nQuestion: {{question}}\\nAnswer:"',
      'doc_to_target: 1',
      'doc_to_choice: "{{[distractor, correct_answer]}}"',
      acc,
    ],
    row: { support: ' Air.', question: 'What?', distractor: 'x', correct_answer: 'y' },
    is: { text: 'Air.\nQuestion: What?\nAnswer:', targets: ['B'], metrics: both },
  },
  piqa: {
    yaml: [
      'validation_split: validation',
      'test_split: null',
      choice,
      'doc_to_text: "Question: {{goal}}\\nAnswer:"',
      'doc_to_target: label',
      'doc_to_choice: "{{[sol1, sol2]}}"',
      acc,
    ],
    row: { goal: 'Sit', sol1: 'down', sol2: 'up', label: 0 },
    is: { text: 'Question: Sit\nAnswer:', targets: ['A'], metrics: both },
  },
  winogrande: {
    yaml: [
      'validation_split: validation',
      choice,
      'doc_to_text: !function preprocess_winogrande.doc_to_text',
      'doc_to_target: 0',
      'doc_to_choice: [a, b]',
    ],
    row: { sentence: 'x' },
    not: /"doc_to_text" is "!function preprocess_winogrande/,
  },
  hellaswag: {
    yaml: [
      'validation_split: validation',
      choice,
      'process_docs: !function utils.process_docs',
      'doc_to_text: "{{query}}"',
      'doc_to_target: "{{label}}"',
      'doc_to_choice: choices',
    ],
    row: { query: 'x' },
    not: /"process_docs" is "!function utils.process_docs"/,
  },
  swag: {
    yaml: [
      'validation_split: validation',
      choice,
      'doc_to_text: startphrase',
      'doc_to_target: label',
      'doc_to_choice: "{{[ending0, ending1]}}"',
      acc,
    ],
    row: { startphrase: 'He', ending0: 'sat.', ending1: 'ran.', label: 1 },
    is: { text: 'He', targets: ['B'], metrics: both },
  },
  openbookqa: {
    yaml: [
      'test_split: test',
      choice,
      'doc_to_text: question_stem',
      'doc_to_target: "{{choices.label.index(answerKey.lstrip())}}"',
      'doc_to_choice: "{{choices.text}}"',
      acc,
    ],
    row: { question_stem: 'Sun is', choices: { text: ['hot', 'cold'], label: ['A', 'B'] }, answerKey: ' A' },
    is: { text: 'Sun is', targets: ['A'], metrics: both },
  },
  commonsense_qa: {
    yaml: [
      'validation_split: validation',
      choice,
      'doc_to_text: "Question: {{ question.strip() }}\\nA. {{choices[\'text\'][0]}}\\nAnswer:"',
      'doc_to_target: answerKey',
      "doc_to_choice: ['A', 'B']",
      acc,
    ],
    row: { question: 'q ', choices: { text: ['x', 'y'] }, answerKey: 'B' },
    is: { text: 'Question: q\nA. x\nAnswer:', targets: ['B'], metrics: both },
  },
  boolq: {
    yaml: [
      'validation_split: validation',
      choice,
      'doc_to_text: "{{passage}}\\nQuestion: {{question}}?\\nAnswer:"',
      'doc_to_target: label',
      'doc_to_choice: ["no", "yes"]',
    ],
    row: { passage: 'P.', question: 'is it', label: 1 },
    is: { text: 'P.\nQuestion: is it?\nAnswer:', targets: ['B'], metrics: ['acc'] },
  },
  afriqa: {
    yaml: [
      'test_split: test',
      'doc_to_text: "{{q}}"',
      'doc_to_target: answer',
      // As the harness has it: the list runs into the value before it.
      'metric_list:\n  - metric: exact_match\n    ignore_punctuation: true\n      - ","\n  - metric: f1\n    aggregation: !function utils.f1',
    ],
    row: { q: 'Q', answer: 'a' },
    is: { text: 'Q', targets: ['a'], metrics: ['exact_match'] },
    warns: /count as true, as in the harness: "ignore_punctuation" is the text "true - \\",\\""/,
  },
  glue_cola: {
    yaml: [
      'validation_split: validation',
      choice,
      'doc_to_text: "{{sentence}}\\nQuestion: Does this sentence make sense?\\nAnswer:"',
      'doc_to_target: label',
      'doc_to_choice: ["no", "yes"]',
      'metric_list: [{metric: mcc}]',
    ],
    row: { sentence: 'He go.', label: 0 },
    is: { text: 'He go.\nQuestion: Does this sentence make sense?\nAnswer:', targets: ['A'], metrics: ['mcc'] },
  },
  glue_mrpc: {
    yaml: [
      'validation_split: validation',
      choice,
      'doc_to_text: "{{sentence1}} {{sentence2}}"',
      'doc_to_target: label',
      'doc_to_choice: ["no", "yes"]',
      'metric_list: [{metric: acc}, {metric: f1}]',
    ],
    row: { sentence1: 'a', sentence2: 'b', label: 1 },
    is: { text: 'a b', targets: ['B'], metrics: ['acc', 'f1'] },
  },
  glue_mnli: {
    yaml: [
      'validation_split: validation_matched',
      choice,
      'doc_to_text: !function utils.doc_to_text',
      'doc_to_target: label',
      'doc_to_choice: ["True", "Neither", "False"]',
    ],
    row: { label: 0 },
    not: /"doc_to_text" is "!function utils.doc_to_text"/,
  },
  super_glue_cb: {
    yaml: [
      'validation_split: validation',
      choice,
      'doc_to_text: "{{premise}}\\nQuestion: {{hypothesis}}. True, False, or Neither?\\nAnswer:"',
      'doc_to_target: label',
      'doc_to_choice: ["True", "False", "Neither"]',
      'metric_list: [{metric: acc}, {metric: f1, aggregation: !function "aggregate.cb_multi_fi"}]',
    ],
    row: { premise: 'P', hypothesis: 'h', label: 2 },
    is: { text: 'P\nQuestion: h. True, False, or Neither?\nAnswer:', targets: ['C'], metrics: ['acc'] },
    warns: /"f1", because its aggregation "aggregate.cb_multi_fi"/,
  },
  anli: {
    yaml: [
      'test_split: test_r1',
      choice,
      'doc_to_text: "{{premise}}\\nQuestion: {{hypothesis}} True, False, or Neither?\\nAnswer:"',
      "doc_to_target: \"{{['True', 'Neither', 'False'][label]}}\"",
      'doc_to_choice:\n  - "True"\n  - "Neither"\n  - "False"',
    ],
    row: { premise: 'P', hypothesis: 'h', label: 1 },
    is: { text: 'P\nQuestion: h True, False, or Neither?\nAnswer:', targets: ['B'], metrics: ['acc'] },
  },
  truthfulqa_mc1: {
    yaml: [
      'validation_split: validation',
      choice,
      "doc_to_text: \"{% set prompt = 'Q: a?\\nA: b.' %}{{prompt + '\\n\\nQ: ' + question + '\\nA:'}}\"",
      'doc_to_target: 0',
      'doc_to_choice: "{{mc1_targets.choices}}"',
    ],
    row: { question: 'c?', mc1_targets: { choices: ['x', 'y'] } },
    is: { text: 'Q: a?\nA: b.\n\nQ: c?\nA:', targets: ['A'], metrics: ['acc'] },
  },
  truthfulqa_mc2: {
    yaml: [
      'validation_split: validation',
      choice,
      'doc_to_text: q',
      'doc_to_target: 0',
      'doc_to_choice: [a, b]',
      'process_results: !function utils.process_results_mc2',
    ],
    row: { q: 'x' },
    not: /"process_results" is "!function utils.process_results_mc2"/,
  },
  lambada: {
    yaml: [
      'test_split: test',
      'output_type: loglikelihood',
      "doc_to_text: \"{{text.split(' ')[:-1]|join(' ')}}\"",
      "doc_to_target: \"{{' '+text.split(' ')[-1]}}\"",
      'metric_list: [{metric: perplexity, aggregation: perplexity}, {metric: acc, aggregation: mean}]',
    ],
    row: { text: 'he said hello' },
    is: { text: 'he said', targets: [' hello'], metrics: ['perplexity', 'acc'] },
  },
  arithmetic: {
    yaml: [
      'validation_split: validation',
      'output_type: loglikelihood',
      'doc_to_text: "{{context}}"',
      'doc_to_target: "{{completion}}"',
      'target_delimiter: ""',
      'metric_list: [{metric: acc}]',
    ],
    row: { context: 'Q: 1+1\nA:', completion: ' 2' },
    is: { text: 'Q: 1+1\nA:', targets: [' 2'], metrics: ['acc'] },
  },
  wikitext: {
    yaml: [
      'test_split: test',
      'output_type: loglikelihood_rolling',
      'doc_to_text: ""',
      'doc_to_target: page',
      'metric_list: [{metric: word_perplexity}]',
    ],
    row: { page: 'x' },
    is: { text: 'x', targets: ['x'], metrics: ['word_perplexity'] },
  },
  blimp: {
    yaml: [
      'validation_split: train',
      choice,
      'doc_to_text: ""',
      'doc_to_target: 0',
      'doc_to_choice: "{{[sentence_good, sentence_bad]}}"',
      'num_fewshot: 0',
    ],
    row: { sentence_good: 'a', sentence_bad: 'b' },
    is: { text: '', targets: ['A'], metrics: ['acc'] },
  },
  triviaqa: {
    yaml: [
      'validation_split: validation',
      'doc_to_text: "Question: {{question}}?\\nAnswer:"',
      'doc_to_target: "{{answer.aliases}}"',
      strip,
      match,
    ],
    row: { question: 'who', answer: { aliases: ['Ann', 'A.'] } },
    is: { text: 'Question: who?\nAnswer:', targets: ['Ann', 'A.'], metrics: ['exact_match_remove_whitespace'] },
  },
  nq_open: {
    yaml: [
      'validation_split: validation',
      'description: "Answer these questions:\\n\\n"',
      'doc_to_text: "Q: {{question}}?\\nA:"',
      'doc_to_target: "{{answer}}"',
      strip,
      'metric_list: [{metric: exact_match, ignore_case: true, regexes_to_ignore: ["\\\\b(?:The |the |An |A |a |an )"]}]',
    ],
    row: { question: 'who', answer: ['Ann'] },
    is: { text: 'Q: who?\nA:', targets: ['Ann'], metrics: ['exact_match_remove_whitespace'] },
  },
  mgsm: {
    yaml: [
      'test_split: test',
      'target_delimiter: ""',
      'doc_to_text: \'{% if answer is not none %}{{question+"\\nAnswer:"}}{% else %}{{"Question: "+question+"\\nAnswer:"}}{% endif %}\'',
      "doc_to_target: '{{answer_number|string}}'",
      'filter_list:\n  - filter: [{function: regex, group_select: -1, regex_pattern: "(-?[$0-9.,]{2,})|(-?[0-9]+)"}, {function: take_first}]\n    name: flexible-extract',
    ],
    row: { question: 'How many?', answer: null, answer_number: 3 },
    is: { text: 'Question: How many?\nAnswer:', targets: ['3'], metrics: ['exact_match_flexible-extract'] },
  },
  translation: {
    yaml: [
      'test_split: test',
      'doc_to_text: \'English phrase: {{translation["en"]}}\n\n  Arabic phrase:\'',
      'doc_to_target: \' {{translation["ar"]}}\'',
      'metric_list: [{metric: bleu}, {metric: ter}, {metric: chrf}]',
    ],
    row: { translation: { en: 'yes', ar: 'نعم' } },
    is: { text: 'English phrase: yes\nArabic phrase:', targets: [' نعم'], metrics: ['bleu', 'ter', 'chrf'] },
  },
  wmt2016: {
    yaml: [
      'validation_split: validation',
      'doc_to_text: "translate: {{translation.en}}"',
      'doc_to_target: "{{translation.ro}}"',
      'metric_list: [{metric: comet, aggregation: mean}, {metric: !function metrics.bleu}]',
    ],
    row: { translation: { en: 'a', ro: 'b' } },
    not: /None of its metrics can be imported: "comet", which is not known here; "metrics.bleu", because it is Python/,
  },
  summarization: {
    yaml: [
      'test_split: test',
      'doc_to_text: "Article: {{article}}\\nSummary:"',
      'doc_to_target: "{{highlights}}"',
      'metric_list: [{metric: rouge1}, {metric: rougeLsum, aggregation: mean}]',
    ],
    row: { article: 'A.', highlights: 'B.' },
    is: { text: 'Article: A.\nSummary:', targets: ['B.'], metrics: ['rouge1', 'rougeLsum'] },
  },
  ifeval: {
    yaml: ['test_split: train', 'doc_to_text: prompt', 'doc_to_target: 0', 'process_results: !function utils.process_results'],
    row: { prompt: 'x' },
    not: /"process_results" is "!function utils.process_results", which is Python/,
  },
  humaneval: {
    yaml: ['test_split: test', 'unsafe_code: true', 'doc_to_text: "{{prompt}}"', 'doc_to_target: "{{test}}"'],
    row: { prompt: 'x', test: 'y' },
    not: /"unsafe_code" runs answers as programs/,
  },
  drop: {
    yaml: [
      'validation_split: validation',
      'process_docs: !function utils.process_docs',
      'doc_to_text: "{{passage}} {{question}}"',
      'doc_to_target: "{{ answer|join(\',\')}}"',
    ],
    row: { passage: 'x' },
    not: /"process_docs"/,
  },
  squadv2: {
    yaml: ['class: !function task.SQuAD2', 'task: squadv2'],
    row: { id: 'x' },
    not: /"class" is "!function task.SQuAD2", which is Python/,
  },
  ceval: {
    yaml: [
      'validation_split: val',
      'fewshot_config: {sampler: first_n}',
      choice,
      'doc_to_text: "{{question.strip()}}\\nA. {{A}}\\nB. {{B}}\\n答案："',
      'doc_to_choice: ["A", "B"]',
      "doc_to_target: \"{{['A', 'B'].index(answer)}}\"",
      'description: "以下是中国关于历史的单项选择题。\\n\\n"',
      'target_delimiter: ""',
      acc,
    ],
    row: { question: '哪个?', A: '甲', B: '乙', answer: 'B' },
    is: { text: '哪个?\nA. 甲\nB. 乙\n答案：', targets: ['B'], metrics: both },
  },
  unscramble: {
    yaml: [
      'validation_split: validation',
      'doc_to_text: "{{context}}"',
      'doc_to_target: "{{completion}}"',
      'metric_list: [{metric: exact_match, aggregation: median}]',
    ],
    row: { context: 'tac is', completion: 'cat' },
    is: { text: 'tac is', targets: ['cat'], metrics: ['exact_match'] },
  },
  ner: {
    yaml: [
      'test_split: test',
      'doc_to_text: "Tag: {{text}}"',
      'doc_to_target: target',
      'filter_list: [{name: flexible, filter: [{function: format_span}, {function: take_first}]}]',
      'metric_list: [{metric: exact_match}]',
    ],
    row: { text: 'Ann', target: 'per: ann' },
    is: { text: 'Tag: Ann', targets: ['per: ann'], metrics: ['exact_match_flexible'] },
  },
  belebele_instruct: {
    yaml: ['test_split: test', 'gen_prefix: "The answer is"', 'doc_to_text: q', 'doc_to_target: a', 'metric_list: [{metric: wer}]'],
    row: { q: 'x', a: 'A' },
    is: { text: 'x', targets: ['A'], metrics: ['wer'] },
  },
  toxigen: {
    yaml: [
      'test_split: test',
      choice,
      'doc_to_text: "Is the following statement hateful? \'{{text}}\'."',
      'doc_to_target: "{{ (toxicity_ai + toxicity_human) > 5.5 }}"',
      'doc_to_choice: ["False", "True"]',
      acc,
    ],
    row: { text: 'x', toxicity_ai: 1, toxicity_human: 5 },
    is: { text: "Is the following statement hateful? 'x'.", targets: ['B'], metrics: both },
  },
}

describe('tasks of lm-evaluation-harness', () => {
  test('are of at least forty families', () => expect(Object.keys(families).length).toBeGreaterThanOrEqual(40))

  test.each(Object.entries(families))('%s', async (name, { yaml, row, is, not, warns }) => {
    const task = /^task:/m.test(yaml.join('\n')) ? [] : [`task: ${name}`]
    const split =
      /^(?:test_split|validation_split): (?!null)(\w+)/m.exec(
        yaml.find(line => /^test_split: (?!null)/.test(line)) ?? yaml.find(line => line.startsWith('validation_split')) ?? '',
      )?.[1] ?? 'test'
    const found = await lookAt('lm_eval_yaml', [
      { name: `${name}.yaml`, content: [...task, ...yaml].join('\n') },
      { name: `${split}.jsonl`, content: lines(row) },
    ])
    if (not) {
      expect(found.definition).toBeNull()
      expect(found.tasks).toEqual([])
      expect(found.problems[0]?.message).toMatch(not)
      return
    }
    expect(found.problems).toEqual([])
    expect(found.tasks[0]).toMatchObject({ fields: { text: is?.text }, targets: is?.targets })
    expect(found.definition?.profiles[0]?.metrics.map(({ id }) => id)).toEqual(is?.metrics)
    expect(found.warnings.join('\n')).toMatch(warns ?? /^/)
  })
})

test('is read as PyYAML reads it: of a repeated key the last, and quoted texts that go on at the margin', async () => {
  const { tasks, problems, definition } = await lookAt('lm_eval_yaml', [
    {
      name: 't.yaml',
      content: `task: t\ntest_split: test\nnum_fewshot: 3\noutput_type: multiple_choice\ndoc_to_choice: '{{[q+", eh?\n"+a, "it''s"]}}'\ndoc_to_text: "one \\"\ntwo"\ndoc_to_target: 0\nnum_fewshot: 0\n`,
    },
    { name: 'test.jsonl', content: lines({ q: 'x', a: 'y' }) },
  ])
  expect(problems).toEqual([])
  expect(tasks[0]).toMatchObject({ fields: { text: 'one " two' }, choices: ['x, eh? y', "it's"] })
  expect(definition?.profiles.map(({ key }) => key)).toEqual(['zero-shot', 'by-letter'])
})

test('takes no notice of Python in what it includes and says otherwise itself', async () => {
  const base = 'test_split: test\ndoc_to_text: q\ndoc_to_target: !function utils.target\nprocess_docs: !function utils.docs\n'
  const own = 'include: _base\ntask: t\ndoc_to_target: a\n'
  const look = (text: string) =>
    lookAt('lm_eval_yaml', [
      { name: 't.yaml', content: text },
      { name: '_base', content: base },
      { name: 'test.jsonl', content: lines({ q: 'x', a: 'y' }) },
    ])
  expect((await look(own)).problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('"process_docs" is "!function utils.docs"'),
  ])
  const { problems, tasks } = await look(`${own}process_docs: null\n`)
  expect(problems).toEqual([])
  expect(tasks[0]?.targets).toEqual(['y'])
})

test('writes choices that are no texts as Python does', async () => {
  const nestedChoices = { q: 'x', list: "[[2.0, 1.0], {2: 'b', 1: (0.5,)}, (12345678901234567890, True), [[], 'a']]" }
  const { tasks, problems } = await lookAt('lm_eval_yaml', [
    {
      name: 't.yaml',
      content: 'task: t\ntest_split: test\noutput_type: multiple_choice\ndoc_to_text: q\ndoc_to_choice: "{{list}}"\ndoc_to_target: 3\n',
    },
    { name: 'test.jsonl', content: lines({ q: 'x', list: `[['x', None, "it's"], {'k': 1}, 2.0, None]` }, nestedChoices) },
  ])
  expect(problems).toEqual([])
  expect(tasks[0]).toMatchObject({ choices: [`['x', None, "it's"]`, "{'k': 1}", '2.0', 'None'], targets: ['D'] })
  expect(tasks[1]?.choices).toEqual(['[2.0, 1.0]', "{2: 'b', 1: (0.5,)}", '(12345678901234567890, True)', "[[], 'a']"])
})

const upTo = (count: number) => Array.from({ length: count }, (_, i) => String(i))

test.each([
  ['numbers up to 59', upTo(60), 30, '5'],
  ['numbers up to 29', upTo(30), 26, '1'],
  ['numbers, with a letter as the label', upTo(30), 1, 'B'],
  ['letters in another order', ['B', 'A'], 0, 'A'],
  ['letters in order', ['A', 'B', 'C', 'D'], 2, 'C'],
  ['letters, by their text', ['B', 'A', 'C'], 'A', 'B'],
  ['the text of the label twice', ['B', 'B'], 1, 'B'],
])('grades one right choice of %s in every profile', async (_, list, right, label) => {
  const yaml = 'task: t\ntest_split: test\noutput_type: multiple_choice\ndoc_to_text: q\ndoc_to_choice: list\ndoc_to_target: n\n'
  const { tasks, definition, problems } = await lookAt('lm_eval_yaml', [
    { name: 't.yaml', content: yaml },
    { name: 'test.jsonl', content: lines({ q: 'x', list, n: right }) },
  ])
  expect(problems).toEqual([])
  const { targets = [], choices, metadata } = tasks[0] ?? {}
  expect(targets).toEqual([label])
  const at = typeof right === 'number' ? right : list.indexOf(right)
  const outputs: Readonly<Record<string, (place: number) => string>> = {
    'zero-shot': place => JSON.stringify({ loglikelihoods: list.map((_text, i) => (i === place ? -1 : -9)) }),
    'by-letter': place => `ANSWER: ${choiceLabel(place)}`,
  }
  const texts = { ...(choices && { choices }), ...(metadata && { metadata }) }
  const graded = definition?.profiles.flatMap(({ key, metrics }) =>
    metrics
      .filter(({ id }) => id !== 'acc_norm')
      .map(({ scorer, options }) => [
        scorer,
        list.flatMap((text, i) => (valueOf(scorer, options, outputs[key]?.(i) ?? '', targets, texts) === 1 ? [text + i] : [])),
      ]),
  )
  // Choices with the same text are one where a person reads them.
  const alike = list.flatMap((text, i) => (text === list[at] ? [text + i] : []))
  const only = [`${list[at]}${at}`]
  expect(graded).toEqual([
    ['lm_eval/multiple_choice', only],
    ['assay/choice', alike],
    ['inspect_ai/choice', only],
  ])
})

describe('the beginning of the answer', () => {
  // As `build_qa_turn` of lm_eval/api/task.py joins question, prefix and answer.
  test.each([
    ['The answer is', 'x', ' The answer is', 'x The answer is B\n\n'],
    ['{{lead}}', 'x\n', 'A: ', 'x\nA: B\n\n'],
    ['lead', 'x', ' A: ', 'x A: B\n\n'],
    ['"\\nSo "', 'x', '\nSo ', 'x\nSo B\n\n'],
  ])('%j after %j ends the prompt and each example', async (prefix, text, begun, shot) => {
    const row = { q: text, a: 'B', lead: 'A: ' }
    const yaml = `task: t\ntest_split: test\nfewshot_split: dev\nnum_fewshot: 1\ndoc_to_text: "{{q}}"\ndoc_to_target: a\ngen_prefix: ${/[{}]/.test(prefix) ? `"${prefix}"` : prefix}\n`
    const { tasks, shots, definition } = await lookAt('lm_eval_yaml', [
      { name: 't.yaml', content: yaml },
      { name: 'test.jsonl', content: lines(row) },
      { name: 'dev.jsonl', content: lines(row) },
    ])
    expect(tasks[0]?.fields).toEqual({ text, gen_prefix: begun })
    expect(shots).toEqual([{ fields: { shot } }])
    expect(definition?.profiles.map(({ promptTemplate }) => promptTemplate)).toEqual(['{text}{gen_prefix}', '{text}{gen_prefix}'])
    expect(definition?.knownLimits.join(' ')).toContain('"gen_prefix"')
  })
})

test('worked examples with pictures are refused, since worked examples are text', async () => {
  const row = { q: 'Which?', a: 'B', image: null }
  const yaml =
    'task: t\ntest_split: test\nfewshot_split: dev\nnum_fewshot: 1\ndoc_to_text: "{{q}}"\ndoc_to_target: a\ndoc_to_image: image\n'
  const { problems } = await lookAt('lm_eval_yaml', [
    { name: 't.yaml', content: yaml },
    { name: 'test.jsonl', content: lines(row) },
    { name: 'dev.jsonl', content: lines(row) },
  ])
  expect(problems.map(({ message }) => message).join(' ')).toContain('Set "num_fewshot" to 0')
})
