import { describe, expect, test } from 'vitest'
import { readInspectLogs } from '../../../../src/engine/importing/answers/read-inspect-log.ts'

const sample = (id: number, epoch: number, value: unknown, more: object = {}) => ({
  id,
  epoch,
  input: `${id}?`,
  target: 'a',
  output: { choices: [{ message: { content: 'a' }, stop_reason: 'stop' }] },
  scores: { match: { value, ...('history' in more ? { history: more.history } : {}) } },
  ...more,
})
const read = (log: object, samples: readonly object[]) => {
  const eval_ = { task: 't', model: 'm', dataset: { samples: 2 }, config: { epochs: 2 } }
  const bytes = Buffer.from(JSON.stringify({ status: 'success', eval: eval_, ...log, samples }))
  return readInspectLogs([{ name: 'x.json', bytes }])[0]
}
const warnings = (log: object, samples: readonly object[]) => read(log, samples)?.warnings ?? []
const figures = (reducer: string, value: number) => ({
  results: { scores: [{ name: 'match', scorer: 'match', reducer, metrics: { accuracy: { name: 'accuracy', value } } }] },
})
const epochs = [sample(1, 1, 'C'), sample(1, 2, 'I'), sample(2, 1, 'I'), sample(2, 2, 'I')]

describe('a log of Inspect', () => {
  test.each([
    ['cancelled', /was cancelled, with 1 of 4 samples\.$/],
    ['error', /ended with an error, with 1 of 4 samples\.$/],
    ['started', /still running/],
  ])('says that it is %s', (status, said) => {
    expect(warnings({ status }, [sample(1, 1, 'C')])).toEqual([expect.stringMatching(said)])
  })

  test('broke off where it has no status and Inspect wrote it, or it names its samples', () => {
    const said = (more: object, dataset: object = {}) =>
      warnings({ status: undefined, eval: { task: 't', model: 'm', dataset: { samples: 4, ...dataset }, ...more } }, [sample(1, 1, 'C')])
    expect(said({ packages: { inspect_ai: '0.3' } })).toEqual([expect.stringMatching(/broke off, with 1 of 4 samples\.$/)])
    expect(said({}, { sample_ids: [1, 2] })).toEqual([expect.stringMatching(/broke off, with 1 of 2 samples\.$/)])
    expect(said({})).toEqual([])
  })

  test('says which scores are words that Inspect counts as 0', () => {
    const said = warnings({}, [
      sample(1, 1, 'refusal'),
      sample(2, 1, 'compliance'),
      sample(3, 1, 'yes'),
      sample(4, 1, 'P'),
      sample(5, 1, '0.5'),
    ])
    expect(said).toContain(
      '"x.json": scores of "match" are words ("refusal", "compliance"), which Inspect counts as 0; they are kept as labels.',
    )
    expect(warnings({}, [sample(1, 1, 'N'), sample(2, 1, 'False'), sample(3, 1, '7')]).filter(text => text.includes('words'))).toEqual([])
  })

  test('keeps the other scores of a sample to which one scorer gave none', () => {
    const scores = { match: { value: 'C' }, other: null }
    expect(read({}, [{ ...sample(1, 1, 'C'), scores }, sample(2, 1, 'I')])?.answers.map(each => each.scores)).toEqual([
      { match: 1 },
      { match: 0 },
    ])
  })

  test('counts the samples that it was limited to, not those of its data set', () => {
    const eval_ = { task: 't', model: 'm', dataset: { samples: 1319, sample_ids: [1, 2, 3] }, config: { epochs: 2 } }
    expect(warnings({ status: 'cancelled', eval: eval_ }, [sample(1, 1, 'C')])).toEqual([expect.stringMatching(/with 1 of 6 samples\.$/)])
  })

  test('says where its figure is another than the mean of its scores, such as one of reduced epochs', () => {
    expect(warnings(figures('max', 0.5), epochs)).toEqual([
      '"x.json": accuracy of "match" is 0.5 in the log, with epochs reduced by max, and 0.25 as the mean of its recorded scores, which is what results here show.',
    ])
    expect(warnings(figures('mean', 0.25), epochs)).toEqual([])
    // Samples without a score are in no mean of Inspect's.
    expect(warnings(figures('mean', 0.5), [...epochs.slice(0, 2), sample(2, 1, null)])).toEqual([])
  })

  test('says what was taken back after the run, and what a limit stopped', () => {
    const edited = sample(1, 1, 'I', { history: [{ value: 'C' }] })
    expect(warnings({}, [edited, sample(2, 1, 'C', { invalidation: { author: 'a' } })])).toEqual([
      '"x.json": 1 sample was marked as invalid and imported all the same.',
      '"x.json": scores of 1 sample were edited after the run; what they were changed to is imported.',
    ])
    const stopped = { ...sample(1, 1, null), output: null, scores: {}, limit: { type: 'token', limit: 5 } }
    const log = read({}, [stopped, sample(2, 1, 'C')])
    expect(log?.warnings).toEqual(['"x.json": 1 sample was stopped by a limit (token).'])
    expect(log?.answers[0]).toMatchObject({ output: null, error: 'Stopped by the token limit' })
  })
})
