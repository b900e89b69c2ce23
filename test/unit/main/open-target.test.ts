import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pageOfLink, targetOf } from '../../../src/main/open-target.ts'

const id = '01900000-0000-7000-8000-00000000000a'

describe('a link', () => {
  test.each([
    [`assay://runs/${id}`, `/runs/${id}`],
    ['assay://runs', '/runs'],
    ['assay://runs/', '/runs'],
    ['assay://catalog/gsm8k', '/catalog/gsm8k'],
    ['assay:///', '/'],
  ])('%s opens %s', (link, path) => {
    expect(pageOfLink(link)).toBe(path)
  })

  test.each([
    'assay://v1/runs',
    'assay://docs',
    'https://example.com/',
    'assay://runs/../v1/me',
    'assay://user:x@runs',
    'assay://runs:80/x',
    'assay://runs/%2e%2e/v1',
    'assay://runs/<script>',
    `assay://runs/${'x'.repeat(600)}`,
    'assay:',
    '',
  ])('%s opens nothing of the service', link => {
    const path = pageOfLink(link)
    expect(path ?? '/').not.toMatch(/^\/(?:v1|docs)(?:\/|$)|[<>%]/)
  })
})

describe('the arguments of a start', () => {
  test.each([
    [['--port', '0'], null],
    [['--data-dir', 'x.assay'], null],
    [['/home/a/übung.assay'], { kind: 'file', path: '/home/a/übung.assay' }],
    [['tiny.GGUF'], { kind: 'file', path: join('/here', 'tiny.GGUF') }],
    [['a.gguf', `assay://runs/${id}`], { kind: 'page', path: `/runs/${id}` }],
    [['assay://v1/runs'], null],
    [['--x=a.assay'], null],
  ])('%j ask for %j', (args, target) => {
    expect(targetOf(args, '/here')).toEqual(target)
  })
})
