import { expect, test } from 'vitest'
import { pathProblem, selectValue } from '../../../../../src/engine/importing/traces/json-path.ts'

test.each([
  "$..[?search(@,'^(a+)+$')]",
  "$.a[?match(@.b, 'x')]",
  '$.a[?length(@) > 1]',
  '$.a[?count(@.*) > 1]',
  '$.a[?@.x == value(@..y)]',
])('the path %s is refused, for it calls a function', path => {
  expect(pathProblem(path)).toContain('calls a function')
  expect(selectValue({ a: ['x'] }, path)).toBeUndefined()
})

test('a path that descends again and again is refused', () => {
  expect(pathProblem('$..*..*..*')).toContain('descends more than 2 times')
  expect(pathProblem('$..messages..content')).toBeNull()
})

test.each([
  ["$.messages[?@.role == 'user'].content", 'hi'],
  ["$.messages[?@.content == 'search(x)'].role", 'tool'],
  ['$.messages[-1].role', 'tool'],
])('the path %s is taken', (path, found) => {
  const document = {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'tool', content: 'search(x)' },
    ],
  }
  expect(pathProblem(path)).toBeNull()
  expect(selectValue(document, path)).toBe(found)
})
