import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { SampleDetail } from '../../../../src/contract/runs/samples.schemas.ts'
import { Output } from '../../../../src/renderer/samples/output.tsx'

type Detail = SampleDetail['score_details'][number]

function detail(metric: string, start: number | null, end = 0): Detail {
  return {
    metric,
    title: metric,
    scorer: 'native/exact',
    scorer_version: 1,
    value: 1,
    class: 'correct',
    code: null,
    answer: 'x',
    answer_span: start === null ? null : { start, end },
    explanation: '',
  }
}

function markup(output: string | null, details: readonly Detail[]): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <Output output={output} details={details} />
    </MantineProvider>,
  )
}

describe('an output with the answer taken from it', () => {
  test('highlights the extracted answer', () => {
    expect(markup('It is 42 or so.', [detail('strict', 6, 8)])).toMatch(/It is <mark title="Taken by strict">42<\/mark> or so\./)
  })

  test('asks which one to mark only where metrics took different places', () => {
    expect(markup('1 2', [detail('strict', 0, 1), detail('flexible', 0, 1)])).not.toContain('Answer to mark')
    expect(markup('1 2', [detail('strict', 0, 1), detail('flexible', 2, 3)])).toContain('Answer to mark')
  })

  test('finds the highlight in an output too long to render whole', () => {
    const long = `${'a'.repeat(60_000)}ANSWER${'b'.repeat(60_000)}`
    const shown = markup(long, [detail('strict', 60_000, 60_006)])
    expect(shown).toContain('>ANSWER</mark>')
    expect(shown).toContain('Show all 120,006 characters')
    expect(shown.length).toBeLessThan(40_000)
  })

  test('says when there is no answer, and when it is empty', () => {
    expect(markup(null, [])).toContain('There is no answer.')
    expect(markup('', [])).toContain('The answer is empty.')
  })
})
