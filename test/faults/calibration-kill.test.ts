import { expect, test } from 'vitest'
import { calibrated, connectJudge, jobEnd, labeledVersion, materialOf, saveJudge, startJudge } from '../support/judging.ts'
import { startChildService } from '../support/child-service.ts'
import { temporaryFolder } from '../support/service.ts'

const examples = Array.from({ length: 60 }, (_, i) => ({
  input: `Question ${i}`,
  output: i % 2 ? 'good' : 'bad',
  label: i % 2 ? 'pass' : 'fail',
}))

test('a calibration whose service is killed again and again continues while answers are stored, and pays for none of them twice', async () => {
  const folder = temporaryFolder()
  const answered: string[] = []
  /** How many answers there are when the service is killed: within one batch, of which nothing else is stored before its end. */
  const kills = [8, 14, 20]
  let reached = Promise.withResolvers<void>()
  const judge = await startJudge(async chat => {
    const [input = ''] = materialOf(chat)
    if (kills[0] !== undefined && answered.length >= kills[0]) {
      // The next questions are in flight when the service dies.
      reached.resolve()
      await new Promise(() => {})
    }
    answered.push(input)
    return `VERDICT: ${materialOf(chat)[1] === 'good' ? 'pass' : 'fail'}`
  })
  const first = await startChildService(folder.path)
  const { versionId } = await labeledVersion({ client: first.client, dataDir: folder.path }, { task: 'answer' }, examples)
  const evaluator = await saveJudge(first.client, await connectJudge(first.client, judge, { priced: true, concurrency: 2 }))
  const body = { evaluator_version_id: evaluator.id, dataset_version_id: versionId, max_charge_microusd: '10000000' }
  const { id, job_id } = await first.client.call('createCalibration', { body })
  let second = first
  while (kills.length > 0) {
    await reached.promise
    await second.kill()
    reached = Promise.withResolvers()
    kills.shift()
    second = await startChildService(folder.path)
  }
  await jobEnd(second.client, job_id)
  const found = await second.client.call('getCalibration', { params: { calibration_id: id } })
  expect(found).toMatchObject({ status: 'resolved', n: 60, unscored: 0, agreement: { mean: 1 }, verdict: 'usable' })
  // A stored answer is never asked for again; only what was in flight may be.
  const times = Map.groupBy(answered, input => input)
  expect(times.size).toBe(60)
  const inFlight = found.spending.possibly_billed_twice
  expect(inFlight).toBeGreaterThan(0)
  expect(inFlight).toBeLessThanOrEqual(6)
  expect(answered.length).toBeLessThanOrEqual(60 + inFlight)
  expect(found.spending.provider_billed_microusd).toBe(String(60 * 120))
  expect(await calibrated(second.client, body)).toMatchObject({ status: 'resolved', agreement: found.agreement })
  await second.stop()
  await judge.close()
  folder.remove()
})
