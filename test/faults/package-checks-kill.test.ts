import { expect, test } from 'vitest'
import { Package, packageChecks } from '../../src/contract/creator/packages.schemas.ts'
import { startChildService } from '../support/child-service.ts'
import { everyKill } from '../support/every-kill.ts'
import { ensureNamespace, manifest, packageEnd, sums } from '../support/packages.ts'
import { temporaryFolder } from '../support/service.ts'

/** The review that each life dies just before storing; with ASSAY_KILLS every life stores one check and dies in the next. */
const lives = everyKill ? packageChecks.map(() => 'review:2').slice(1) : ['review:6']

test('package checks whose service is killed continue at the next start, each stored once', async () => {
  const folder = temporaryFolder()
  let service = await startChildService(folder.path)
  await ensureNamespace(service.client)
  await service.stop()
  let sent: Package | null = null
  for (const killAt of lives) {
    service = await startChildService(folder.path, [], killAt)
    if (sent === null) {
      const body = { manifest: manifest(), tasks: { test: [...sums(300)] }, assets: [], dry_run: false }
      sent = Package.parse(await service.client.call('createPackage', { body }))
    }
    expect(await service.gone).toBe('SIGKILL')
  }
  service = await startChildService(folder.path)
  if (sent === null) throw new Error('No package was sent.')
  expect(await packageEnd(service.client, sent)).toMatchObject({ status: 'in_review', tasks: 300 })
  const { items } = await service.client.call('listPackageReviews', { params: { package_id: sent.id }, query: { limit: 100 } })
  expect(items.map(({ check }) => check).toSorted()).toEqual([...packageChecks].toSorted())
  expect(await service.client.call('getJob', { params: { job_id: sent.job_id ?? '' } })).toMatchObject({ attempt: lives.length + 1 })
  await service.stop()
  folder.remove()
})
