import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import type { Locator, Page } from '@playwright/test'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { connectReplay, submitReplay } from './support/slow-run.ts'
import { expect, prepare, signIn, test as base } from './support/workstation.ts'

const prepareRun = prepare(async workstation => {
  const client = ownerClient(workstation)
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 20, seed: 1 },
  })
  return await runToEnd(client, workstation.baseUrl, (await submit(client, id, 'Focused')).id)
})

const test = base.extend<{ runId: string }>({
  runId: async ({ workstation }, use) => use((await prepareRun(workstation)).id),
})

/** Answers the open dialog by keyboard, once it has taken the focus: a key before that would be its first button's. */
async function confirm(app: Page, name: string): Promise<void> {
  const dialog = app.getByRole('dialog')
  await expect(dialog.locator(':focus')).toBeVisible()
  await dialog.getByRole('button', { name }).press('Enter')
}

interface Step {
  readonly action: string
  readonly act: (app: Page) => Promise<void>
  /** What has the focus afterwards. */
  readonly focused: (app: Page) => Locator
  /** What a screen reader is told. */
  readonly said?: string
}

const button = (app: Page, name: string | RegExp): Locator => app.getByRole('button', { name, exact: true })
const heading = (app: Page, name: string | RegExp): Locator => app.getByRole('heading', { level: 1, name })
const tags = (app: Page): Locator => app.getByRole('textbox', { name: 'Tags' }).or(app.getByRole('combobox', { name: 'Tags' }))
const press = (control: (app: Page) => Locator) => async (app: Page) => control(app).press('Enter')

async function choose(app: Page, field: string, option: string | RegExp): Promise<void> {
  await app.getByRole('combobox', { name: field }).click()
  await app.getByRole('option', { name: option }).first().click()
}

async function walk(app: Page, steps: readonly Step[]): Promise<void> {
  for (const { action, act, focused, said } of steps)
    await test.step(action, async () => {
      await act(app)
      await expect(focused(app)).toBeFocused()
      if (said) await expect(app.getByRole('log', { name: 'Announcements' })).toHaveText(said)
    })
}

const onRunPage: readonly Step[] = [
  {
    action: 'bookmark',
    act: press(app => button(app, 'Bookmark')),
    focused: app => button(app, 'Bookmarked'),
    said: 'Bookmark and tags saved',
  },
  {
    action: 'add a tag',
    act: async app => {
      await tags(app).fill('baseline')
      await tags(app).press('Enter')
      await expect(app.getByText('baseline', { exact: true })).toBeVisible()
    },
    focused: tags,
  },
  {
    action: 'add a tag that is refused, which stays to be corrected',
    act: async app => {
      await tags(app).fill('<b>')
      await tags(app).press('Enter')
      await expect(app.getByText(/must begin with/)).toBeVisible()
      await expect(tags(app)).toHaveValue('<b>')
      await tags(app).fill('')
    },
    focused: tags,
  },
  {
    action: 'save a note',
    act: async app => {
      await button(app, 'Add note').press('Enter')
      await app.keyboard.type('Look at row 4')
      await button(app, 'Save note').press('Enter')
      await expect(app.getByRole('list', { name: 'Notes' })).toBeVisible()
    },
    focused: app => button(app, 'Add note'),
    said: 'Note saved',
  },
  {
    action: 'leave a note unchanged',
    act: async app => {
      await button(app, 'Edit note “Look at row 4”').press('Enter')
      await expect(app.getByRole('textbox', { name: 'Note' })).toBeFocused()
      await app.keyboard.press('Escape')
    },
    focused: app => button(app, 'Edit note “Look at row 4”'),
  },
  {
    action: 'edit a note',
    act: async app => {
      await button(app, 'Edit note “Look at row 4”').press('Enter')
      await app.getByRole('textbox', { name: 'Note' }).fill('Look at row 5')
      await button(app, 'Save note').press('Enter')
      await expect(app.getByRole('textbox', { name: 'Note' })).toHaveCount(0)
    },
    focused: app => button(app, 'Edit note “Look at row 5”'),
    said: 'Note saved',
  },
  {
    action: 'delete the only note',
    act: async app => {
      await button(app, 'Delete note “Look at row 5”').press('Enter')
      await confirm(app, 'Delete note')
      await expect(app.getByRole('dialog')).toHaveCount(0)
    },
    focused: app => button(app, 'Add note'),
    said: 'Note deleted',
  },
  {
    action: 'rename',
    act: async app => {
      await button(app, 'More for this run').press('Enter')
      await app.getByRole('menuitem', { name: 'Rename…' }).press('Enter')
      await app.getByRole('textbox', { name: 'Name' }).fill('Focused again')
      await app.keyboard.press('Enter')
      await expect(heading(app, 'Focused again')).toBeVisible()
      await expect(app.getByRole('dialog')).toHaveCount(0)
    },
    focused: app => button(app, 'More for this run'),
    said: 'Run renamed',
  },
]

