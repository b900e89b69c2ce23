// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChartFigure } from '../../../../src/renderer/results/chart-figure.tsx'

class NoResizes {
  observe(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', NoResizes)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('links of a chart’s table are those of the pages, not the browser’s', () => {
  const columns = [
    { label: 'Name', numeric: false },
    { label: 'Score', numeric: true },
  ]
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <ChartFigure table={{ caption: 'Scores', columns, rows: [['Echo', '0.0 %']], hrefs: ['/runs/1'] }}>{() => null}</ChartFigure>
      </MemoryRouter>
    </MantineProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: /Show as table/ }))
  const link = screen.getByRole('link', { name: 'Echo' })
  expect([link.getAttribute('href'), link.className]).toEqual(['/runs/1', expect.stringContaining('mantine-Anchor-root')])
})
