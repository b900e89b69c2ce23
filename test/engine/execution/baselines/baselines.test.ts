import { describe, expect, test } from 'vitest'
import { ModelRoute } from '../../../../src/contract/catalog/models.schemas.ts'
import { answerAsBaseline, type BaselineQuestion, majorityTarget } from '../../../../src/engine/execution/baselines/answer-as-baseline.ts'
import { baselineRoutes, findBaseline } from '../../../../src/engine/execution/baselines/baseline-routes.ts'
import type { Task } from '../../../../src/engine/tasks/task.ts'

const taskOf = (changes: Partial<Task>): Task => ({
  id: 't1',
  split: 'test',
  fields: {},
  targets: [],
  choices: null,
  metadata: {},
  capabilities: [],
  dependsOn: [],
  ...changes,
})

const ducks = taskOf({
  fields: { question: 'Ducks lay 16 eggs. Three are eaten and 4 baked. How many are left?' },
  targets: ['9'],
  metadata: { answer_template: '#### {answer}' },
})
const capital = taskOf({
  fields: { question: 'Which city is the capital of France?' },
  choices: ['Berlin', 'Paris', 'Rome'],
  targets: ['B'],
})
const yesNo = taskOf({ fields: { question: 'Is water wet?' }, targets: ['Yes'] })
const person = taskOf({
  fields: { question: 'Who wrote the play Hamlet in the time of Queen Elizabeth?' },
  targets: ['William Shakespeare', 'Shakespeare'],
})
const all = [ducks, capital, yesNo, person]

function answer(routeId: string, task: Task, more: Partial<BaselineQuestion> = {}): string {
  const prompt = [{ role: 'user' as const, content: Object.values(task.fields).join('\n') }]
  return answerAsBaseline(routeId, { task, prompt, seed: 7, epoch: 1, ...more })
}

/** What a baseline says to 200 copies of a task under other ids. */
const answers = (routeId: string, task: Task): string[] => Array.from({ length: 200 }, (_, i) => answer(routeId, { ...task, id: `t${i}` }))

describe('the routes', () => {
  test('are of the contract’s shape, cost nothing, and are marked as no models', () => {
    const routes = baselineRoutes()
    expect(routes.map(({ route_id }) => route_id)).toEqual(
      ['random', 'first-option', 'majority', 'echo', 'retrieval', 'oracle-50', 'oracle-75', 'oracle-90'].map(name => `assay/${name}`),
    )
    for (const route of routes) {
      expect(ModelRoute.parse(route)).toEqual(route)
      expect(route).toMatchObject({
        is_model: false,
        kind: 'baseline',
        summary: expect.stringContaining('Not a model'),
        rates: { input_microusd_per_million: '0' },
      })
      expect(findBaseline(route.route_id)).toEqual(route)
    }
  })

  test.each(['assay/oracle-0', 'assay/oracle-7', 'assay/oracle-100'])('%s is found though not listed', routeId => {
    expect(findBaseline(routeId)).toMatchObject({ route_id: routeId, is_model: false })
  })

  test.each([
    'assay/oracle-101',
    'assay/oracle-07',
    'assay/oracle-',
    'assay/oracle-5.5',
    'assay/oracle--1',
    'assay/nonesuch',
    'oracle-50',
    'random',
    '',
  ])('%j is none', routeId => {
    expect(findBaseline(routeId)).toBeNull()
    expect(() => answer(routeId, ducks)).toThrow(RangeError)
  })
})

