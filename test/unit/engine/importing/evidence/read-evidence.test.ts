import { describe, expect, test } from 'vitest'
import type { EvidenceFormat } from '../../../../../src/contract/releases/evidence.schemas.ts'
import { type AnalysisOptions, analyzeEvidence } from '../../../../../src/engine/importing/evidence/analyze-evidence.ts'
import { EvidenceError, type EvidenceFile, type EvidenceMapping } from '../../../../../src/engine/importing/evidence/evidence-file.ts'
import { readEvidence } from '../../../../../src/engine/importing/evidence/read-evidence.ts'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'
import { makeZip } from '../../../../support/make-zip.ts'

const read = (format: EvidenceFormat, content: string | Buffer, mapping: EvidenceMapping = {}) =>
  readEvidence(format, Buffer.from(content), mapping)
const json = (value: unknown) => JSON.stringify(value)
const analyze = (file: EvidenceFile, options: Partial<AnalysisOptions>) =>
  analyzeEvidence(file, { suite: null, namesTasks: false, ...options })
const values = async (format: EvidenceFormat, content: string | Buffer, mapping: EvidenceMapping = {}) =>
  (await read(format, content, mapping)).rows.map(({ task, value }) => [task, value])

const inspectLog = (log: object = {}, samples: readonly object[] = [{ id: 1, epoch: 1, scores: { match: { value: 'C' } } }]) => ({
  status: 'success',
  eval: { task: 't', model: 'm' },
  samples,
  ...log,
})

describe('an Inspect log', () => {
  test('gives each sample’s score; NaN, errors and invalidated samples are unscored', async () => {
    const text = `{"status": "success", "eval": {"task": "t", "model": "m"}, "samples": [
      {"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}}, {"id": "b", "epoch": 1, "scores": {"match": {"value": NaN}}},
      {"id": 3, "epoch": 1, "error": {"message": "x"}, "scores": {"match": {"value": "C"}}},
      {"id": 4, "epoch": 1, "invalidation": {"reason": "x"}, "scores": {"match": {"value": "C"}}}, {"id": 5, "epoch": 1, "scores": {"match": {"value": "P"}}}]}`
    expect(await values('inspect', text)).toEqual([
      ['1', 1],
      ['b', null],
      ['3', null],
      ['4', null],
      ['5', 0.5],
    ])
  })

  test.each([
    ['cancelled', { status: 'cancelled' }],
    ['failed', { status: 'error' }],
    ['unfinished', { status: 'started' }],
    ['invalidated', { invalidated: true }],
  ])('that is %s is blocked', async (_, log) => {
    expect((await read('inspect', json(inspectLog(log)))).blocked).not.toBeNull()
    expect((await read('inspect', json(inspectLog()))).blocked).toBeNull()
  })

  test('as a list is refused as JSON, not as an archive', async () => {
    await expect(read('inspect', json([inspectLog()]))).rejects.toThrow('a log of Inspect')
    await expect(read('inspect', json([inspectLog()]))).rejects.not.toThrow('zip')
  })

  test('as an archive reads like the same log as JSON, and a scorer of several values gives one metric for each', async () => {
    const samples = [{ id: 1, epoch: 1, scores: { both: { value: { exact: 1, loose: 0 } } } }]
    const { samples: _, ...header } = inspectLog()
    const zip = makeZip([
      { name: 'header.json', content: Buffer.from(json(header)) },
      { name: 'samples/1_epoch_1.json', content: Buffer.from(json(samples[0])) },
    ])
    const mapping = { valueField: 'both/loose' }
    expect(await values('inspect', zip, mapping)).toEqual([['1', 0]])
    expect((await read('inspect', zip, mapping)).rows).toEqual((await read('inspect', json(inspectLog({}, samples)), mapping)).rows)
  })
})

