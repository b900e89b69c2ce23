import { describe, expect, test } from 'vitest'
import { isAllowedDownload, isAllowedNavigation } from '../../../src/main/navigation-policy.ts'

const origin = 'http://127.0.0.1:4747'

describe('navigation policy', () => {
  test.each([
    'http://127.0.0.1:4747/',
    'http://127.0.0.1:4747/runs/1?tab=samples#top',
    'HTTP://127.0.0.1:4747/docs',
    'http://0x7f.1:4747/',
  ])('allows %s', target => {
    expect(isAllowedNavigation(target, origin)).toBe(true)
  })

  test.each([
    'http://127.0.0.1:4748/',
    'http://127.0.0.1/',
    'https://127.0.0.1:4747/',
    'http://localhost:4747/',
    'http://[::1]:4747/',
    'http://127.0.0.1:4747.example.com/',
    'http://127.0.0.1:4747@example.com/',
    'http://user@127.0.0.1:4747/',
    'http://user:secret@127.0.0.1:4747/',
    'http://127.0.0.1.example.com:4747/',
    'http://example.com/http://127.0.0.1:4747/',
    'http://127.0.0.1%2eexample.com:4747/',
    'http:\\\\example.com\\',
    '//example.com/',
    '/runs',
    '',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:http://127.0.0.1:4747/6b1f',
    'filesystem:http://127.0.0.1:4747/temporary/x',
    'file:///etc/passwd',
    'view-source:http://127.0.0.1:4747/',
    'chrome://settings',
    'devtools://devtools',
    'about:blank',
    'about:srcdoc',
    'ftp://127.0.0.1:4747/',
    'ws://127.0.0.1:4747/',
    'app://x@y',
  ])('refuses %s', target => {
    expect(isAllowedNavigation(target, origin)).toBe(false)
  })
})

describe('download policy', () => {
  test.each(['http://127.0.0.1:4747/v1/runs/1/export', 'blob:http://127.0.0.1:4747/6b1f'])('allows %s', address => {
    expect(isAllowedDownload(address, origin)).toBe(true)
  })

  test.each(['https://example.com/a.zip', 'blob:http://127.0.0.1:4748/6b1f', 'blob:null/6b1f', 'data:text/plain,x', 'file:///etc/passwd'])(
    'refuses %s',
    address => {
      expect(isAllowedDownload(address, origin)).toBe(false)
    },
  )
})
