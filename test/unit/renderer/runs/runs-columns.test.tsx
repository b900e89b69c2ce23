import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { runsColumns } from '../../../../src/renderer/runs/runs-columns.tsx'
import { runFixture } from './fixtures.ts'

const run = runFixture()
const [profile] = run.profiles
if (!profile) throw new Error('The run has no profile.')
const arithmetic = { ...profile, slug: 'arithmetic', benchmark_title: 'Arithmetic word problems', title: 'Zero-shot' }
const logic = { ...profile, slug: 'logic', benchmark_title: 'Logic choice', title: '5-shot' }

test('a run’s benchmarks are cut to no profile that it does not have', () => {
  const shown = (profiles: typeof run.profiles) =>
    renderToStaticMarkup(<>{runsColumns.find(({ id }) => id === 'benchmarks')?.cell(runFixture({ profiles }))}</>)
  expect(shown([arithmetic])).toContain('>Arithmetic word problems · Zero-shot<')
  const both = shown([arithmetic, logic])
  expect(both).toMatch(/>Arithmetic word problems · Zero-shot<.*<span>\+1<\/span>/)
  expect(both).toContain('title="Arithmetic word problems · Zero-shot, Logic choice · 5-shot"')
})

test('tags of a run are whole as far as its row has room, and the others are counted', () => {
  const shown = (notes: number) => {
    const annotations = { bookmarked: false, tags: ['baseline', 'nightly', 'prompt-v2'], notes }
    return renderToStaticMarkup(<>{runsColumns.find(({ id }) => id === 'annotations')?.cell(runFixture({ annotations }))}</>)
  }
  expect(shown(0)).toMatch(/>baseline<.*>nightly<.*\+1</)
  expect(shown(0)).not.toContain('>prompt-v2<')
  expect(shown(1)).toMatch(/>baseline<.*\+2</)
  expect(shown(0)).toContain('title="baseline, nightly, prompt-v2"')
})
