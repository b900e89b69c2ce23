import { describe, expect, test } from 'vitest'
import { splitSentences } from '../../../../../src/engine/grading/scorers/ifeval/split-sentences.ts'
import { extractExecutionAnswer, extractTestOutput } from '../../../../../src/engine/grading/scorers/livecodebench/extract.ts'
import { filterStepSchema, preparePipeline } from '../../../../../src/engine/grading/scorers/lm-eval/filter-steps.ts'
import { jsonMatches } from '../../../../../src/engine/grading/scorers/openai-evals/json-match.ts'
import { prepareAssertion } from '../../../../../src/engine/grading/scorers/promptfoo/assertions.ts'
import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'

describe('IFEval’s sentences', () => {
  // Results of google-research's instructions_util.split_into_sentences, worked out from its source by hand.
  test.each([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Dr. Smith came. He left.', ['Dr. Smith came.', 'He left.']],
    ['Pi is 3.14 today.', ['Pi is 3.14 today.']],
    ['See example.com now. Bye', ['See example.com now.', 'Bye']],
    ['He said "go." Then he went.', ['He said "go".', 'Then he went.']],
    ['Wait... what', ['Wait...', 'what']],
    ['The U.S. He knew.', ['The U.S.', 'He knew.']],
  ])('of %j are %j', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences)
  })

  test('are counted by the instruction for key sentences', () => {
    const grade = (output: string, num_sentences: number) =>
      gradeOne(
        { scorer: 'ifeval/strict' },
        {
          output,
          targets: [],
          metadata: {
            instruction_id_list: ['keywords:key_sentences'],
            kwargs: [{ key_sentences: ['I like tea.', 'So do you.'], num_sentences }],
          },
        },
      ).value
    expect(grade('Hello. I like tea. So do you.', 2)).toBe(1)
    expect(grade('Hello. I like tea.', 2)).toBe(0)
    expect(grade('Hello. I like tea.', 1)).toBe(1)
  })
})

describe('LiveCodeBench’s extraction', () => {
  test.each([
    ['[ANSWER]assert f(1) == [2, 3][/ANSWER]', true, '[2, 3]'],
    ['thinking\n[ANSWER]\nassert f(1) == 4\n[/ANSWER] done', true, '4'],
    ["'abc'\nmore", false, "'abc'"],
    ['assert f() == 5', false, '5'],
    ['no mark\nlast line', true, 'no mark'],
  ])('of the execution answer in %j (thoughts: %s) is %j', (reply, thoughts, answer) => {
    expect(extractExecutionAnswer(reply, thoughts)).toBe(answer)
  })

  test('of a predicted test prefers a fence of Python to an earlier one', () => {
    expect(extractTestOutput('```\nx\n```\n```python\n  assert f() == 1\n```')).toBe('  assert f() == 1')
    expect(extractTestOutput('```\ny == 1\n```')).toBe('y == 1')
  })
})

describe('lm-eval’s filters', () => {
  const filtered = (step: unknown, text: string, choices: readonly string[] = []) =>
    preparePipeline([filterStepSchema.parse(step)])({ text, span: null }, choices).text

  // tests/test_filters.py, and results of lm_eval/filters itself on texts made by chance.
  test.each([
    ['ORGANIZATION: Shell Company $ LOCATION: Country Club $ PERSON: George', 'org: shell company $ loc: country club $ per: george'],
    ['location : : org: Apple, None answer: location : B', 'loc: : ORG: apple $ loc: none answer: LOC: b'],
    ['¿ date: 5 May Beta none date: 5 May', 'date: 5 may beta none DATE: 5 may'],
    ['$$ date: 5 May org: Apple, None', 'date: 5 may ORG: apple'],
    ['location : :  A\ngamma ray', 'loc: :  a'],
  ])('format_span makes of %j %j', (text, expected) => {
    expect(filtered({ function: 'format_span' }, text)).toBe(expected)
  })

  const of = (more: Readonly<Record<string, unknown>> = {}) => ({ function: 'multi_choice_regex', regex_pattern: '()()', ...more })
  test.each([
    [of({ ignore_case: true, ignore_punctuation: true }), ['alpha', 'beta'], 'alpha', '(A)'],
    [of(), ['alpha', 'beta'], ': B', '(B)'],
    [of(), ['', 'alpha'], 'none alpha :  A', '(A)'],
    [of(), ['', 'alpha'], 'an alpha', '[invalid]'],
    [of({ group_select: -1 }), ['alpha', ''], 'an alpha', '[invalid]'],
    [of({ regexes_to_ignore: ['ray'] }), ['gamma ray', '42'], 'it is gamma ray.', 'gamma'],
  ])('%j of %j in %j is %s', (step, choices, text, expected) => {
    expect(filtered(step, text, choices)).toBe(expected)
  })

  test('look for choices in long responses in one pass', async () => {
    const spent = await cpuMsOf(() =>
      expect(filtered(of({ group_select: -1 }), 'ab '.repeat(20_000), ['', 'never', 'ab'])).toBe('[invalid]'),
    )
    expect(spent).toBeLessThan(2_000 * slowness())
  })
})

