import { describe, expect, test } from 'vitest'
import type { FrozenProfile } from '../../../../../src/contract/quotes/quotes.schemas.ts'
import { checkComparability } from '../../../../../src/engine/reporting/comparisons/check-comparability.ts'
import { pairProfiles } from '../../../../../src/engine/reporting/comparisons/pair-profiles.ts'
import { labelRuns, type RunFrame } from '../../../../../src/engine/reporting/comparisons/run-frame.ts'
import { frame, metric, model, options, profile } from './frames.ts'

function check(baseline: RunFrame, contender: RunFrame, more: Partial<typeof options> = {}) {
  const runs = [baseline, contender]
  const { checks, refusals } = checkComparability(runs, pairProfiles(runs), { ...options, ...more })
  return {
    warned: checks.filter(({ status }) => status === 'warn').map(found => found.check),
    refused: refusals.map(found => found.check),
    checks,
    refusals,
  }
}

const withProfile = (name: string, more: Partial<FrozenProfile>) => frame(name, { profiles: [profile(more)] })

describe('two runs of the same', () => {
  test('pass every check', () => {
    const { warned, refused, checks } = check(frame('A'), frame('B'))
    expect({ warned, refused }).toEqual({ warned: [], refused: [] })
    expect(checks.map(found => found.check).sort()).toEqual([
      'benchmark_version',
      'epochs',
      'generation',
      'model',
      'outcome',
      'prompt',
      'scorer',
      'task_content',
    ])
  })
})

describe('what would mislead is refused', () => {
  test.each<[string, Partial<FrozenProfile>, string]>([
    ['another benchmark version', { profile_id: 'sums@2:plain', source_ref: 'eval://us/sums/2' }, 'benchmark_version'],
    ['other content under the same name', { version_digest: 'd'.repeat(64) }, 'task_content'],
    ['another version of the scorer', { metrics: [metric({ scorer_version: 2 })] }, 'scorer'],
    ['another scorer under the same metric', { metrics: [metric({ scorer: 'native/other' })] }, 'scorer'],
    ['other options of the scorer', { metrics: [metric({ options: { case: true } })] }, 'scorer'],
    ['another prompt for another model', { prompt_digest: 'e'.repeat(64) }, 'prompt'],
  ])('%s', (_, more, expected) => {
    const { refused, refusals } = check(frame('A'), withProfile('B', more))
    expect(refused).toEqual([expected])
    expect(refusals[0]).toMatchObject({ run: 1, message: expect.stringContaining('"B"') })
  })

  test('a prompt that differs is a caution where it is accepted, or where the model is the same', () => {
    const other = withProfile('B', { prompt_digest: 'e'.repeat(64), shots: 5 })
    expect(check(frame('A'), other, { accept_different_prompts: true })).toMatchObject({ warned: ['prompt'], refused: [] })
    expect(check(frame('A'), { ...other, model: model('A') })).toMatchObject({ warned: ['model', 'prompt'], refused: [] })
  })
})

describe('what only weakens is named', () => {
  test.each<[string, RunFrame, string, string]>([
    [
      'temperature',
      withProfile('B', { generation: { temperature: 1, max_output_tokens: 100, stop: [] } }),
      'generation',
      'temperature 0 against 1',
    ],
    [
      'length of answers',
      withProfile('B', { generation: { temperature: 0, max_output_tokens: 50, stop: ['x'] } }),
      'generation',
      'at most 100 against 50 output tokens, other stop texts',
    ],
    ['epochs', frame('B', { execution: { ...frame('x').execution, epochs: 3 } }), 'epochs', '"A" asked each task once and "B" 3 times'],
    ['an unfinished run', frame('B', { status: 'partial' }), 'outcome', '"B" ended partial'],
    ['a baseline', frame('B', { model: model('B', { is_model: false }) }), 'model', 'B is a baseline, not a model.'],
    [
      'a metric of second rank',
      withProfile('B', { metrics: [metric(), metric({ id: 'strict', primary: false, scorer_version: 2 })] }),
      'scorer',
      'strict',
    ],
  ])('%s', (_, contender, expected, text) => {
    const baseline =
      expected === 'scorer' ? withProfile('A', { metrics: [metric(), metric({ id: 'strict', primary: false })] }) : frame('A')
    const { warned, refused, checks } = check(baseline, contender)
    expect({ warned, refused }).toEqual({ warned: [expected], refused: [] })
    expect(checks.find(found => found.status === 'warn')?.detail).toContain(text)
  })

  test('profiles that only one of them ran', () => {
    const extra = profile({ profile_id: 'words@1:plain', source_ref: 'eval://us/words/1' })
    const { warned, checks } = check(frame('A', { profiles: [profile(), extra] }), frame('B'))
    expect(warned).toEqual(['benchmark_version'])
    expect(checks.find(found => found.status === 'warn')?.detail).toBe('Left out of the comparison: only "A" ran words@1:plain.')
  })
})

