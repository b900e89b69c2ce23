import { expect, test } from 'vitest'
import { api } from '../../../src/contract/api.ts'
import { parseWireReply } from '../../../src/contract/client.ts'

test('an answer in another form names the version as what may differ', () => {
  const answer = { status: 200, text: JSON.stringify({ items: [{ demo: 1 }] }) }
  expect(() => parseWireReply('listWorkspaces', api.listWorkspaces, answer)).toThrow(
    'The service may run another version of Assay; install the same one.',
  )
})
