import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { defaultDataDir } from '../../../src/headless/config.ts'
import { pairCommand } from '../../../src/headless/pair.ts'
import { quoted } from '../../../src/lib/command-line.ts'

test('the command for another pairing code names the data folder unless every terminal finds it', () => {
  expect(pairCommand(defaultDataDir({ ...process.env, ASSAY_DATA_DIR: '' }))).toBe('npm run pair')
  expect(pairCommand('/tmp/my data')).toBe(`npm run pair -- --data-dir ${quoted('/tmp/my data', process.platform)}`)
  expect(pairCommand('data')).toBe(`npm run pair -- --data-dir ${quoted(resolve('data'), process.platform)}`)
})

test('a path in a command is one argument that no shell expands', () => {
  expect(quoted("/tmp/it's $HOME", 'linux')).toBe(String.raw`'/tmp/it'\''s $HOME'`)
  expect(quoted(String.raw`C:\my data`, 'win32')).toBe(String.raw`"C:\my data"`)
})
