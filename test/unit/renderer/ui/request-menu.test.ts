import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { api } from '../../../../src/contract/api.ts'
import { buildRequest } from '../../../../src/contract/client-by-id.ts'
import { asCurl, referenceAddress } from '../../../../src/renderer/ui/page/request-menu.tsx'

const origin = 'http://127.0.0.1:4747'

/** The arguments that a POSIX shell would give to curl. */
function argumentsInShell(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ASSAY_API_KEY=key ASSAY_WORKSPACE_ID=workspace; ${command}`
  return execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
}

describe('a request as curl', () => {
  test('names the key and workspace by variables and never holds one', () => {
    const command = asCurl(buildRequest('listRuns', { query: { q: 'a b' } }), origin)
    expect(command).toContain('$ASSAY_API_KEY')
    expect(argumentsInShell(command)).toEqual([
      `${origin}/v1/runs?q=a%20b`,
      '-H',
      'Authorization: Bearer key',
      '-H',
      'X-Workspace-ID: workspace',
      '-H',
      'accept: application/json',
    ])
  })

  test('gives a shell the body unchanged', () => {
    const name = `it's "$HOME" \`id\` $(id) \\ end`
    const wire = buildRequest('submitRun', { body: { quote_id: '01900000-0000-7000-8000-000000000000', name } })
    expect(argumentsInShell(asCurl(wire, origin))).toContain(wire.body)
  })
})

describe('the address in the API reference', () => {
  test('is area and operation', () => {
    expect(referenceAddress('listRuns', api.listRuns)).toBe('/docs/areas/runs#listRuns')
  })
})
