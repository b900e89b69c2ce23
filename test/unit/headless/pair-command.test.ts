import { expect, test } from 'vitest'
import { defaultDataDir } from '../../../src/headless/config.ts'
import { pairCommand } from '../../../src/headless/pair.ts'

test('the command for another pairing code names the data folder unless every terminal finds it', () => {
  expect(pairCommand(defaultDataDir({ ...process.env, ASSAY_DATA_DIR: '' }))).toBe('npm run pair')
  expect(pairCommand('/tmp/my data')).toBe('npm run pair -- --data-dir "/tmp/my data"')
})
