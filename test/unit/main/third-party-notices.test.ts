import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderNotices, shippedPackages } from '../../support/third-party-notices.ts'

const notices = () => readFileSync(new URL('../../../resources/THIRD-PARTY-NOTICES.md', import.meta.url), 'utf8')

test('names every package that is shipped, with its license', () => {
  const text = notices()
  const shipped = shippedPackages()
  expect(shipped.length).toBeGreaterThan(100)
  expect(shipped.filter(({ name, version, license }) => !text.includes(`| ${name} | ${version} | ${license} |`))).toEqual([])
  expect(shipped.filter(({ license }) => license === '')).toEqual([])
})

test('names what the app loads and what is built into its page', () => {
  const names = new Set(shippedPackages().map(({ name }) => name))
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  for (const name of [
    ...Object.keys(manifest.dependencies),
    'react',
    'react-dom',
    '@mantine/core',
    '@fontsource-variable/inter',
    'electron',
  ])
    expect(names).toContain(name)
  expect(notices()).toContain('| pyodide | 314.0.7 | MPL-2.0 |')
})

test('is the text that the packages give; `vitest -u` writes it', async () => {
  await expect(renderNotices(shippedPackages())).toMatchFileSnapshot('../../../resources/THIRD-PARTY-NOTICES.md')
})
