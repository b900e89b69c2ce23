import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatsAs } from '../../../../src/contract/catalog/file-formats.ts'
import { AnswerFormat } from '../../../../src/contract/answers/answers.schemas.ts'
import { openAnswers } from '../../../../src/engine/importing/answers/open-answers.ts'
import { readExamples } from '../../../../src/engine/importing/datasets/read-examples.ts'
import { describeMisplaced } from '../../../../src/engine/importing/known-files.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { collect } from './files/given.ts'
import { lines } from './files/look-at.ts'

interface Known {
  readonly name: string
  readonly content: unknown
  /** What the message says that it is. */
  readonly is: RegExp
  /** Formats that read it, so that nothing is said. */
  readonly read?: readonly string[]
}

const figures = (more: object) => ({ results: { a: { acc: 0.5, acc_stderr: 0.1 } }, versions: {}, ...more })
const sample = { doc_id: 0, doc: {}, arguments: {}, resps: [], filtered_resps: [], acc: 1 }
const tested = { promptIdx: 0, testIdx: 0, testCase: {}, vars: {}, success: true }
const inspected = { version: 2, status: 'success', eval: { task: 't', model: 'm' }, samples: [] }
const called = { custom_id: '1', method: 'POST', url: '/v1/chat/completions', body: {} }
const stat = { name: { name: 'exact_match', split: 'test' }, count: 1, sum: 1, sum_squared: 1, mean: 1 }

const known: readonly Known[] = [
  {
    name: 'results_1.json',
    content: figures({ configs: {} }),
    is: /figures of lm-evaluation-harness/,
    read: ['tool_results', 'lm_eval_samples'],
  },
  {
    name: 'results_1.json',
    content: figures({ config_general: {} }),
    is: /figures of lighteval/,
    read: ['tool_results', 'lm_eval_samples'],
  },
  { name: 'samples_a_1.jsonl', content: lines(sample), is: /results of lm-evaluation-harness/, read: ['lm_eval_samples'] },
  { name: 'a.yaml', content: 'task: a\ndoc_to_text: "{{q}}"\n', is: /a task of lm-evaluation-harness/, read: ['lm_eval_yaml'] },
  { name: 'a.yaml', content: 'prompts: [a]\ntests: []\n', is: /a configuration of promptfoo/, read: ['promptfoo_yaml'] },
  { name: 'a.csv', content: 'q,__expected\n1,2\n', is: /tests of promptfoo/, read: ['promptfoo_csv'] },
  { name: 'out.csv', content: 'q,"[openai:gpt-4] Say {{q}}"\n1,"[PASS] 2"\n', is: /results of promptfoo without what was tested/ },
  {
    name: 'out.json',
    content: { evalId: 'e', results: { version: 3, results: [] } },
    is: /results of promptfoo/,
    read: ['promptfoo_results'],
  },
  { name: 'out.jsonl', content: lines(tested), is: /results of promptfoo/, read: ['promptfoo_results'] },
  { name: 'log.json', content: inspected, is: /results of Inspect/, read: ['inspect_log'] },
  {
    name: 'r.yaml',
    content: 'a:\n  class: evals.elsuite.basic.match:Match\n',
    is: /registry of OpenAI evals/,
    read: ['openai_evals_jsonl'],
  },
  { name: 'm.yaml', content: 'a:\n  choice_strings: ABC\n', is: /how OpenAI evals grade/, read: ['openai_evals_jsonl'] },
  {
    name: 's.jsonl',
    content: lines({ input: 'a', ideal: 'b' }),
    is: /samples of OpenAI evals/,
    read: ['openai_evals_jsonl', 'jsonl', 'json'],
  },
  { name: 'scenario_state.json', content: { adapter_spec: {}, request_states: [] }, is: /results of HELM/, read: ['tool_results'] },
  { name: 'stats.json', content: [stat], is: /what HELM writes/, read: ['tool_results'] },
  { name: 'scenario.json', content: { name: 'a', definition_path: 'x' }, is: /a scenario of HELM/ },
  { name: 'p.jsonl', content: lines({ instance_id: 'a', model_patch: 'd' }), is: /what SWE-bench writes/, read: ['tool_results'] },
  { name: 'b.json', content: [{ model_a: 'a', model_b: 'b', winner: 'tie' }], is: /Chatbot Arena/, read: ['tool_results'] },
  {
    name: 's.jsonl',
    content: lines({ task_id: 'HumanEval/0', completion: 'x' }),
    is: /programs that EvalPlus/,
    read: ['evalplus_samples'],
  },
  { name: 'in.jsonl', content: lines(called), is: /calls for a batch/ },
  { name: 'out.jsonl', content: lines({ custom_id: '1', response: {} }), is: /the output of a batch/, read: ['jsonl'] },
  {
    name: 'out.jsonl',
    content: lines({ custom_id: '1', result: { type: 'succeeded' } }),
    is: /the output of a batch/,
    read: ['jsonl'],
  },
  { name: 'out.jsonl', content: lines({ key: '1', response: { candidates: [] } }), is: /the output of a batch/, read: ['jsonl'] },
  {
    name: 'BFCL_v4_multi_turn_base.json',
    content: { id: 'a', question: [], involved_classes: [] },
    is: /tasks of BFCL with several turns/,
  },
  { name: 'BFCL_v4_memory.json', content: { id: 'a', question: [], scenario: 'x' }, is: /tools that Assay does not have/ },
  { name: 'BFCL_v4_simple_python.json', content: { id: 'a', ground_truth: [] }, is: /questions of BFCL, or the right calls/ },
  { name: 'BFCL_v4_multiple_result.json', content: { id: 'a', result: 'f()' }, is: /answers of a model to BFCL/, read: ['jsonl'] },
  { name: 'dev.json', content: { data: [{ title: 't', paragraphs: [{ context: 'c', qas: [] }] }] }, is: /articles of SQuAD/ },
  { name: 'm_MMBench.csv', content: 'index,question,prediction\n1,a,b\n', is: /what VLMEvalKit writes/, read: ['tool_results', 'csv'] },
  { name: 'r.csv', content: 'user_input,response\na,b\n', is: /what Ragas writes/, read: ['tool_results', 'csv', 'json', 'jsonl'] },
  { name: 'a.sarif', content: { $schema: 'sarif-2.1.0', runs: [] }, is: /findings in SARIF/ },
  { name: 'junit.xml', content: '<?xml version="1.0"?>\n<testsuites/>', is: /test results of JUnit/ },
  { name: 'traces.json', content: { resourceSpans: [] }, is: /traces in OTLP/ },
  { name: 'dataset_infos.json', content: { default: {} }, is: /no rows/ },
  { name: 'utils.py', content: 'def f(): pass', is: /a program/ },
  // Its last key is beyond what is looked at.
  { name: 'run.ipynb', content: { cells: ['x'.repeat(70_000)], nbformat: 4 }, is: /a notebook/ },
  { name: 'data.jsonl', content: 'version https://git-lfs.github.com/spec/v1\n', is: /a Git LFS pointer/ },
  { name: 'page.html', content: '<!doctype html><title>404</title>', is: /a web page/ },
]

