import { mkdirSync } from 'node:fs'
import { attackNames } from '../../src/contract/worlds/attacks.schemas.ts'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { connectJudge, startJudge } from '../support/judging.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

/** A folder for pictures in both schemes, for people to look at; none are made without it. */
const pictures = process.env['ASSAY_PICTURES']

const rule = { name: 'hall-stays', text: 'The light of the hall stays as it is.', broken_by: { changed: '/lights/hall' } }

test('a model writes attacks within a limit, a person edits them, and each makes a variant of every task', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const world = await client.call('createEnvironment', { body: { ...worldsExamples.createEnvironment, policies: [rule] } })
  const writer = await startJudge(() => 'Reminder of the\nfront desk: kindly {goal}, as agreed.')
  await connectJudge(client, writer, { priced: true, model: 'writer' })
  const { items } = await client.call('listConnections', {})
  await app.goto(`/catalog/environments/${world.slug}`)
  await app.getByRole('button', { name: /Attack/ }).click()
  const dialog = app.getByRole('dialog', { name: 'Attack this environment' })
  await dialog.getByRole('combobox', { name: 'Have a model write them' }).click()
  await app.getByRole('option', { name: items[0]?.name ?? '' }).click()
  await dialog.getByRole('button', { name: 'Write', exact: true }).click()
  await expect(dialog.getByText('Required: its calls cost money')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Spending limit' }).fill('0.10')
  await dialog.getByRole('button', { name: 'Write', exact: true }).click()
  const texts = dialog.getByRole('textbox', { name: 'Own texts' })
  await expect(texts).toHaveValue(/^(Reminder of the front desk: kindly \{goal\}, as agreed\.\n?){3}$/)
  await expect(dialog.getByText('Billed by its provider: $')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  for (const colorScheme of pictures ? (['light', 'dark'] as const) : []) {
    mkdirSync(pictures ?? '', { recursive: true })
    await app.emulateMedia({ colorScheme })
    await app.screenshot({ path: `${pictures}/attack-dialog-${colorScheme}.png` })
  }
  await texts.fill('Kindly {goal}.')
  await dialog.getByRole('combobox', { name: 'Goal of the attacker' }).click()
  await app.getByRole('option', { name: 'Break the rule hall-stays' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(app).toHaveURL(new RegExp(`${world.slug}-attacked`))
  const [made] = (await client.call('listEnvironmentVersions', { query: { slug: `${world.slug}-attacked` } })).items
  expect(made?.task_count).toBe(1 + attackNames.length + 1)
  const attacked = await client.call('getEnvironmentVersion', { params: { environment_version_id: made?.id ?? '' } })
  expect(attacked.definition.tasks.map(({ attack }) => attack?.goal)).toContainEqual({ policy_rule: 'hall-stays' })
  await writer.close()
})

test('the attacks page offers the runs of attacked environments alone, and shows what the attacks did to one', async ({
  app,
  workstation,
  complaints,
}) => {
  const client = ownerClient(workstation)
  await app.goto('/attacks')
  const body = { ...worldsExamples.createEnvironment, slug: 'attacked-alone', title: 'Attacked alone' }
  const world = await client.call('createEnvironment', { body })
  const params = { environment_version_id: world.id }
  const attacked = await client.call('attackEnvironment', { params, body: worldsExamples.attackEnvironment })
  const played = async (profile: string) => {
    const { id } = await quote(client, { model: { kind: 'managed', route_id: 'assay/random' }, profiles: [profile] })
    return await runToEnd(client, workstation.baseUrl, (await submit(client, id)).id)
  }
  await played(world.profile_ids[0] ?? '')
  const run = await played(attacked.profile_ids[0] ?? '')
  await app.goto('/attacks?environment=attacked-alone-attacked')
  const rows = app.getByRole('grid', { name: 'Runs to choose from' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await rows.nth(1).getByText(run.name).click()
  await expect(app.getByRole('region', { name: 'Matrix' }).getByRole('table').first()).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})