describe('profiles', () => {
  const five = profile({ profile_id: 'sums@1:five', shots: 5, prompt_digest: 'e'.repeat(64) })

  test('are paired by id first, then with the only one left of the same source', () => {
    const [plain, shot] = pairProfiles([frame('A', { profiles: [profile(), five] }), frame('B', { profiles: [five, profile()] })])
    expect([plain?.profileNos, shot?.profileNos]).toEqual([
      [0, 1],
      [1, 0],
    ])
    const [only] = pairProfiles([frame('A'), frame('B', { profiles: [five] })])
    expect(only?.profileNos).toEqual([0, 0])
  })

  test('are not guessed where several could be meant', () => {
    const ten = profile({ profile_id: 'sums@1:ten', shots: 10 })
    const [only] = pairProfiles([frame('A'), frame('B', { profiles: [five, ten] })])
    expect(only?.profileNos).toEqual([0, null])
  })
})

test('labels tell runs apart', () => {
  expect(labelRuns([frame('one', { model: model('M') }), frame('two', { model: model('N') })])).toEqual(['M', 'N'])
  expect(labelRuns([frame('one', { model: model('M') }), frame('two', { model: model('M') })])).toEqual(['one', 'two'])
  const alike = labelRuns([frame('one', { model: model('M') }), frame('one', { model: model('M') })])
  expect(new Set(alike).size).toBe(2)
})

test('a caution about prompts says what was changed', () => {
  const { execution } = frame('A')
  const contender = frame('B', {
    profiles: [profile({ prompt_digest: 'e'.repeat(64) })],
    execution: { ...execution, system_prompt: 'Answer as a pirate.' },
    model: frame('A').model,
  })
  const { checks } = check(frame('A'), contender)
  expect(checks.find(found => found.check === 'prompt')).toMatchObject({
    status: 'warn',
    detail: expect.stringMatching(/usual prompt \(digest \w{12}\) against .*system prompt “Answer as a pirate\.” \(digest e{12}\)\.$/),
  })
})

test('runs of one model that have the same name are told apart by their prompts', () => {
  const { execution } = frame('Run')
  const prompts = [{}, { system_prompt: 'Answer  as\na pirate.' }, { prompt_template: `Question: {question} ${'x'.repeat(60)}` }]
  expect(labelRuns(prompts.map(changed => frame('Run', { model: model('M'), execution: { ...execution, ...changed } })))).toEqual([
    'M, usual prompt',
    'M, system prompt “Answer as a pirate.”',
    `M, prompt template “Question: {question} ${'x'.repeat(19)}…”`,
  ])
})

describe('prompts of runs that have the same name', () => {
  const { execution } = frame('Run')
  const labelled = (...prompts: Partial<typeof execution>[]) =>
    labelRuns(
      prompts.map((changed, i) => ({ ...frame('Run', { model: model('M'), execution: { ...execution, ...changed } }), asked: `run-${i}` })),
    )

  test('that were removed are said in words, not quoted', () => {
    expect(labelled({}, { system_prompt: '' }, { stop: [] }, { stop: ['\n', '###'] }, { system_prompt: '', stop: [] })).toEqual([
      'M, usual prompt',
      'M, no system prompt',
      'M, no stop sequences',
      'M, stop sequences "\\n", "###"',
      'M, no system prompt and no stop sequences',
    ])
  })

  test('that differ late are told apart by the place where they differ', () => {
    const beginning = 'You are a helpful assistant. Answer the question'
    const prompts = [`${beginning} briefly.`, `${beginning} step by step, and check each step of it.`, beginning]
    expect(labelled({}, ...prompts.map(text => ({ system_prompt: text })))).toEqual([
      'M, usual prompt',
      'M, system prompt “…the question briefly.”',
      'M, system prompt “…the question step by step, and check ea…”',
      'M, system prompt “…the question”',
    ])
    const briefly = frame('A', { execution: { ...execution, system_prompt: `${beginning} briefly.` } })
    const contender = frame('B', {
      profiles: [profile({ prompt_digest: 'e'.repeat(64) })],
      execution: { ...execution, system_prompt: `${beginning} step by step, and check each step of it.` },
      model: briefly.model,
    })
    expect(check(briefly, contender).checks.find(found => found.check === 'prompt')?.detail).toMatch(
      /“…the question briefly\.” .* against .*“…the question step by step, and check ea…”/,
    )
  })

  test('that differ in white space alone are not shown as equal', () => {
    const briefly = frame('A', { execution: { ...execution, system_prompt: 'Be  brief.' } })
    const contender = frame('B', {
      profiles: [profile({ prompt_digest: 'e'.repeat(64) })],
      execution: { ...execution, system_prompt: 'Be brief.\n' },
      model: briefly.model,
    })
    expect(check(briefly, contender).checks.find(found => found.check === 'prompt')?.detail).toMatch(
      /“Be brief\.” \(differs in white space only\) .* against .*“Be brief\.” \(differs in white space only\)/,
    )
  })

  test('that are equal leave the ids to those runs alone, and no character is halved', () => {
    expect(labelled({ system_prompt: `${'x'.repeat(39)}😀😀` }, {}, {})).toEqual([
      `M, system prompt “${'x'.repeat(39)}😀…”`,
      'Run (run-1)',
      'Run (run-2)',
    ])
  })
})