const beyondRuns: readonly Step[] = [
  {
    action: 'create a dataset',
    act: async app => {
      await app.goto('/datasets')
      await button(app, 'New dataset').first().press('Enter')
      await app.getByLabel('Name', { exact: false }).fill('Answers')
      await app.keyboard.press('Enter')
      await expect(heading(app, 'Answers')).toBeVisible()
    },
    focused: app => heading(app, 'Answers'),
    said: 'Dataset created',
  },
  {
    action: 'save a suite',
    act: async app => {
      await app.goto('/suites/new')
      await choose(app, 'Source', 'Arithmetic word problems')
      await app.getByRole('grid', { name: 'Tasks to choose from' }).getByRole('row').nth(1).click()
      await app.getByLabel('Name', { exact: false }).fill('One task')
      await button(app, 'Save suite').press('Enter')
    },
    focused: app => heading(app, 'One task'),
    said: 'Suite saved',
  },
  {
    action: 'start an evaluation',
    act: async app => {
      await app.getByRole('link', { name: 'Run as evaluation' }).press('Enter')
      await choose(app, 'Model', 'Simulated model (75 %)')
      await button(app, 'Start evaluation').press('Enter')
      await expect(app).toHaveURL(/\/suites\/evaluations\//)
    },
    focused: app => heading(app, /One task/),
  },
  {
    action: 'register a connection without an address',
    act: async app => {
      await app.goto('/models/connections/new')
      await button(app, 'Register and check').press('Enter')
    },
    focused: app => app.locator('[aria-invalid="true"]').first(),
  },
]

test('the focus stays where a person works after each action on a run', async ({ app, runId, complaints }) => {
  await app.goto(`/runs/${runId}`)
  await walk(app, onRunPage)
  expect(complaints).toEqual([])
})

test('the focus goes to what an action made', async ({ app, complaints }) => {
  await walk(app, beyondRuns)
  expect(complaints).toEqual([])
})

test('cancelling and retrying a run keep the focus in its header and are announced', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const replay = await connectReplay(client, { answers: () => '#### 7', held: asked => (asked > 20 ? new Promise(() => {}) : null) })
  try {
    const { id } = await submitReplay(client, replay, 40, 'To be cancelled')
    await app.goto(`/runs/${id}`)
    const said = app.getByRole('log', { name: 'Announcements' })
    await button(app, 'Cancel run').press('Enter')
    await confirm(app, 'Cancel run')
    await expect(app.getByRole('dialog')).toHaveCount(0)
    await expect(said).toHaveText('Run: cancelled')
    await expect(app.locator('.page-header :focus')).toBeVisible()
    await app.getByRole('button', { name: /^Retry \d+ unscored/ }).press('Enter')
    await confirm(app, 'Retry')
    await expect(said).toHaveText('Run: retrying')
    await expect(app.locator('main :focus')).toBeVisible()
  } finally {
    await replay.server.close()
  }
})

test('signing in goes to the heading of the home page', async ({ page, workstation }) => {
  await signIn(page, workstation)
  await expect(heading(page, 'Home')).toBeFocused()
})

test('a sample that takes the place of the list takes the focus and gives it back', async ({ app, runId }) => {
  await app.setViewportSize({ width: 640, height: 400 })
  await app.goto(`/runs/${runId}/samples`)
  const grid = app.getByRole('grid', { name: 'Samples' })
  await grid.getByRole('row').nth(1).waitFor()
  await grid.focus()
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('Enter')
  const panel = app.getByRole('complementary', { name: 'Transcript' })
  await expect(panel.locator(':focus')).toBeVisible()
  const before = app.url()
  await app.keyboard.press('j')
  await expect(app).not.toHaveURL(before)
  await app.keyboard.press('Escape')
  await expect(grid).toBeFocused()
})

test('letters mark the options of a list without a search that begin with them', async ({ app, runId }) => {
  await app.goto(`/runs?open=${runId}`)
  const status = app.getByRole('combobox', { name: 'Status' })
  const marked = app.locator('[data-combobox-selected]')
  await status.focus()
  for (const option of ['Cancelling', 'Complete', 'Cancelled', 'Cancelling']) {
    await app.keyboard.press('c')
    await expect(marked).toHaveText(option)
  }
  await app.keyboard.press('Escape')
  await app.keyboard.type('par')
  await expect(marked).toHaveText('Partial')
  await app.keyboard.press('ArrowUp')
  await app.keyboard.press('Enter')
  await expect(status).toHaveValue('Complete')
})

test('forced colors mark what is chosen', async ({ app, runId }) => {
  await app.emulateMedia({ forcedColors: 'active' })
  const background = (control: Locator) => control.evaluate(element => getComputedStyle(element).backgroundColor)
  await app.goto('/quotes/new')
  const boxes = app.getByRole('checkbox')
  await boxes.first().check()
  const checked = app.locator('input[type=checkbox]:checked').first()
  await expect(checked).toBeAttached()
  expect(await background(checked)).not.toBe(await background(app.locator('input[type=checkbox]:not(:checked)').first()))
  const rail = app.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await app.goto(`/runs/${runId}`)
  expect(await background(rail.filter({ hasText: 'Runs' }))).not.toBe(await background(rail.filter({ hasText: 'Home' })))
  const underline = (name: RegExp) =>
    app
      .getByRole('navigation', { name: 'Parts of this run' })
      .getByRole('link', { name })
      .evaluate(element => getComputedStyle(element).borderBottomWidth)
  expect(await underline(/Results/)).not.toBe(await underline(/Samples/))
})

base('a focus that moves by itself leaves in view what a person scrolled to', async ({ page }) => {
  const watcher = stripTypeScriptTypes(await readFile('src/renderer/app/keep-focus.ts', 'utf8'))
  await page.setContent(
    '<main><section><button id="first">Retry</button><button>Cancel</button></section><p style="height: 5000px"></p></main>',
  )
  await page.addScriptTag({ type: 'module', content: `${watcher}\nkeepFocus(document)` })
  const replaceFirst = () => page.locator('#first').evaluate(button => button.remove())
  await page.locator('#first').focus()
  await page.mouse.move(100, 100)
  await page.mouse.wheel(0, 2_000)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1_000)
  await replaceFirst()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1_000)
})