describe('lm-evaluation-harness', () => {
  test('results give figures with their own standard errors, in the older and the newer form', async () => {
    const older = await read('lm_eval', json({ results: { sciq: { acc: 0.5, acc_stderr: 0.1 } } }))
    const newer = await read(
      'lm_eval',
      json({
        results: { sciq: { alias: 'sciq', 'acc,none': 0.5, 'acc_stderr,none': 0.1, 'em,strict': 1, 'em_stderr,strict': 'N/A' } },
        'n-samples': { sciq: { original: 9, effective: 8 } },
      }),
    )
    expect(older.figures).toEqual([{ name: 'acc', group: 'sciq', label: null, value: 0.5, standardError: 0.1, n: null }])
    expect(newer.figures).toEqual([
      { name: 'acc', group: 'sciq', label: null, value: 0.5, standardError: 0.1, n: 8 },
      { name: 'em,strict', group: 'sciq', label: null, value: 1, standardError: null, n: 8 },
    ])
  })

  test('samples give a value for each document, by one filter', async () => {
    const line = (doc_id: number, filter: string, value: number) =>
      json({ doc_id, doc: { id: `d${doc_id}` }, filter, metrics: ['em'], em: value })
    const file = [line(0, 'strict', 1), line(0, 'flexible', 0), line(1, 'strict', 0), line(1, 'flexible', 1)].join('\n')
    expect(await values('lm_eval', file, { taskField: 'id', valueField: 'em,flexible' })).toEqual([
      ['d0', 0],
      ['d1', 1],
    ])
    expect(await values('lm_eval', file)).toEqual([
      ['0', 1],
      ['1', 0],
    ])
  })

  test('samples without the names of filters give no mean of two filters', async () => {
    const line = (doc_id: number, filtered: string, em: number) =>
      json({ doc_id, doc: {}, resps: [['So 4.']], filtered_resps: [filtered], em })
    const file = [line(0, '[invalid]', 0), line(1, '[invalid]', 0), line(0, '4', 1), line(1, '4', 1)].join('\n')
    expect(await values('lm_eval', file)).toEqual([
      ['0', 0],
      ['1', 0],
    ])
    expect(await values('lm_eval', file, { valueField: 'em,filter-2' })).toEqual([
      ['0', 1],
      ['1', 1],
    ])
  })
})

test('promptfoo gives a label for each provider, and errors are unscored', async () => {
  const result = (testIdx: number, id: string, success: boolean, failureReason: number | null = 0, more: object = {}) => ({
    testIdx,
    promptIdx: 0,
    provider: { id },
    prompt: { raw: 'p', label: 'p' },
    success,
    score: success ? 1 : 0.25,
    failureReason,
    ...more,
  })
  const refused = { response: { error: 'API error: 500' }, error: 'API error: 500' }
  const file = json({
    results: {
      results: [
        result(0, 'a', true),
        result(0, 'b', false, 1),
        result(1, 'a', false, 2, refused),
        result(1, 'b', false, null, { ...refused, error: { message: 'API error: 500' } }),
        result(2, 'a', false, null, { response: { output: '7' }, error: 'Expected 8' }),
      ],
    },
  })
  const { rows } = await read('promptfoo', file)
  expect(rows.map(({ task, label, value }) => [task, label, value])).toEqual([
    ['test-0001', 'a', 1],
    ['test-0001', 'b', 0],
    ['test-0002', 'a', null],
    ['test-0002', 'b', null],
    ['test-0003', 'a', 0],
  ])
  expect((await values('promptfoo', file, { valueField: 'score' }))[1]).toEqual(['test-0001', 0.25])
})

test('JUnit names tasks by class and name; errors and skipped tests are unscored', async () => {
  const xml = `<?xml version="1.0"?><testsuites><testsuite name="s"><testcase classname="a.B" name="one &lt;1&gt;"/>
    <testcase classname="a.B" name="two"><failure message="x">&#x41;</failure></testcase><testcase name="three"><error/></testcase>
    <testcase classname="a.B" name="four"><skipped/><system-out><![CDATA[<failure/>]]></system-out></testcase></testsuite></testsuites>`
  expect(await values('junit', xml)).toEqual([
    ['a.B::one <1>', 1],
    ['a.B::two', 0],
    ['three', null],
    ['a.B::four', null],
  ])
})