const formats: readonly string[] = [...new Set([...formatsAs('benchmark'), ...formatsAs('examples'), ...AnswerFormat.options])]

async function given<Found>(
  files: readonly { readonly name: string; readonly content: unknown }[],
  use: (files: { name: string; path: string }[]) => Promise<Found>,
) {
  const folder = temporaryFolder()
  try {
    return await use(
      files.map(({ name, content }, i) => {
        const path = join(folder.path, String(i))
        writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
        return { name, path }
      }),
    )
  } finally {
    folder.remove()
  }
}

describe('a file of another tool that was sent as something else', () => {
  test.each(known)('is named, with what to do, by every format that does not read it: $name, $is', async ({ read = [], is, ...file }) => {
    await given([file], async files => {
      for (const format of formats) {
        const said = await describeMisplaced(files, format)
        if (read.includes(format)) expect(said, format).toBeNull()
        else {
          expect(said, format).toMatch(is)
          // The cure comes before what the file is.
          expect(said, format).toMatch(/^(?:Import|Send|Run|Save|Export|Download|Patches|Name|Pairwise|Judgments|Answers)\b/)
        }
      }
    })
  })

  test.each([
    ['a.jsonl', '{"question":"Does the layer map inputs to outputs given feedback?","answer":"b"}'],
    ['a.jsonl', '{"question":"Is <testsuite > valid?","answer":"b"}'],
    ['a.jsonl', '{"question":"What is SARIF?","runs":3}'],
    ['rows.xlsx', 'a workbook'],
  ])('is not what a text of a row speaks of: %s %s', async (name, content) => {
    await given([{ name, content }], async files => {
      for (const format of formats) expect(await describeMisplaced(files, format), format).toBeNull()
    })
  })

  test('is not looked for in a folder where others may be read', async () => {
    const program = { name: 'utils.py', content: 'def f(): pass' }
    await given([program, { name: 'a.yaml', content: 'task: a\ndoc_to_text: b\n' }], async files => {
      expect(await describeMisplaced(files, 'lm_eval_yaml')).toBeNull()
      expect(await describeMisplaced(files, 'csv')).toMatch(/"utils.py" holds a program/)
    })
    await given([program, { name: 'rows.jsonl', content: '{"question": "a"}' }], async files =>
      expect(await describeMisplaced(files, 'json')).toBeNull(),
    )
  })

  test('comes before what a reader finds wrong, as outputs and as examples', async () => {
    const results = { name: 'results_1.json', content: figures({ configs: {} }) }
    await given([results], async files => {
      const order = { files, mapping: {}, model: 'm', title: undefined, profileKey: 'p', shownScores: [] }
      const { facts } = await openAnswers({ ...order, format: 'json' }, [])
      expect(facts.problems.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^Import "results_1.json" as outputs, .* it holds figures of lm-evaluation-harness/),
        expect.stringMatching(/must hold a JSON list/),
      ])
      const [file = { name: '', path: '' }] = files
      const items = await collect(
        readExamples({ ...file, format: 'json', mapping: null, rules: { task: 'answer', menu: null, scoreRange: null } }),
      )
      expect(items.map(item => (item.kind === 'problem' ? item.message : item.kind))).toEqual([
        expect.stringMatching(/it holds figures of/),
        expect.stringMatching(/must hold a JSON list/),
      ])
    })
  })
})

test('examples in a list of JSON name the fields beside it', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'examples.json')
  writeFileSync(path, '{"version":1,"rows":[{"input":"a"}]}')
  const said: string[] = []
  const file = { name: 'x.json', path, format: 'json', mapping: null, rules: { task: 'answer', menu: null, scoreRange: null } } as const
  const items = await collect(readExamples(file, undefined, warning => said.push(warning)))
  folder.remove()
  expect(items.map(({ kind }) => kind)).toEqual(['example'])
  expect(said).toEqual(['Only the list "rows" is imported. Other fields of the file are not: "version".'])
})
