import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MappingForm } from '../../../../src/renderer/catalog/mapping-form.tsx'

function markupOf(missing: 'target' | null): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <MappingForm
        columns={['asked', 'level']}
        samples={['How much is 1 + 1?', 'easy']}
        fields={['input', 'target']}
        mapping={{ input: 'asked' }}
        answerKey={null}
        splits={[]}
        missing={missing}
        onChange={() => undefined}
      />
    </MantineProvider>,
  )
}

test('a table without a known column of answers asks for one, or for none', () => {
  expect(markupOf('target')).toContain('No reference answers')
  expect(markupOf('target')).toContain('Required')
  expect(markupOf(null)).not.toContain('No reference answers')
})

test('the first value of each column is beside the fields', () => {
  expect(markupOf(null)).toMatch(/How much is 1 \+ 1\?.*easy/s)
})
