import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Package } from '../../src/contract/creator/packages.schemas.ts'
import { NewWorld, type WorldTask } from '../../src/contract/worlds/worlds.schemas.ts'
import { initPackage } from '../../src/headless/packages/init-package.ts'
import { packFolder } from '../../src/headless/packages/pack-folder.ts'
import { writeWorldFolder } from '../../src/headless/worlds/world-folder.ts'
import { assayHere } from '../support/assay-here.ts'
import { deskWorld } from '../support/desk-world.ts'
import { ensureNamespace, packageEnd, reviewsOf } from '../support/packages.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

let service: TestService
const root = temporaryFolder()
beforeAll(async () => {
  service = await startTestService()
  await ensureNamespace(service.client)
})
afterAll(async () => {
  await service.close()
  root.remove()
})

/** Packs a world as its author would. */
async function packed(name: string, world: NewWorld): Promise<Uint8Array<ArrayBuffer>> {
  writeWorldFolder(join(root.path, `${name}-world`), world)
  const folder = join(root.path, name)
  initPackage(folder, { namespace: 'acme-research', name, world: join(root.path, `${name}-world`) })
  return Uint8Array.from((await packFolder(folder, null)).zip)
}

async function uploaded(zip: Uint8Array<ArrayBuffer>): Promise<Package> {
  const form = new FormData()
  form.append('file', new Blob([zip]), 'package.zip')
  const reply = await service.fetch('/v1/creator/packages', { method: 'POST', body: form })
  return packageEnd(service.client, Package.parse(await reply.json()))
}

const changed = (change: (task: WorldTask) => object): NewWorld => {
  const world = deskWorld('desk')
  return NewWorld.parse({ ...world, tasks: world.tasks.map(task => ({ ...task, ...change(task) })) })
}

test('a world is packed, checked, approved, published, listed as an environment and run', async () => {
  const { client, baseUrl } = service
  const checked = await uploaded(await packed('customer-desk', deskWorld('desk')))
  expect({ status: checked.status, tasks: checked.tasks, reviews: await reviewsOf(client, checked.id) }).toMatchObject({
    status: 'in_review',
    tasks: 60,
    reviews: {
      manifest: { outcome: 'pass' },
      tasks: { outcome: 'warn' },
      exact_duplicates: { outcome: 'pass' },
      near_duplicates: { outcome: 'pass' },
      trivial_answers: { outcome: 'pass', figures: { empty: 0, echo: 0 } },
      reference: { outcome: 'pass', figures: { tasks: 60, right: 60 } },
      determinism: { outcome: 'pass', figures: { outputs: 60 } },
      sandbox: { outcome: 'pass', figures: { languages: 'javascript' } },
      secrets: { outcome: 'pass' },
    },
  })
  expect(checked.profile_ids).toEqual(['text-tools', 'native-tools'].map(key => `acme-research.customer-desk@0.1.0:${key}`))
  const params = { package_id: checked.id }
  const { items } = await client.call('samplePackageTasks', { params, query: { count: 2 } })
  expect(items[0]).toMatchObject({ file: 'world/tasks.jsonl', reference_result: { score: 1 } })
  expect(items[0]?.messages.at(-1)?.content).toContain('my order is')

  await client.call('createPackageReview', { params, body: { outcome: 'approve', note: 'Looked at ten tasks.' } })
  await client.call('publishPackage', { params })
  const listed = await client.call('getEnvironment', { params: { family: 'acme-research.customer-desk' } })
  expect(listed).toMatchObject({ latest_version: { version: '0.1.0' }, max_turns: 8, profile_ids: checked.profile_ids })
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-100' },
    profiles: checked.profile_ids.slice(0, 1),
    coverage: { mode: 'full' },
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, id)).id)
  const { metrics } = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
  expect(metrics[0]?.estimate).toMatchObject({ n: 60, mean: 1 })
})

test('a world whose tasks need nothing done, or whose references fail, is rejected with the tasks', async () => {
  const { client } = service
  const idle = await uploaded(
    await packed(
      'idle-desk',
      changed(({ expected: { calls: _, ...rest } }) => ({ expected: { ...rest, calls: { forbidden: [] } } })),
    ),
  )
  expect(await reviewsOf(client, idle.id)).toMatchObject({ trivial_answers: { outcome: 'fail' } })
  const wrong = await uploaded(
    await packed(
      'wrong-desk',
      changed(({ reference }) => ({ reference: { ...reference, calls: [] } })),
    ),
  )
  expect({ status: wrong.status, reviews: await reviewsOf(client, wrong.id) }).toMatchObject({
    status: 'rejected',
    reviews: { reference: { outcome: 'fail', figures: { right: 0 } } },
  })
})

test('a schema that cannot be used fails the tasks, and a world that names a model is refused', async () => {
  const world = deskWorld('desk')
  const [first, ...others] = world.tools
  if (!first) throw new Error('The desk has tools.')
  const odd = {
    ...world,
    tools: [{ ...first, parameters: { type: 'object', properties: { email: { type: 'no such type' } } } }, ...others],
  }
  const checked = await uploaded(await packed('odd-desk', NewWorld.parse(odd)))
  expect((await reviewsOf(service.client, checked.id))['tasks']).toMatchObject({
    outcome: 'fail',
    detail: expect.stringContaining('tools.0.parameters'),
  })
  const judged = { ...world, judge: { model: { kind: 'managed', route_id: 'assay/echo' }, effort: null, temperature: 0 } }
  await expect(packed('judged-desk', NewWorld.parse(judged))).rejects.toThrow(/names a model as "judge"/)
})

test('an environment of the workspace is exported as a folder, and packaged', async () => {
  const { slug } = await service.client.call('createEnvironment', { body: deskWorld('my-desk') })
  const [world, folder] = [join(root.path, 'exported'), join(root.path, 'exported-package')]
  const here = (...args: string[]) => assayHere([...args, '--data-dir', service.dataDir])
  expect(await here('world', 'export', slug, '--out', world)).toMatchObject({ code: 0 })
  expect(await here('world', 'check', world)).toMatchObject({ code: 0, out: expect.stringContaining('60 of 60 references pass') })
  expect(await assayHere(['package', 'init', folder, '--world', world])).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(join(folder, 'assay.package.json'), 'utf8'))).toMatchObject({ derived_from: ['eval://local/my-desk'] })
})
