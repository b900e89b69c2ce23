import { expect, test } from 'vitest'
import { api } from '../../../src/contract/api.ts'
import { parseReply } from '../../../src/contract/client-by-id.ts'
import { parseWireReply } from '../../../src/contract/client.ts'

test('an answer in another form names the version as what may differ, to workers and commands', () => {
  const answer = { status: 200, text: JSON.stringify({ items: [{ demo: 1 }] }) }
  expect(() => parseReply('listWorkspaces', answer)).toThrow('The service may run another version of Assay. If so, install the same one.')
  // For a page left open over an update, reloading is enough.
  expect(() => parseWireReply('listWorkspaces', api.listWorkspaces, answer)).not.toThrow('install')
  expect(() => parseWireReply('listWorkspaces', api.listWorkspaces, answer)).toThrow('does not keep the contract')
})
