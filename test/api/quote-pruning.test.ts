import { afterAll, beforeAll, expect, test } from 'vitest'
import { movingClock } from '../support/moving-clock.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const hour = 3_600_000
const clock = movingClock()
let service: TestService

beforeAll(async () => {
  service = await startTestService({}, clock)
})
afterAll(() => service.close())

test('an expired quote that no run uses is deleted a day later, and others stay', async () => {
  const { client, baseUrl } = service
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const newQuote = async () =>
    (
      await quote(client, {
        model: { kind: 'managed', route_id: 'assay/echo' },
        profiles: [profile],
        coverage: { mode: 'sample', sample_count: 2, seed: 1 },
      })
    ).id
  const read = (id: string) => client.call('getQuote', { params: { quote_id: id } })
  const [unused, used] = [await newQuote(), await newQuote()]
  await runToEnd(client, baseUrl, (await submit(client, used)).id)

  clock.advance(20 * hour)
  const later = await newQuote()
  expect(await read(unused)).toMatchObject({ status: 'expired' })

  clock.advance(6 * hour)
  await newQuote()
  expect(await client.refusal('getQuote', { params: { quote_id: unused } })).toMatchObject({ status: 404 })
  expect(await read(used)).toMatchObject({ status: 'expired' })
  expect(await read(later)).toMatchObject({ status: 'expired' })
})
