import { describe, expect, it } from 'vitest'
import { prettyBody } from '../../../../src/renderer/samples/pretty-body.ts'

describe('a body made readable', () => {
  it('indents JSON', () => {
    expect(prettyBody('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  })

  it('indents the JSON inside an event stream and changes nothing else', () => {
    expect(prettyBody('data: {"a":1}\r\n\r\n: ping\r\ndata: [DONE]\r\n')).toBe('data: {\n  "a": 1\n}\n\n: ping\ndata: [DONE]\n')
  })

  it.each(['<html></html>', 'half an {"answer', '', 'mydata: {"a":1}'])('leaves %j to the raw view', body => {
    expect(prettyBody(body)).toBeNull()
  })

  it('does not parse what would stop the page', () => {
    expect(prettyBody(`"${'x'.repeat(2_000_001)}"`)).toBeNull()
  })
})
