import { expect, test } from 'vitest'
import { createSearchSteps, type SearchContext, type StepsDependencies } from '../../../src/service/tuning/search-steps.ts'
import { newSearchState, type SearchState } from '../../../src/service/tuning/searches.store.ts'
import { WorkLimitError } from '../../../src/workers/bounded-pool.ts'
import { jobsOn } from '../../support/jobs.ts'

const prompt = { system_prompt: null, prompt_template: '{input}' }

/** A search whose first prompt failed every case. @param compare a proposal with the held-out cases */
function searching(compare: StepsDependencies['quotedHeldOut']) {
  let asked = 0
  const writers = {
    facts: () => ({ payer: 'wallet', rates: null }),
    ask: () => Promise.resolve(`<prompt>Try ${++asked}: {input}</prompt>`),
  }
  const steps = createSearchSteps(jobsOn() as never, { evaluators: { writers }, quotedHeldOut: compare } as never)
  const context = {
    row: { id: 'search' },
    session: { workspace_id: 'w', no: 1 },
    quote: { max_charge_microusd: '100', max_provider_billed_microusd: null, optimize: { reflection_model: {} } },
    optimize: { max_calls: 1000, train_share: 0.4 },
    draft: { revision: 1, objective: { seed: 1 }, call: prompt },
    training: [{ id: 'case', input: 'x', expected: 'y' }],
  } as unknown as SearchContext // the rest is not read before a proposal is tried
  const job = { signal: new AbortController().signal, commit: (write: () => unknown) => write(), progress: () => {} } as never
  const start: SearchState['prompts'][number] = {
    number: 0,
    prompt,
    parent: null,
    outcome: 'start',
    detail: '',
    scores: [0],
    races: false,
    training_run_id: null,
  }
  const search = (state: SearchState = { ...newSearchState, prompts: [start] }) => steps.search(job, context, state)
  return { search, asked: () => asked }
}

test('a search whose proposals cannot be compared with the held-out cases pays for one, and for none after a restart', async () => {
  const { search, asked } = searching(() => Promise.reject(new WorkLimitError('time', '2 minutes')))
  const ended = await search()
  expect(ended.prompts[1]).toMatchObject({
    outcome: 'unusable',
    detail:
      'The proposed prompt could not be compared with the held-out cases, so it was not tried and the search ended. The work took longer than 2 minutes and was stopped.',
  })
  expect([asked(), ended.calls]).toEqual([1, 1])
  expect(await search(ended)).toBe(ended)
  expect(asked()).toBe(1)
})

test('one that quotes a held-out case is followed by others', async () => {
  const { search, asked } = searching(() => Promise.resolve('case-7'))
  const { prompts } = await search()
  expect(prompts[1]?.detail).toContain('quotes the held-out case "case-7"')
  expect(asked()).toBeGreaterThan(1)
})