describe('the oracle', () => {
  test('at 100 is always right and at 0 never, in the benchmark’s form', () => {
    expect(answers('assay/oracle-100', ducks)).toEqual(Array(200).fill('#### 9'))
    expect(new Set(answers('assay/oracle-100', person))).toEqual(new Set(['William Shakespeare']))
    for (const task of all) {
      for (const wrong of answers('assay/oracle-0', task)) {
        for (const target of task.targets) expect(wrong.toLowerCase()).not.toContain(target.toLowerCase())
      }
    }
  })

  test('is right about as often as it says', () => {
    for (const percent of [25, 50, 90]) {
      const right = answers(`assay/oracle-${percent}`, capital).filter(said => said === 'B').length
      // Four standard errors of a proportion of 200.
      expect(Math.abs(right / 200 - percent / 100)).toBeLessThan(4 * Math.sqrt((percent / 100) * (1 - percent / 100) * (1 / 200)))
    }
  })

  test('depends on seed, task and epoch and on nothing else', () => {
    const said = (more: Partial<BaselineQuestion>) =>
      Array.from({ length: 50 }, (_, i) => answer('assay/oracle-50', { ...capital, id: `t${i}` }, more))
    expect(said({})).toEqual(said({ prompt: [{ role: 'user', content: 'other' }] }))
    expect(said({ seed: 8 })).not.toEqual(said({}))
    expect(said({ epoch: 2 })).not.toEqual(said({}))
  })

  test('that knows more is right wherever one that knows less is', () => {
    const [half, most] = ['assay/oracle-50', 'assay/oracle-90'].map(routeId => answers(routeId, capital))
    for (const [i, said] of (half ?? []).entries()) if (said === 'B') expect(most?.[i]).toBe('B')
  })

  test('is wrong in a way that could be meant', () => {
    expect(new Set(answers('assay/oracle-0', capital))).toEqual(new Set(['A', 'C']))
    expect(new Set(answers('assay/oracle-0', yesNo))).toEqual(new Set(['No']))
    expect(new Set(answers('assay/oracle-0', ducks))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8].map(digit => `#### ${digit}`)))
    expect(answers('assay/oracle-0', person).every(said => person.fields['question']?.includes(said))).toBe(true)
  })

  test.each([
    ['$1,234.50', /^\$1,234\.5[1-9]$/],
    ['-7', /^-[0-68-9]$/],
    ['50%', /^5[1-9]%$/],
    ['12345678901234567890', /^1234567890123456789[1-9]$/],
  ])('writes a wrong number as the right one %s is written', (target, form) => {
    for (const said of answers('assay/oracle-0', taskOf({ targets: [target] }))) expect(said).toMatch(form)
  })

  test('never hits another of several right numbers', () => {
    const targets = ['10', '11', '12.0', '13']
    expect(new Set(answers('assay/oracle-0', taskOf({ targets })))).toEqual(new Set(['14', '15', '16', '17', '18', '19']))
  })

  test('gives whole outputs where the task has them', () => {
    const poem = taskOf({ metadata: { reference_output: 'No comma here', wrong_output: 'One, two', answer_template: '#### {answer}' } })
    expect(answer('assay/oracle-100', poem)).toBe('No comma here')
    expect(answer('assay/oracle-0', poem)).toBe('One, two')
  })
})

describe('choices', () => {
  const styled = (targets: string[]) => taskOf({ ...capital, targets })
  test.each([
    [['B'], ['A', 'B', 'C']],
    [['(B)'], ['(A)', '(B)', '(C)']],
    [['b'], ['a', 'b', 'c']],
    [['Paris'], ['Berlin', 'Paris', 'Rome']],
    [[], ['A', 'B', 'C']],
  ])('are named as the target %j names them', (targets, options) => {
    expect(new Set(answers('assay/random', styled(targets)))).toEqual(new Set(options))
    expect(answer('assay/first-option', styled(targets))).toBe(options[0])
  })
})

