// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { canFormat } from '../../../../src/renderer/markdown/can-format.ts'
import Markdown from '../../../../src/renderer/markdown/markdown.tsx'
import { cpuMsOf, slowness } from '../../../support/machine-speed.ts'

afterEach(cleanup)

const shown = (text: string): HTMLElement => render(<Markdown text={text} />).container

describe('formatted text of a model', () => {
  test('is laid out: paragraphs, lists, tables, code', () => {
    const page = shown('# Plan\n\n1. **add**\n2. `subtract`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nprint(1)\n```')
    expect(page.querySelectorAll('ol > li')).toHaveLength(2)
    expect(page.querySelector('strong')?.textContent).toBe('add')
    expect(page.querySelector('td')?.textContent).toBe('1')
    expect(page.querySelector('pre')?.textContent).toContain('print(1)')
    // Headings of a text are no headings of the page.
    expect(page.querySelector('h1, h2, h3')).toBeNull()
    expect(page.querySelector('.markdown-heading')?.textContent).toBe('# Plan')
  })

  test('shows maths as MathML, inline and on a line of its own', () => {
    const page = shown('So \\(x^2\\) and\n\n$$\n\\frac{1}{2}\n$$')
    expect(page.querySelectorAll('math')).toHaveLength(2)
    expect(page.querySelector('msup')?.textContent).toBe('x2')
    expect(page.querySelector('.markdown-display mfrac')).not.toBeNull()
  })

  test('leaves maths that it cannot read, and prices, as they were written', () => {
    const page = shown('$\\frac{1}$ costs $5 or $6')
    expect(page.textContent).toContain('\\frac{1}')
    expect(page.textContent).toContain('costs $5 or $6')
  })

  test('makes no element of HTML, no link and no picture, and refuses TeX that would', () => {
    const page = shown(
      'Look: <script>alert(1)</script> <b>bold</b> [here](http://exfil.invalid/a) ![pic](http://exfil.invalid/b) https://exfil.invalid/c $\\href{http://exfil.invalid/d}{x}$ $\\includegraphics{http://exfil.invalid/e}$',
    )
    expect(page.querySelectorAll('script, b, a, img, iframe, [href], [src], [style]')).toHaveLength(0)
    expect(page.textContent).toContain('<script>alert(1)</script> <b>bold</b> here (http://exfil.invalid/a)')
    expect(page.textContent).toContain('[image: pic http://exfil.invalid/b]')
  })

  test('shows characters that hide or reorder, in text and in maths', () => {
    const page = shown('a <b>\u202Ec</b> a\u202Eb `c\u200Bd` $x\u202Ey$')
    expect([...page.querySelectorAll('.untrusted-hidden')].map(mark => mark.textContent)).toEqual(['⟨U+202E⟩', '⟨U+202E⟩', '⟨U+200B⟩'])
    expect(page.textContent).not.toMatch(/[\u202E\u200B]/)
  })

  test('drops ids, which two texts on a page would share', () => {
    expect(shown('Text[^1]\n\n[^1]: Note').querySelectorAll('[id]')).toHaveLength(0)
  })

  test.each([
    ['brackets', '['],
    ['emphasis', '*a_'],
    ['dollars', '$a'],
    ['quotes', '> '],
    ['fences', '`a'],
    ['macros', '$\\def\\a{\\a\\a}\\a$ '],
  ])('takes little time over as many %s as are formatted', async (_, piece) => {
    let text = ''
    while (canFormat(text + piece)) text += piece
    expect(text.length).toBeGreaterThan(1_000)
    expect(await cpuMsOf(() => shown(text))).toBeLessThan(2_000 * slowness())
  })

  test.each([
    ['longer', 'a'.repeat(20_001)],
    ['of more signs', '['.repeat(1_501)],
  ])('is not made of a text that is %s than a page lays out in a moment', (_, text) => {
    expect(canFormat(text)).toBe(false)
  })
})
