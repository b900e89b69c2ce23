import { readdirSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { withTextFile } from '../../../src/workers/export-file.ts'
import { collect, reportOf } from '../engine/reporting/report/collect.ts'
import { renderRunReport } from '../../../src/engine/reporting/report/run-report.ts'
import { emptySample, fixtureResults, stream } from '../engine/reporting/report/run-fixture.ts'
import { temporaryFolder } from '../../support/service.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const samples = Array.from({ length: 40 }, (_, position) => ({
  ...emptySample(position),
  error_message: `Naïve ${position} 😀`,
  facets: {},
}))

test('writes the same report with the transcripts in a file, and removes the file', async () => {
  const path = `${folder.path}/report.html`
  let kept = 0
  let names: string[] = []
  const inFile = await collect(write =>
    withTextFile(path, texts =>
      renderRunReport(fixtureResults(samples), stream(samples), write, {
        transcriptBudgetBytes: 20_000,
        texts: {
          ...texts,
          append: text => {
            kept++
            names = readdirSync(folder.path)
            return texts.append(text)
          },
        },
      }),
    ),
  )
  const inMemory = await reportOf(samples, fixtureResults(samples), { transcriptBudgetBytes: 20_000 })
  expect(inFile).toBe(inMemory)
  expect(kept).toBe(samples.length)
  expect(names).toEqual(['report.html.texts.partial'])
  expect(readdirSync(folder.path)).toEqual([])
})

test('removes the file of texts when the export fails', async () => {
  const failing = withTextFile(`${folder.path}/other.html`, () => Promise.reject(new Error('The disk is full.')))
  await expect(failing).rejects.toThrow('The disk is full.')
  expect(readdirSync(folder.path)).toEqual([])
})