describe('the baselines that know nothing', () => {
  test('random spreads over the choices', () => {
    const said = answers('assay/random', capital)
    for (const option of ['A', 'B', 'C']) expect(said.filter(given => given === option).length).toBeGreaterThan(40)
  })

  test('random and first-option take numbers or words of the task where there are no choices', () => {
    expect(new Set(answers('assay/random', ducks))).toEqual(new Set(['#### 16', '#### 4']))
    expect(answer('assay/first-option', ducks)).toBe('#### 16')
    expect(answer('assay/first-option', person)).toBe('Who')
  })

  test('majority says the most frequent target, in form, and nothing without one', () => {
    expect(answer('assay/majority', ducks, { majorityTarget: '5' })).toBe('#### 5')
    expect(answer('assay/majority', ducks)).toBe('')
    expect(majorityTarget([{ targets: ['a'] }, { targets: ['b'] }, { targets: ['b', 'a'] }, { targets: [] }])).toBe('b')
    expect(majorityTarget([{ targets: ['b'] }, { targets: ['a'] }])).toBe('b')
    expect(majorityTarget([{ targets: [] }])).toBeNull()
  })

  test('echo repeats the last message of the user', () => {
    const prompt = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'Say it.\n' },
    ]
    expect(answer('assay/echo', ducks, { prompt })).toBe('Say it.\n')
  })

  test.each(['assay/random', 'assay/first-option', 'assay/majority', 'assay/echo', 'assay/retrieval', 'assay/oracle-50'])(
    '%s says something to an empty task',
    routeId => {
      expect(typeof answer(routeId, taskOf({}))).toBe('string')
      expect(typeof answer(routeId, taskOf({ choices: [] }))).toBe('string')
    },
  )
})

describe('retrieval', () => {
  const shots =
    'Question: A cow gives 5 litres of milk. How many give ten cows?\nAnswer: 5 * 10 = 50\n#### 50\n\nQuestion: Hens lay 12 eggs and 2 break. How many are left?\nAnswer: 12 - 2 = 10\n#### 10\n\n'
  const asked = (content: string) => ({ prompt: [{ role: 'user' as const, content }] })

  test('repeats the answer of the nearest worked example', () => {
    const prompt = `${shots}Question: ${ducks.fields['question']}\nAnswer:`
    expect(answer('assay/retrieval', ducks, asked(prompt))).toBe('12 - 2 = 10\n#### 10')
    const milk = taskOf({ fields: { question: 'How many litres of milk give 3 cows?' }, targets: ['15'] })
    expect(answer('assay/retrieval', milk, asked(`${shots}Question: ${milk.fields['question']}\nAnswer:`))).toBe('5 * 10 = 50\n#### 50')
  })

  test('does not mistake instructions for examples', () => {
    expect(answer('assay/retrieval', ducks, asked(`How many eggs are left? Think first.\n\n${ducks.fields['question']}`))).toBe('#### 4')
  })

  test('takes the sentence nearest to the question, for a text', () => {
    const story = taskOf({ fields: { text: 'The cat sat on a mat. The dog ran home. Where did the dog run?' }, targets: ['home'] })
    expect(answer('assay/retrieval', story)).toBe('The dog ran home.')
  })

  test('takes the choice nearest to the task', () => {
    const animals = taskOf({
      fields: { question: 'A duck swims on the lake.' },
      choices: ['a stone', 'the duck', 'nothing'],
      targets: ['A'],
    })
    expect(answer('assay/retrieval', animals)).toBe('B')
  })

  test('does not look at the reference', () => {
    for (const task of all) {
      const other = {
        ...task,
        targets: task.targets.map(target => (/^\d+$/.test(target) ? '77' : target.length === 1 ? 'C' : 'other words')),
      }
      expect(answer('assay/retrieval', other)).toBe(answer('assay/retrieval', task))
    }
  })
})

describe('the hasty reader', () => {
  const short = taskOf({ fields: { question: `${'word '.repeat(33)}end?` }, targets: ['12'] })
  const long = taskOf({ fields: { question: `${'word '.repeat(34)}end?` }, targets: ['12'], metadata: { wrong_output: 'one step less' } })

  test('is right mostly on questions that it reads to their end, and stops early on longer ones', () => {
    const rights = (task: Task) => answers('assay/hasty', task).filter(said => said === '12').length
    expect(rights(short)).toBeGreaterThan(180)
    expect(rights(long)).toBeLessThan(70)
    expect(answers('assay/hasty', long)).toContain('one step less')
  })

  test('is found by its name and not listed', () => {
    expect(findBaseline('assay/hasty')).toMatchObject({ title: 'Hasty reader', is_model: false })
    expect(baselineRoutes().map(({ model }) => model)).not.toContain('hasty')
  })
})
