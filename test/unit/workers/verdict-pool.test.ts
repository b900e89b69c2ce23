import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createVerdictPool } from '../../../src/workers/verdict-pool.ts'
import { workerFile } from '../../../src/workers/worker-file.ts'
import { longestTurnCpuMs } from '../../support/longest-turn.ts'
import { slowness } from '../../support/machine-speed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { judgeWith } from '../engine/grading/judges/judge.ts'

const judge = judgeWith()
const pool = createVerdictPool(workerFile('read-text.worker'))
afterAll(() => pool.close())

const hostile = ['`', '```\n', '{', '[[', ' ', '\n', '*', 'VERDICT: ', '<think>', '"', '、', '4\n'].map(piece =>
  piece.repeat(Math.ceil(60_000 / piece.length)),
)

test('replies of 60,000 hostile characters are read without holding the service’s loop', async () => {
  // The thread is started before it is measured.
  await pool.read(judge, { text: `${' '.repeat(5_000)}VERDICT: pass`, structured: null }, 'b')
  const longest = await longestTurnCpuMs(async () => {
    for (const text of hostile) {
      await pool.read(judge, { text: `${text}x`, structured: null }, 'b')
      await pool.read(judge, { text: '', structured: `{"verdict":"pass","reason":"${text}` }, 'b')
    }
  })
  expect(longest).toBeLessThan(50 * slowness())
})

test('a long reply is read as a short one is', async () => {
  const said = { text: `${'Because. '.repeat(5_000)}\nVERDICT: fail`, structured: null }
  expect(await pool.read(judge, said, 'b')).toMatchObject({ verdict: 'fail' })
  expect(await pool.read(judge, { text: 'VERDICT: fail', structured: null }, 'b')).toMatchObject({ verdict: 'fail' })
})

test('a reply that takes longer than its deadline has no verdict, and says why', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder.remove())
  const endless = join(folder.path, 'endless.mjs')
  writeFileSync(endless, 'export default () => { for (;;); }')
  const hasty = createVerdictPool(endless, 50)
  const { verdict, problem } = await hasty.read(judge, { text: `${'、'.repeat(60_000)}\nVERDICT: pass`, structured: null }, 'b')
  await hasty.close()
  expect(verdict).toBeNull()
  expect(problem).toContain('could not be read')
})
