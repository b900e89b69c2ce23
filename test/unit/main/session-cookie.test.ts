import { expect, test } from 'vitest'
import { signInCookie } from '../../../src/main/session-cookie.ts'

test('the session cookie belongs to the exact host, to no script, to no other site and to no disk', () => {
  expect(signInCookie('http://127.0.0.1:4747', 'secret')).toEqual({
    url: 'http://127.0.0.1:4747/',
    name: 'assay_session',
    value: 'secret',
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: false,
  })
})