test('SARIF fails a rule by an unsuppressed error alone', async () => {
  const results = [
    { ruleId: 'r1', level: 'error' },
    { ruleIndex: 1, level: 'error', suppressions: [{ kind: 'external', status: 'accepted' }] },
    { ruleId: 'r3', level: 'error', suppressions: [{ kind: 'external', status: 'rejected' }] },
    { ruleId: 'r4', level: 'warning' },
    { ruleId: 'r5', kind: 'pass', level: 'none' },
    { ruleId: 'r6' },
  ]
  const rules = [1, 2, 3, 4, 5, 6, 7].map(i => ({ id: `r${i}`, ...(i === 6 ? { defaultConfiguration: { level: 'error' } } : {}) }))
  const log = json({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x', rules } }, results }] })
  expect(Object.fromEntries(await values('sarif', log))).toEqual({ r1: 0, r2: 1, r3: 0, r4: 1, r5: 1, r6: 0, r7: 1 })
})

test('a table names a line above its columns, which is not read', async () => {
  const file = await read('csv', '"Do not share",,\ntask_id,score,note\na,1,x\n')
  expect(file.rows).toMatchObject([{ line: 3, task: 'a', value: 1 }])
  expect(file.cautions).toEqual(['Line 1 was not read. It is above the names of the columns: "Do not share".'])
})

test('a table is read by its usual columns, with words and numbers', async () => {
  expect(await values('csv', 'task_id,passed\na,pass\nb,0\nc,TRUE\nd,\ne,2.5e-1\n')).toEqual([
    ['a', 1],
    ['b', 0],
    ['c', 1],
    ['d', null],
    ['e', 0.25],
  ])
  // What the advice for reports of SWE-bench and Terminal-Bench says to send.
  expect(await values('csv', 'instance_id,resolved\nx,True\n')).toEqual([['x', 1]])
  expect(await values('csv', 'task_id,is_resolved\nx,false\n')).toEqual([['x', 0]])
  expect(await values('csv', 'case;ok\nx;1\n', { taskField: 'case', valueField: 'ok' })).toEqual([['x', 1]])
})

describe('a hostile or broken file is refused with its place and reason', () => {
  const cases: readonly [EvidenceFormat, string | Buffer, RegExp, EvidenceMapping?][] = [
    ['junit', '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "b">]>\n<testsuite/>', /^Line 2: .*DOCTYPE/],
    ['junit', '<testsuite>\n<testcase name="a">\n</testsuite>', /^Line 3: Not valid XML at column \d+/],
    ['junit', '<testsuite><testcase name="&boom;"/></testsuite>', /^Line 1: Not valid XML.*undefined entity/i],
    ['junit', '<html/>', /^Download the file itself, not the page that shows it/],
    ['junit', `<testsuites>${'<testsuite>'.repeat(100)}`, /nested deeper/],
    ['junit', '<testsuites/>', /no test case/],
    ['inspect', '{"status": "success",\n "eval": }', /^Put a value, texts in double quotes, at line 2, column 10/],
    ['inspect', '{"status": "success", "samples": []}', /"eval"/],
    ['inspect', Buffer.from('PK\u0003\u0004 broken'), /not a zip archive/],
    ['inspect', Buffer.from([0, 0, 0, 0, 20, 0, 0xff, 0xfe]), /not a zip archive/],
    ['inspect', makeZip([{ name: '../header.json', content: Buffer.from('{}') }]), /name that is refused/],
    ['inspect', makeZip([{ name: 'x.json', content: Buffer.from('{}') }]), /no header/],
    ['inspect', makeZip([{ name: 'header.json', content: Buffer.from('{\n') }]), /"header.json": Put a key in double quotes at line 2/],
    ['lm_eval', '{"doc_id": 0, "metrics": ["em"], "em": 1}\n{"doc_id": 1,', /^Line 2: Put a key in double quotes/],
    ['lm_eval', '{"configs": {}}', /"results"/],
    ['promptfoo', '{"results": {"table": {}}}', /promptfoo of version 3: "results.results"/],
    ['promptfoo', '{"results": {"results": [{"testIdx": -1}]}}', /results\.results\[0\]/],
    ['sarif', '{"version": "2.1.0", "runs": [{"tool": {"driver": {}}, "results": [{}]}]}', /runs\[0\]\.results\[0\] names no rule/],
    ['sarif', '{"version": "1.0.0", "runs": []}', /SARIF 1\.0\.0/],
    ['csv', 'task_id,score\na,1\nb,maybe\n', /^Line 3: .*"maybe"/],
    ['csv', 'task_id,score\na\n', /^Line 2: The row has one cell/],
    ['csv', 'foo,bar\n1,2\n', /^Line 1: No column has a usual name for the task; the file has "foo", "bar"/],
    ['csv', 'task_id,score\na,1\n', /no column "x"/, { valueField: 'x' }],
    ['csv', Buffer.from([0xff, 0xfe, 0x61, 0x00]), /not UTF-8/],
    ['sarif', Buffer.from([0xff, 0xfe, 0x61, 0x00]), /looks like UTF-16/],
    ['manual', '{"text": "x", "figures": [{"metric": "m"}]}', /figures\[0\]\.value/],
  ]
  test.each(cases.map(([format, content, message, mapping]) => ({ format, content, message, mapping })))(
    '$format %#',
    async ({ format, content, message, mapping }) => {
      const refused = await read(format, content, mapping ?? {}).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(EvidenceError)
      expect(String(refused instanceof Error ? refused.message : '')).toMatch(message)
    },
  )
})

describe('an analysis', () => {
  const suite = ['a', 'b', 'c'].map(taskId => ({ group: 'g', sourceRef: 'eval://x/y/1', taskId, text: '' }))

  test('finds the suite’s tasks, takes the mean of several answers, and says what is missing', async () => {
    const file = await read('csv', 'task_id,score\na,1\na,0\nb,1\nz,1\n')
    const analysis = analyze(file, { suite })
    expect(analysis).toMatchObject({ rows: 4, mapped: 3, unmappedCount: 1, blocked: null })
    expect(analysis.unmapped).toEqual([{ task_id: 'z', line: 5, reason: 'The suite has no task of this id.' }])
    expect(analysis.tasks.map(task => [task.task_id, task.value, task.class])).toEqual([
      ['a', 0.5, 'partial'],
      ['b', 1, 'pass'],
    ])
    expect(analysis.cautions.join(' ')).toMatch(
      /1 of 4 rows belongs to no task.*1 of 3 tasks of the suite has no value.*One task has several answers/,
    )
  })

  test('tells sources with the same task ids apart', async () => {
    const twice = [...suite, { group: 'h', sourceRef: 'eval://x/z/1', taskId: 'a', text: '' }]
    const file = await read('csv', 'task_id,score\na,1\neval://x/z/1#a,0\n')
    const analysis = analyze(file, { suite: twice })
    expect(analysis.unmapped[0]?.reason).toMatch(/Several sources/)
    expect(analysis.tasks).toMatchObject([{ source_ref: 'eval://x/z/1', group: 'h', value: 0 }])
  })

  test('with pass_at turns values into passes, and counts a proportion', async () => {
    const file = await read('csv', 'task_id,latency\na,4\nb,9\nc,\n', { valueField: 'latency' })
    expect(analyze(file, { suite: null }).cautions.join()).toMatch(/pass_at/)
    const { metrics, tasks } = analyze(file, { suite: null, passAt: 5 })
    expect(tasks.map(task => task.class)).toEqual(['fail', 'pass', 'unscored'])
    expect(metrics).toMatchObject([{ name: 'latency', n: 2, mean: 0.5, interval: { method: 'wilson' } }])
  })

  test('asks for one label where there are several', async () => {
    const file = await read('csv', 'task_id,score,model\na,1,x\na,0,y\n')
    expect(analyze(file, { suite: null }).cautions.join()).toMatch(/2 labels/)
    expect(analyze(file, { suite: null, label: 'y' }).metrics).toMatchObject([{ label: 'y', n: 1, mean: 0 }])
    expect(() => analyze(file, { suite: null, label: 'q' })).toThrow(/no label "q"/)
  })

  test('of more than 100,000 tasks is refused, and one of 100,000 takes under 5 s of processor time', async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `t${i},${i % 2}`)
    const spent = await cpuMsOf(async () => {
      const file = await read('csv', `task_id,score\n${lines.join('\n')}\n`)
      expect(analyze(file, { suite: null })).toMatchObject({ rows: 100_000 })
    })
    expect(spent).toBeLessThan(5_000 * slowness())
    const more = await read('csv', `task_id,score\n${lines.join('\n')}\nlast,1\n`)
    expect(() => analyze(more, {})).toThrow(/^Line 100002: The file has more than 100000 tasks/)
  })
})

