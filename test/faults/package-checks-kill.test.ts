import { expect, test } from 'vitest'
import { Package, packageChecks } from '../../src/contract/index.ts'
import { startChildService } from '../support/child-service.ts'
import { everyKill } from '../support/every-kill.ts'
import { ensureNamespace, manifest, packageEnd, reviewsOf, sums } from '../support/packages.ts'
import { temporaryFolder } from '../support/service.ts'

/** Checks in which the service is killed; all of them with ASSAY_KILLS. */
const killedIn = everyKill ? packageChecks : (['near_duplicates'] as const)

test('package checks whose service is killed continue at the next start, each stored once', async () => {
  const folder = temporaryFolder()
  let service = await startChildService(folder.path)
  await ensureNamespace(service.client)
  const body = { manifest: manifest(), tasks: { test: [...sums(300)] }, assets: [], dry_run: false }
  const sent = Package.parse(await service.client.call('createPackage', { body }))
  for (const check of killedIn) {
    const reached = packageChecks.indexOf(check)
    const stored = async () => Object.keys(await reviewsOf(service.client, sent.id)).length
    await expect.poll(stored, { timeout: 60_000, interval: 2 }).toBeGreaterThanOrEqual(reached)
    await service.kill()
    service = await startChildService(folder.path)
  }
  expect(await packageEnd(service.client, sent)).toMatchObject({ status: 'in_review', tasks: 300 })
  const { items } = await service.client.call('listPackageReviews', { params: { package_id: sent.id }, query: { limit: 100 } })
  expect(items.map(({ check }) => check).toSorted()).toEqual([...packageChecks].toSorted())
  await service.stop()
  folder.remove()
}, 240_000)
