import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../../', import.meta.url).pathname
const pages = (pattern: string) => globSync(pattern, { cwd: root }).toSorted()
const textOf = (path: string) => readFileSync(`${root}${path}`, 'utf8')

const records = pages('src/decisions/[0-9]*.md')
const numberOf = (path: string) => path.slice('src/decisions/'.length, 'src/decisions/0000'.length)
const numbers = records.map(numberOf)

/** What a page calls a test: `api/door.test.ts`, `test/e2e/desktop.spec.ts`, `test/api/imports*.test.ts`. */
const namedTests = (text: string) =>
  [...text.matchAll(/`([\w./*-]+\.(?:test|spec)\.tsx?)`/g)].map(([, name = '']) => (name.startsWith('test/') ? name : `test/${name}`))

/** Numbers by which a text names decision records: "record 0044", "decisions/0044", "records 0060, 0061 and 0073", and "(0073)". */
function namedRecords(text: string): readonly string[] {
  const lists = text.matchAll(/(?:\b(?:records?|decisions?)[ /]|\((?=0\d{3}\)))(0\d{3}(?:(?:, | and )0\d{3})*)\b/gi)
  return [...lists].flatMap(([, list = '']) => list.match(/0\d{3}/g) ?? [])
}

/** Links of a page to other pages of the folder, from the folder's root. */
const linkedPages = (path: string) =>
  [...textOf(path).matchAll(/\]\(([^)#:]+\.md)\)/g)].map(([, link = '']) => new URL(link, `file:///${path}`).pathname.slice(1))

describe('decision records', () => {
  test.each(records)('%s follows the template on one page', path => {
    const text = textOf(path)
    expect(text).toMatch(/^# \d{4} .+\n\n- Date: 20\d\d-\d\d-\d\d.*\n- Status: (?:proposed|accepted|superseded by \d{4})/)
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
    expect(sections).toEqual(['Context', 'Options', 'Decision', 'Consequences', 'Enforced by'])
    expect(text.split(/\s+/).length, 'words').toBeLessThanOrEqual(650)
  })

  test('have numbers of their own', () => {
    expect(numbers).toEqual([...new Set(numbers)])
  })

  test('are in the index by number and title', () => {
    const listed = textOf('src/decisions/README.md').match(/^- \[\d{4}\]\(.+$/gm) ?? []
    const titled = records.map(path => {
      const title = textOf(path).split('\n', 1)[0]?.slice('# 0000 '.length)
      return `- [${numberOf(path)}](${path.slice('src/decisions/'.length)}) ${title}`
    })
    expect(listed.toSorted()).toEqual(titled)
  })

  test('are linked to pages that exist, and every measurement and table is linked', () => {
    const links = pages('src/decisions/**/*.md').flatMap(linkedPages)
    expect(links.filter(link => !existsSync(`${root}${link}`))).toEqual([])
    expect(pages('src/decisions/{measurements,tables}/*.md').filter(path => !links.includes(path))).toEqual([])
  })

  test.each([
    ['see record 0001 and `decisions/0002-x.md`', ['0001', '0002']],
    ['records 0003, 0004 and 0005 (0006)', ['0003', '0004', '0005', '0006']],
    ['17 records, 0.25 ms, migration 0078, decision 2026', []],
  ])('reads the records that %j names', (text, expected) => {
    expect(namedRecords(text)).toEqual(expected)
  })

  test('are named by numbers that exist', () => {
    const readers = pages('{src,test,resources}/**/*.{ts,tsx,md,mjs,py,yml}').filter(path => path !== 'test/architecture/decisions.test.ts')
    const dead = readers.flatMap(path =>
      namedRecords(textOf(path))
        .filter(number => !numbers.includes(number))
        .map(number => `${path}: ${number}`),
    )
    expect(dead).toEqual([])
  })

  test.each(pages('src/decisions/{[0-9]*,tables/*}.md'))('%s names tests that exist', path => {
    const absent = namedTests(textOf(path)).filter(
      name => pages(name).length === 0 && pages(name.replace('test/', 'test/**/')).length === 0,
    )
    expect(absent).toEqual([])
  })
})
