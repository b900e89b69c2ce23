import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagesExamples } from '../../src/contract/creator/packages.examples.ts'
import { Package, packageChecks } from '../../src/contract/creator/packages.schemas.ts'
import { checkedPackage, ensureNamespace, manifest, packageEnd, packageFiles, packageZip, reviewsOf, sums } from '../support/packages.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { makeZip } from '../support/make-zip.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await ensureNamespace(service.client)
})
afterAll(() => service.close())

function upload(zip: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([zip]), 'package.zip')
  return service.fetch('/v1/creator/packages', { method: 'POST', body: form, headers })
}
const approve = (package_id: string) =>
  service.client.call('createPackageReview', { params: { package_id }, body: { outcome: 'approve', note: 'Looked at ten tasks.' } })
const model = { kind: 'managed', route_id: 'assay/oracle-100' } as const
const full = { mode: 'full' } as const

describe('a package', () => {
  test('asks for structured output, and is refused for a schema that cannot be used', async () => {
    const { client } = service
    const [profile] = manifest().profiles
    if (!profile) throw new Error('The manifest has a profile.')
    const asking = (name: string, schema: { type: string; properties?: Record<string, { type: string }> }) =>
      checkedPackage(client, sums(20), {
        name,
        profiles: [{ ...profile, generation: { ...profile.generation, response_format: { name: 'sum', schema, strict: true } } }],
      })
    const good = await asking('structured-sums', { type: 'object', properties: { sum: { type: 'integer' } } })
    await approve(good.id)
    const { profiles } = await quote(client, { model, profiles: good.profile_ids, coverage: full })
    expect(profiles[0]?.generation.response_format).toMatchObject({ name: 'sum', schema: { type: 'object' } })
    const bad = await asking('bad-schema', { type: 'no such type' })
    expect((await reviewsOf(client, bad.id))['manifest']).toMatchObject({ outcome: 'fail' })
  })

  test('is marked for names that mix scripts, beside a license that is not known', async () => {
    const names = { title: 'gsm8\u043a', creators: [{ name: 'Hum\u0430n Evaluation' }], license: 'Unheard-Of-1.0' }
    const { id } = await checkedPackage(service.client, sums(20), { name: 'look-alike', ...names })
    const detail = expect.stringMatching(/"Unheard-Of-1\.0".*"gsm8\u043a" mixes Latin and Cyrillic.*"Hum\u0430n" mixes Latin and Cyrillic/)
    expect((await reviewsOf(service.client, id))['manifest']).toMatchObject({ outcome: 'warn', detail })
  })

  test('is checked, approved, published, quoted, run and withdrawn, and its results stay', async () => {
    const { client, keyClient, baseUrl } = service
    const checked = await checkedPackage(client, sums(120))
    expect({ status: checked.status, reviews: await reviewsOf(client, checked.id) }).toMatchObject({
      status: 'in_review',
      reviews: {
        archive: { outcome: 'pass' },
        manifest: { outcome: 'pass' },
        signature: { outcome: 'not_applicable' },
        tasks: { outcome: 'pass' },
        reference: { outcome: 'pass', figures: { tasks: 120, right: 120 } },
        determinism: { outcome: 'pass' },
        sandbox: { outcome: 'not_applicable' },
      },
    })
    const [profile = ''] = checked.profile_ids
    expect(profile).toBe('acme-research.small-sums@1.0.0:zero-shot')
    const params = { package_id: checked.id }
    // Hidden until a person has approved it.
    expect((await client.refusal('getPrivateProfile', { params: { profile_id: profile } })).status).toBe(404)
    const quoteOf = () => quote(client, { model, profiles: [profile], coverage: full })
    await expect(quoteOf()).rejects.toThrow(/there is no profile/)
    expect((await keyClient.refusal('createPackageReview', { params, body: { outcome: 'approve', note: 'x' } })).code).toBe(
      'human_approval_required',
    )
    expect((await client.refusal('publishPackage', { params })).code).toBe('illegal_transition')

    await approve(checked.id)
    expect(await client.call('getPrivateProfile', { params: { profile_id: profile } })).toMatchObject({
      status: 'candidate',
      task_count: 120,
    })
    expect((await quoteOf()).warnings.map(({ code }) => code)).toContain('unpublished_profile')
    for (const source_ref of ['small-sums@1.0.0', 'acme-research.small-sums@1.0.0', 'eval://acme-research/small-sums/1.0.0'])
      expect(await client.call('listTasks', { query: { source_ref, limit: 1 } })).toMatchObject({ total: 120 })
    expect((await keyClient.refusal('publishPackage', { params })).code).toBe('human_approval_required')
    expect((await client.call('publishPackage', { params })).status).toBe('published')
    const quoted = await quoteOf()
    expect(quoted.warnings.map(({ code }) => code)).not.toContain('unpublished_profile')
    const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
    const results = await client.call('getRunResults', { params: { run_id: run.id } })
    const open = await quoteOf()

    // Quarantine keeps results and refuses quotes, and a passing recheck ends it.
    expect((await keyClient.refusal('quarantinePackage', { params, body: { note: 'x' } })).code).toBe('owner_session_required')
    expect(await client.call('quarantinePackage', { params, body: { note: 'Task sum-3 is wrong.' } })).toMatchObject({ quarantined: true })
    await expect(quoteOf()).rejects.toMatchObject({ status: 422, code: 'task_unavailable' })
    await expect(submit(client, open.id)).rejects.toMatchObject({ code: 'quote_incompatible' })
    expect(await client.call('getRunResults', { params: { run_id: run.id } })).toEqual(results)
    expect((await keyClient.refusal('recheckPackage', { params })).code).toBe('owner_session_required')
    const rechecked = await packageEnd(client, await client.call('recheckPackage', { params }))
    expect(rechecked).toMatchObject({ status: 'published', quarantined: false, checks: checked.checks })
    expect((await quoteOf()).warnings.map(({ code }) => code)).not.toContain('unpublished_profile')

    expect((await client.call('withdrawPackage', { params })).status).toBe('withdrawn')
    expect((await client.call('getPrivateProfile', { params: { profile_id: profile } })).quote_availability.status).toBe('retired')
    await expect(quoteOf()).rejects.toMatchObject({ status: 422, code: 'task_unavailable' })
    await expect(submit(client, open.id)).rejects.toMatchObject({ code: 'quote_incompatible' })
    expect(await client.call('getRunResults', { params: { run_id: run.id } })).toEqual(results)
    expect((await client.refusal('withdrawPackage', { params })).code).toBe('illegal_transition')
    const taken = { body: { manifest: manifest(), tasks: { test: [...sums(60)] }, assets: [], dry_run: false } }
    expect((await client.refusal('createPackage', taken)).code).toBe('conflict')
  })

  test('sent as a zip twice is the same package; other bytes under its version are refused', async () => {
    const zip = packageZip(sums(30, 1000), { name: 'zipped-sums' })
    const first = await upload(zip)
    expect(first.status).toBe(202)
    const made = Package.parse(await first.json())
    expect(made).toMatchObject({ name: 'zipped-sums', bytes: zip.length, files: [{ path: 'assay.package.json' }, { path: 'tasks.jsonl' }] })
    const again = await upload(zip)
    expect(Package.parse(await again.json()).id).toBe(made.id)
    expect((await upload(packageZip(sums(31, 1000), { name: 'zipped-sums' }))).status).toBe(409)
    expect(await packageEnd(service.client, made)).toMatchObject({ status: 'in_review', tasks: 30 })
    // The same letters but for a dash.
    expect((await upload(packageZip(sums(30, 1000), { name: 'zippedsums' }))).status).toBe(409)
    expect((await upload(packageZip(sums(30, 1000), { namespace: 'no-such-space' }))).status).toBe(404)
  })

  test('in use is checked again at the next start where the rules have changed, and one in quarantine is not', async () => {
    const [used, held] = await Promise.all(
      ['outdated-sums', 'withheld-sums'].map((name, i) => checkedPackage(service.client, sums(30, 5000 + 100 * i), { name })),
    )
    if (!used || !held) throw new Error('The packages were not checked.')
    for (const { id } of [used, held]) await approve(id)
    await service.client.call('quarantinePackage', { params: { package_id: held.id }, body: { note: 'A wrong target.' } })
    await service.restart(() => {
      const db = openDatabase(`${service.dataDir}/assay.db`)
      db.prepare('update creator_packages set ruleset = 0 where id in (?, ?)').run(used.id, held.id)
      db.close()
    })
    const read = (package_id: string) => service.client.call('getPackage', { params: { package_id } })
    const again = await packageEnd(service.client, await read(used.id))
    expect(again).toMatchObject({
      status: 'accepted',
      quarantined: false,
      job_id: expect.not.stringMatching(used.job_id ?? '-'),
    })
    expect(await read(held.id)).toMatchObject({ quarantined: true, job_id: held.job_id })
  })

  test('of the contract’s example fails no check', async () => {
    const body = JSON.stringify(packagesExamples.createPackage)
    const reply = await service.fetch('/v1/creator/packages', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const checked: unknown = await reply.json()
    expect(checked).toHaveProperty(
      'checks',
      expect.arrayContaining([expect.objectContaining({ check: 'tasks', figures: expect.objectContaining({ tasks: 10 }) })]),
    )
    expect(checked).toHaveProperty('checks', expect.not.arrayContaining([expect.objectContaining({ outcome: 'fail' })]))
  })

  test('that a dry run looks at is not stored', async () => {
    const before = await service.client.call('listPackages', {})
    const reply = await upload(packageZip([...sums(9), ...sums(1)], { name: 'dry-sums' }), { dry_run: 'true' })
    const body: unknown = await reply.json()
    expect(body).toMatchObject({ dry_run: true, manifest: { name: 'dry-sums' } })
    expect(body).toHaveProperty('checks', expect.arrayContaining([expect.objectContaining({ check: 'tasks', outcome: 'fail' })]))
    expect(await service.client.call('listPackages', {})).toEqual(before)
  })

  test('with a failing check is rejected, and a corrected one may take its version', async () => {
    const rows = sums(40, 2000).map(row => ({ ...row, question: `sk-proj-${'a1B2'.repeat(10)} ${String(row['question'])}` }))
    const rejected = await checkedPackage(service.client, rows, { name: 'leaky-sums' })
    expect(rejected).toMatchObject({ status: 'rejected', profile_ids: [] })
    expect((await reviewsOf(service.client, rejected.id))['secrets']).toMatchObject({ outcome: 'fail' })
    expect(await checkedPackage(service.client, sums(40, 2000), { name: 'leaky-sums' })).toMatchObject({ status: 'in_review' })
  })

  test.each([
    ['a constant answer', sums(60, 4000).map(row => ({ ...row, answer: 'yes' })), 'trivial_answers'],
    ['repeated tasks', [...sums(50, 5000), ...sums(10, 5000).map((row, i) => ({ ...row, id: `again-${i}` }))], 'exact_duplicates'],
    ['an id twice', [...sums(20, 6000), ...sums(1, 6000)], 'tasks'],
  ])('with %s is rejected by a check', async (what, rows, check) => {
    const made = await checkedPackage(service.client, rows, { name: `bad-${what.replaceAll(' ', '-')}` })
    expect((await reviewsOf(service.client, made.id))[check]).toMatchObject({ outcome: 'fail' })
    expect(made.status).toBe('rejected')
  })

  test('is not reviewed by its uploader while another member can', async () => {
    const { id } = await checkedPackage(service.client, sums(25, 3000), { name: 'two-people' })
    const { member } = await service.client.call('inviteMember', { body: { name: 'Grace' } })
    const refused = await service.client.refusal('createPackageReview', {
      params: { package_id: id },
      body: { outcome: 'approve', note: 'mine' },
    })
    expect(refused.code).toBe('conflict')
    await service.client.call('removeMember', { params: { member_id: member.id }, query: { owned_workspaces: 'keep' } })
    await service.client.call('createPackageReview', {
      params: { package_id: id },
      body: { outcome: 'request_changes', note: 'More tasks.' },
    })
    expect(await service.client.call('getPackage', { params: { package_id: id } })).toMatchObject({ status: 'rejected', profile_ids: [] })
  })
})

describe('the answers of a package', () => {
  const [profile] = manifest().profiles
  if (!profile) throw new Error('The manifest has no profile.')

  test('are scored in every profile: one that a constant answer satisfies fails, and is named', async () => {
    const lenient = [{ id: 'any', scorer: 'assay/pattern', options: { pattern: '.*' }, primary: true, binary: true }]
    const made = await checkedPackage(service.client, sums(40, 11_000), {
      name: 'lenient-sums',
      profiles: [profile, { ...profile, key: 'lenient', metrics: lenient }],
    })
    const { trivial_answers, reference } = await reviewsOf(service.client, made.id)
    expect(trivial_answers).toMatchObject({
      outcome: 'fail',
      detail: expect.stringContaining('in profile "lenient"'),
      figures: { profiles: 2 },
    })
    expect(reference).toMatchObject({ outcome: 'pass', figures: { tasks: 40, right: 40, profiles: 2 } })
  })

  test('that the reference solution or the target gets wrong fail with their tasks, which are shown with file and line', async () => {
    const rows = sums(40, 12_000).map((row, i) => ({ ...row, solution: i === 7 ? 'no idea' : row['answer'] }))
    const fields = { id: 'id', input: 'question', target: 'answer', reference: 'solution' }
    const made = await checkedPackage(service.client, rows, { name: 'wrong-reference', fields })
    expect((await reviewsOf(service.client, made.id))['reference']).toMatchObject({
      outcome: 'fail',
      figures: { tasks: 40, right: 39 },
      task_ids: ['sum-12007'],
    })
    const query = { check: 'reference', count: 5, seed: 0 } as const
    const { items, total } = await service.client.call('samplePackageTasks', { params: { package_id: made.id }, query })
    expect({ items, total }).toMatchObject({
      total: 1,
      items: [
        { id: 'sum-12007', file: 'tasks/test.jsonl', line: 8, reference: 'no idea', reference_result: { answer: 'no idea', score: 0 } },
      ],
    })
  })

  test('are shown to reviewers with the score of the right one, in the profile they choose', async () => {
    const terse = { ...profile, key: 'terse', prompt_template: 'Number only. {input}' }
    const { id } = await checkedPackage(service.client, sums(30, 13_000), { name: 'two-profiles', profiles: [profile, terse] })
    const shown = await service.client.call('samplePackageTasks', {
      params: { package_id: id },
      query: { count: 2, seed: 1, profile: 'terse' },
    })
    expect(shown.items).toMatchObject(
      Array.from({ length: 2 }, () => ({
        messages: [{ content: expect.stringMatching(/^Number only\. What is/) }],
        reference_result: { score: 1, explanation: expect.any(String) },
      })),
    )
    const refused = await service.client.refusal('samplePackageTasks', { params: { package_id: id }, query: { profile: 'other' } })
    expect(refused).toMatchObject({ status: 422, message: expect.stringContaining('zero-shot, terse') })
  })
})

test('a package whose template is out of proportion fails its checks by that reason', async () => {
  const rows = sums(20, 15_000).map(row => ({ ...row, question: `${String(row['question'])} ${'x'.repeat(500)}` }))
  const [profile] = manifest().profiles
  if (!profile) throw new Error('The manifest has a profile.')
  const made = await checkedPackage(service.client, rows, {
    name: 'out-of-proportion',
    profiles: [{ ...profile, prompt_template: '{input}'.repeat(1_000) }],
  })
  expect(made.status).toBe('rejected')
  expect((await reviewsOf(service.client, made.id))['manifest']).toMatchObject({
    outcome: 'fail',
    detail: expect.stringContaining('holds "{input}" 1,000 times; 8 are allowed.'),
  })
})

test('the Croissant description of a package describes the same tasks to another package', async () => {
  const { client, fetch } = service
  const original = packageFiles(sums(30, 14_000), { name: 'described-sums' })
  const made = await packageEnd(client, Package.parse(await (await upload(makeZip(original))).json()))
  await approve(made.id)
  const text = await (await fetch('/v1/catalog/benchmarks/acme-research.described-sums/croissant')).text()
  const { fields, ...described } = manifest({ name: 'described-again', derived_from: ['eval://acme-research/described-sums/1.0.0'] })
  const files = [
    { name: 'assay.package.json', content: Buffer.from(JSON.stringify(described)) },
    { name: 'croissant.json', content: Buffer.from(text) },
    ...original.slice(1),
  ]
  const again = await packageEnd(client, Package.parse(await (await upload(makeZip(files))).json()))
  expect(again).toMatchObject({ status: 'in_review', tasks: 30, manifest: { fields, splits: made.manifest?.splits } })
  await approve(again.id)
  const copy = await fetch('/v1/catalog/benchmarks/acme-research.described-again/croissant')
  expect(await copy.json()).toEqual(JSON.parse(text))
})

test('a package whose checks a stop interrupts is checked to the end, each check once', async () => {
  const restarted = await startTestService()
  try {
    await ensureNamespace(restarted.client)
    const body = { manifest: manifest(), tasks: { test: [...sums(300)] }, assets: [], dry_run: false }
    const sent = Package.parse(await restarted.client.call('createPackage', { body }))
    // Some checks are stored and others are not.
    await expect.poll(async () => Object.keys(await reviewsOf(restarted.client, sent.id)).length, { interval: 5 }).toBeGreaterThan(0)
    await restarted.restart()
    const ended = await packageEnd(restarted.client, sent)
    const { items } = await restarted.client.call('listPackageReviews', { params: { package_id: sent.id }, query: { limit: 100 } })
    expect(ended.status).toBe('in_review')
    expect(items.map(({ check }) => check).sort()).toEqual([...packageChecks].sort())
  } finally {
    await restarted.close()
  }
})

test('a name that packages of two namespaces share stands for neither, and with its namespace for one', async () => {
  const { client } = service
  for (const [i, namespace] of ['acme-research', 'other-lab'].entries()) {
    const { id } = await checkedPackage(client, sums(15, 15_000 + 100 * i), { namespace, name: 'shared-name' })
    await approve(id)
  }
  const query = { source_ref: 'shared-name@1.0.0' }
  expect(await client.refusal('listTasks', { query })).toMatchObject({ code: 'not_found' })
  expect(await client.call('listTasks', { query: { source_ref: 'other-lab.shared-name@1.0.0' } })).toMatchObject({
    source_ref: 'eval://other-lab/shared-name/1.0.0',
  })
})

test('a file that the manifest does not name rejects a package', async () => {
  const zip = makeZip([...packageFiles(sums(20), { name: 'stowaway' }), { name: 'extra.txt', content: Buffer.from('x') }])
  const reply = await upload(zip, { dry_run: 'true' })
  const failed: unknown = expect.objectContaining({ check: 'manifest', outcome: 'fail', detail: expect.stringContaining('"extra.txt"') })
  expect(await reply.json()).toHaveProperty('checks', expect.arrayContaining([failed]))
})

describe('an archive', () => {
  const good = () => packageFiles(sums(20), { name: 'hostile-sums' })
  const zip = makeZip(good())
  const [first] = good()
  const named = (name: string) => makeZip([...good(), { name, content: Buffer.from('x') }])
  const sentJson = (path: string, content_base64 = 'eA==') =>
    Buffer.from(
      JSON.stringify({ manifest: manifest(), tasks: { test: sums(20) }, assets: [{ path, content_base64, media_type: 'text/plain' }] }),
    )
  /** Another value in an entry of the directory. */
  const patched = (field: number, value: number, entry = 1) => {
    const copy = Buffer.from(zip)
    let at = 0
    for (let i = 0; i < entry; i++) at = copy.indexOf('PK\u0001\u0002', at + 1, 'latin1')
    copy.writeUInt32LE(value >>> 0, at + field)
    return copy
  }
  const flipped = (at: number) => {
    const copy = Buffer.from(zip)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }
  test.each([
    ['bytes before', Buffer.concat([Buffer.from('x'), zip])],
    ['bytes after', Buffer.concat([zip, Buffer.from('x')])],
    ['a parent path', named('../x')],
    ['an absolute path', named('/x')],
    ['a backslash', named('a\\x')],
    ['a bidirectional override', named('a\u202ex')],
    ['a Windows device', named('nul.txt')],
    ['a name twice in another case', named('TASKS.jsonl')],
    ['a control character', named('a\u0007x')],
    ['an invisible character', named('a\u200bx')],
    ['a name that ends in a dot', named('x.')],
    ['a file that is a folder too', named('tasks.jsonl/x')],
    ['a link', patched(38, 0o120777 << 16)],
    ['files that overlap', patched(42, 0, 2)],
    ['a size that differs', patched(24, 7)],
    ['a bomb', makeZip([...good(), { name: 'zeros', content: Buffer.alloc(3 * 1024 * 1024) }])],
    ['an archive inside', makeZip([...good(), { name: 'x.bin', content: zip }])],
    ['a local name that differs', flipped(31)],
    ['encryption', flipped(6)],
    ['no manifest', makeZip(good().slice(1))],
    ['nothing', makeZip([])],
    ['no zip at all', Buffer.from('hello')],
    ['a manifest that is no JSON', makeZip([{ name: first?.name ?? '', content: Buffer.from('{') }])],
    ['what begins like JSON and is none', Buffer.from('{"manifest":')],
    ['JSON that is no package', Buffer.from('{"manifest":[]}')],
    ['JSON with an asset in place of the manifest', sentJson('assay.package.json')],
    ['JSON with a parent path', sentJson('../x')],
    ['JSON with an archive inside', sentJson('x.bin', zip.toString('base64'))],
    ['JSON with content that is no Base64', sentJson('x.bin', '***')],
  ])('with %s is refused in a whole sentence', async (_, bytes) => {
    const reply = await upload(Uint8Array.from(bytes))
    const message: unknown = expect.stringMatching(/^(?:["A-Z]).*\.$/s)
    expect({ status: reply.status, body: await reply.json() }).toMatchObject({ status: 422, body: { error: { message } } })
  })
})