describe('openai/evals JSON', () => {
  test.each([
    [true, 1, true],
    [{ a: [false] }, { a: [0] }, true],
    ['1', 1, false],
    [true, 2, false],
    [null, null, false],
  ])('%j matches %j: %s', (value, target, matches) => {
    expect(jsonMatches(value, target)).toBe(matches)
  })
})

describe('promptfoo’s assertions', () => {
  test.each([
    ['word-count', '3', 'one two three', true],
    ['word-count', { max: 2 }, 'one two three', false],
    ['contains-any', [true, 7], 'it is true', true],
    ['contains-any', [], 'anything', false],
    ['contains-all', [], 'anything', true],
  ])('%s with %j on %j passes: %s', (type, value, output, passes) => {
    expect(prepareAssertion({ type, value, threshold: undefined })(output).pass).toBe(passes)
  })

  test.each([
    ['word-count', 'many'],
    ['word-count', { min: 3, max: 2 }],
  ])('%s refuses %j', (type, value) => {
    expect(() => prepareAssertion({ type, value, threshold: undefined })).toThrow('The value of word-count')
  })
})

describe('promptfoo’s lists of texts', () => {
  // test/assertions/contains.test.ts and src/util/parseCommaSeparatedValues.ts.
  test.each([
    ['"hello, dear world", "goodbye, universe", simple', 'hello, dear world is here', true],
    ['"",', '', true],
    ['"hello, world"\t,foo', 'zzz', false],
    ['"hello, world"\t,\t"foo"', 'foo', true],
    ['"a""b",c', 'a"b', true],
    ['"a""b",c', 'b', false],
    ['"hello\\"world,test", "another,test"', 'another,test', true],
    ['"test\\\\test"', 'test\\test', true],
    ['a,,b,', 'zzz', false],
    [', a ,', 'has a', true],
  ])('%j in %j: %s', (value, output, passes) => {
    expect(prepareAssertion({ type: 'contains-any', value, threshold: undefined })(output).pass).toBe(passes)
  })

  test.each(['"test', '"hello"world', '"hello" world', ''])('%j is refused', value => {
    expect(() => prepareAssertion({ type: 'contains-all', value, threshold: undefined })).toThrow('The value of contains-all')
  })
})

describe('promptfoo’s tool calls', () => {
  const call = (name: string) => `{"type":"tool_use","name":"${name}"}`
  const f1 = (output: string, tools: readonly string[] = ['get'], type = 'tool-call-f1') =>
    prepareAssertion({ type, value: tools, threshold: undefined })(output)

  // test/assertions/toolCallF1.test.ts.
  test.each([
    [JSON.stringify({ tool_calls: [{ function: { name: 'get' } }, { name: 'other' }] }), 2 / 3],
    [JSON.stringify({ type: 'function_call', name: 'get' }), 1],
    [JSON.stringify({ type: 'response_metadata', name: 'get' }), 0],
    [JSON.stringify(call('get')), 1],
    [JSON.stringify([{ functionCall: { name: 'get' } }]), 1],
    [
      `Braces {not JSON} are ignored.\n\n${JSON.stringify({ type: 'tool_use', name: 'get', input: { query: 'a } b' } }, null, 2)}\n\nDone.`,
      1,
    ],
    [`${call('get')} is an example payload.`, 0],
    [`{\n"input":\n${call('get')}\n} is an example payload.`, 0],
    [`{"broken":"unfinished\\\n${call('get')}`, 1],
    [`{]\n${call('get')}`, 1],
    [`{\nnot_json\n${call('get')}\n}`, 1],
    [`${call('get')}\nExample: {\n"payload":\n${call('drop')}\n}`, 1],
    [`Actual call: {\n${call('drop')}\n}\n${call('get')}`, 2 / 3],
    [`   \`\`\`json\r\n${call('drop')}\r\n   \`\`\`\`\r\n${call('get')}`, 1],
    [`\`\`\`json\n    \`\`\`\n${call('get')}\n\`\`\``, 0],
    [`${call('get')}\n\`\`\`json {"example":true} \`\`\`\n${call('drop')}`, 2 / 3],
    [`  - Example:\n\t\`\`\`json\n\t${call('drop')}\n\t\`\`\`\n${call('get')}`, 1],
    [`12. \`\`\`json\n    ${call('drop')}\n    \`\`\`\n${call('get')}`, 1],
    [`${'{\n'.repeat(10_000)}${call('get')}`, 1],
  ])('in %j have F1 %d', (output, expected) => {
    expect(f1(output).score).toBeCloseTo(expected, 12)
  })

  test('keep their F1 as the score of the negated assertion', () => {
    expect(f1(call('get'), ['get'], 'not-tool-call-f1')).toEqual({ pass: false, score: 1 })
    expect(f1(call('drop'), ['get'], 'not-tool-call-f1')).toEqual({ pass: true, score: 0 })
  })

  test.each(['{\n'.repeat(1000) + '}\n'.repeat(1000), '['.repeat(100_000)])('fail both ways where brackets never end', brackets => {
    const output = `${call('get')}\n${brackets}`
    expect(f1(output)).toMatchObject({ pass: false, score: 0 })
    expect(f1(output, ['get'], 'not-tool-call-f1')).toEqual({ pass: false, score: 0 })
  })
})
