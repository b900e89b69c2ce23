import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url).pathname
const pages = (pattern: string) => globSync(pattern, { cwd: root }).toSorted()
const textOf = (path: string) => readFileSync(`${root}${path}`, 'utf8')

const records = pages('src/decisions/[0-9]*.md')

/** What a page calls a test: `api/door.test.ts`, `test/e2e/desktop.spec.ts`, `test/api/imports*.test.ts`. */
const namedTests = (text: string) =>
  [...text.matchAll(/`([\w./*-]+\.(?:test|spec)\.tsx?)`/g)].map(([, name = '']) => (name.startsWith('test/') ? name : `test/${name}`))

describe('decision records', () => {
  it.each(records)('%s follows the template on one page', path => {
    const text = textOf(path)
    expect(text).toMatch(/^# \d{4} .+\n\n- Date: 20\d\d-\d\d-\d\d.*\n- Status: (?:proposed|accepted|superseded by \d{4})/)
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
    expect(sections).toEqual(['Context', 'Options', 'Decision', 'Consequences', 'Enforced by'])
    expect(text.split(/\s+/).length, 'words').toBeLessThanOrEqual(650)
  })

  it('have numbers of their own', () => {
    const numbers = records.map(path => path.slice('src/decisions/'.length, 'src/decisions/0000'.length))
    expect(numbers).toEqual([...new Set(numbers)])
  })

  it.each(pages('src/decisions/{[0-9]*,tables/*}.md'))('%s names tests that exist', path => {
    const absent = namedTests(textOf(path)).filter(
      name => pages(name).length === 0 && pages(name.replace('test/', 'test/**/')).length === 0,
    )
    expect(absent).toEqual([])
  })
})
