import { profileId } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { expect, test } from './support/workstation.ts'

test('a prompt is changed in the form, seen in the example as it is typed, and recorded with the result', async ({
  app,
  workstation,
  complaints,
}) => {
  const client = ownerClient(workstation)
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  await app.goto(`/quotes/new?profile=${encodeURIComponent(profile)}&route=assay/oracle-75`)
  await app.getByRole('textbox', { name: 'Tasks per profile' }).fill('12')
  await app.getByText('Prompt', { exact: true }).click()
  await app.getByRole('switch', { name: 'Change the system prompt' }).click()
  const example = app.getByRole('region', { name: 'Example prompt' })
  await app.getByRole('textbox', { name: 'System prompt' }).fill('Answer as a pirate.')
  await expect(example).toContainText('Answer as a pirate.')

  await app.getByRole('switch', { name: 'Change the prompt template' }).click()
  const template = app.getByRole('textbox', { name: 'Prompt template' })
  await expect(template).toHaveValue(/\{question\}/)
  await template.fill('Say nothing.')
  await expect(app.getByText('put {question} where it goes').first()).toBeVisible()
  await template.fill('Question: {question}')
  await expect(example).toContainText('Question: ')

  await app.getByText('Execution settings', { exact: true }).click()
  await app.getByRole('textbox', { name: 'Top p' }).fill('0.9')
  await app.getByRole('textbox', { name: 'Model seed' }).fill('11')
  await app.getByRole('button', { name: 'Run', exact: true }).click()
  await app.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
  await expect(app.getByRole('region', { name: 'Score', exact: true })).toContainText(
    'changed: system prompt, prompt template, top p 0.9, model seed 11',
  )
  const { reproducibility } = await client.call('getRunResults', { params: { run_id: app.url().split('/').at(-1) ?? '' }, query: {} })
  expect(reproducibility.execution).toMatchObject({
    system_prompt: 'Answer as a pirate.',
    prompt_template: 'Question: {question}',
    top_p: 0.9,
    model_seed: 11,
  })
  expect(complaints).toEqual([])
})
