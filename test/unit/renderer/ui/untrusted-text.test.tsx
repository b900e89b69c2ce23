import { existsSync, readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { allowOnlyStyles, onlyStyles } from '../../../../src/renderer/app/trusted-types.ts'
import { UntrustedText } from '../../../../src/renderer/ui/values/untrusted-text.tsx'

const attacks = new URL('../../../../../shared/badinput/own/md_exfil.json', import.meta.url)

/** Elements of rendered markup. */
function tags(markup: string): Set<string> {
  return new Set([...markup.matchAll(/<([a-z]+)/g)].map(match => match[1] ?? ''))
}

describe('untrusted text', () => {
  test('is rendered as text', () => {
    const markup = renderToStaticMarkup(<UntrustedText text={'<img src=x onerror=alert(1)> ![a](http://evil.test/?q=1) **b**'} />)
    expect(tags(markup)).toEqual(new Set(['pre']))
    expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt; ![a](http://evil.test/?q=1) **b**')
  })

  test('shows characters that would hide or reorder', () => {
    const markup = renderToStaticMarkup(<UntrustedText text={'invoice\u202efdp.exe pass\u200bword'} />)
    expect(markup).toContain('⟨U+202E⟩')
    expect(markup).toContain('⟨U+200B⟩')
    expect(markup).not.toMatch(/[\u202e\u200b]/)
  })

  test('is isolated from the direction of the text around it', () => {
    expect(renderToStaticMarkup(<UntrustedText text="abc" layout="inline" />)).toContain('dir="auto"')
  })

  test('marks the part that was extracted and nothing else', () => {
    const markup = renderToStaticMarkup(<UntrustedText text="The answer is 42." mark={{ start: 14, end: 16 }} />)
    expect(markup).toMatch(/The answer is <mark[^>]*>42<\/mark>\./)
  })

  test('stays on one line in a table cell, with a sign for each line end', () => {
    const text = 'Step 1\r\nStep 2\n42'
    for (const layout of ['inline', 'name'] as const) {
      const markup = renderToStaticMarkup(<UntrustedText text={text} layout={layout} mark={{ start: 16, end: 18 }} />)
      expect(markup.replaceAll(/<[^>]*>/g, '')).toBe('Step 1 ⏎ Step 2 ⏎ 42')
    }
    expect(renderToStaticMarkup(<UntrustedText text={text} />)).toContain(text)
  })

  test('marks nothing for an empty span', () => {
    expect(renderToStaticMarkup(<UntrustedText text="abc" mark={{ start: 1, end: 1 }} />)).not.toContain('<mark')
  })

  test.each([
    ['Simulated model (75 %)', ' (75 %)'],
    ['Arithmetic word problems · Zero-shot', ' Zero-shot'],
    ['a-model-without-a-space-2025', 'ce-2025'],
    ['Echo', ''],
  ])('keeps the end of the name %s where it is cut, by whole words', (text, end) => {
    const markup = renderToStaticMarkup(<UntrustedText text={text} layout="name" />)
    expect(/untrusted-end">([^<]*)</.exec(markup)?.[1] ?? '').toBe(end)
    expect(markup.replaceAll(/<[^>]*>/g, '')).toBe(text)
  })

  describe.skipIf(!existsSync(attacks))('Markdown that would call home (needs the shared folder of bad input)', () => {
    test('creates no elements from it', () => {
      const cases: unknown = JSON.parse(readFileSync(attacks, 'utf8'))
      const texts = textsIn(cases)
      expect(texts.length).toBeGreaterThan(20)
      for (const text of texts) {
        const allowed = [...tags(renderToStaticMarkup(<UntrustedText text={text} />))].filter(tag => tag !== 'pre' && tag !== 'span')
        expect(allowed, text).toEqual([])
      }
    })
  })
})

/** Every string anywhere in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

describe('what the library writes into the page', () => {
  test('is style sheets, and never an element', () => {
    const sheet = ':root { --x: 1 } .a > .b { color: red }'
    expect(onlyStyles(sheet)).toBe(sheet)
    for (const markup of ['<img src=x onerror=alert(1)>', 'a{}</style><script>', '<']) expect(() => onlyStyles(markup)).toThrow(TypeError)
  })

  test('is all that has a rule: scripts have none', () => {
    const policies: [string, object][] = []
    allowOnlyStyles({ createPolicy: (name, rules) => policies.push([name, rules]) })
    expect(policies).toEqual([['default', { createHTML: onlyStyles }]])
  })
})