describe('tasks of a suite', () => {
  const suite = ['How many eggs are left?', 'How far does the train go?', 'What does a ticket cost?'].map((text, i) => ({
    group: 'g',
    sourceRef: 'eval://x/y/1',
    taskId: `test-000${i + 1}`,
    text,
  }))
  const promptfoo = (questions: readonly string[]) =>
    read(
      'promptfoo',
      json({
        results: {
          results: questions.map((question, testIdx) => ({
            testIdx,
            provider: 'openai:gpt-5',
            vars: { question },
            success: true,
            score: 1,
          })),
        },
      }),
    )

  test('are found by their question, in whatever order the file has them', async () => {
    const { tasks, pairs, labels } = analyze(await promptfoo(['What does a  ticket cost?', 'How many eggs are left?']), { suite })
    expect(tasks.map(({ task_id }) => task_id)).toEqual(['test-0003', 'test-0001'])
    expect(pairs[0]).toEqual({
      task_id: 'test-0003',
      by: 'text',
      file_text: 'What does a  ticket cost?',
      task_text: 'What does a ticket cost?',
    })
    expect(labels).toEqual(['openai:gpt-5'])
  })

  test('are not riddles that stand at the same positions', async () => {
    const { mapped, unmapped } = analyze(await promptfoo(['What has keys but no locks?', 'What gets wet while drying?']), { suite })
    expect(mapped).toBe(0)
    expect(unmapped.map(({ reason }) => reason)).toEqual([
      'No task of the suite has this question.',
      'No task of the suite has this question.',
    ])
  })

  test('are refused to a file that has positions alone, until it is said which field holds the ids', async () => {
    const numbered = suite.map((task, i) => ({ ...task, taskId: String(i + 1) }))
    const log = await read('inspect', json(inspectLog()))
    expect(analyze(log, { suite: numbered }).unmapped[0]?.reason).toMatch(/by position only.*Set task_field/)
    expect(analyze(log, { suite: numbered, namesTasks: true })).toMatchObject({ mapped: 1, pairs: [{ task_id: '1', by: 'id' }] })
  })

  test('of the same id and another question are refused, and named where the id was stated', async () => {
    const file = await read('csv', 'task_id,question,score\ntest-0001,What has keys but no locks?,1\n')
    expect(analyze(file, { suite }).unmapped[0]?.reason).toBe('The task of this id has another question.')
    const named = analyze(file, { suite, namesTasks: true })
    expect(named.mapped).toBe(1)
    expect(named.cautions.join()).toMatch(/One row was matched by the id that you named, but the task asks another question/)
  })
})

