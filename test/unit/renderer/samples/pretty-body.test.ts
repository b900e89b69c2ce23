import { describe, expect, test } from 'vitest'
import { prettyBody } from '../../../../src/renderer/samples/pretty-body.ts'

describe('a body made readable', () => {
  test('indents JSON', () => {
    expect(prettyBody('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  })

  test('indents the JSON inside an event stream and changes nothing else', () => {
    expect(prettyBody('data: {"a":1}\r\n\r\n: ping\r\ndata: [DONE]\r\n')).toBe('data: {\n  "a": 1\n}\n\n: ping\ndata: [DONE]\n')
  })

  test.each(['<html></html>', 'half an {"answer', '', 'mydata: {"a":1}'])('leaves %j to the raw view', body => {
    expect(prettyBody(body)).toBeNull()
  })

  test('does not parse what would stop the page', () => {
    expect(prettyBody(`"${'x'.repeat(2_000_001)}"`)).toBeNull()
  })
})