describe('a file of another tool that was sent as evidence in a wrong format', () => {
  const log = JSON.stringify({ version: 2, status: 'success', eval: { task: 't' }, samples: [] })
  test.each([
    ['sarif', log, 'Send this file as evidence of a release with the format "inspect": it holds results of Inspect.'],
    [
      'promptfoo',
      '<testsuites><testsuite/></testsuites>',
      'Send this file as evidence of a release with the format "junit": it holds test results of JUnit.',
    ],
    ['inspect', JSON.stringify({ resourceSpans: [] }), 'Send this file to POST /v1/traces: it holds traces in OTLP.'],
    ['lm_eval', 'prompts: [a]\ntests: []\n', null],
    ['junit', JSON.stringify([{ id: 'a', model_patch: 'x' }]), 'Patches are tested in repositories, which Assay does not run.'],
  ] as const)('as %s says what to do', async (format, content, message) => {
    const reading = readEvidence(format, Buffer.from(content), {})
    await (message === null ? expect(reading).rejects.toThrow() : expect(reading).rejects.toThrow(message))
  })

  test('keeps the fault of a row where the rows before it were read', async () => {
    const rows = ['id,score,traceId,timestamp', 'a,1,t,1', 'b,good,t,2'].join('\n')
    await expect(readEvidence('csv', Buffer.from(rows), {})).rejects.toThrow(
      /^Line 3: The column "score" has "good", which is not a number.*Export the dataset run/,
    )
    const unnamed = rows.replace('id,score', 'span,cost')
    await expect(readEvidence('csv', Buffer.from(unnamed), {})).rejects.toThrow(/^Export the dataset run/)
  })

  test('in its own format keeps what is wrong with it', async () => {
    const broken = readEvidence('junit', Buffer.from('<testsuites><testsuite>'), {})
    await expect(broken).rejects.toThrow(EvidenceError)
    await expect(broken).rejects.not.toThrow('as evidence of a release')
  })
})
