import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../src/contract/scopes.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function withScopes(scopes: readonly Scope[]): Promise<TestClient> {
  const { key } = await service.client.call('createApiKey', { body: { name: crypto.randomUUID(), scopes: [...scopes] } })
  return clientFor(service.baseUrl, key, service.workspaceId)
}

const id = crypto.randomUUID()
const version = { dataset_id: id, version_id: id }

/** Operations that copy what another area stores to where their own scope reads it. */
const copies: readonly (readonly [what: string, own: Scope, needed: Scope, ask: (client: TestClient) => Promise<{ message: string }>])[] = [
  ['a session of a run', 'tuning:write', 'runs:read', ask('createTuneSession', { body: { name: 'x', from_run: { run_id: id } } })],
  [
    'a workload of traces',
    'tuning:write',
    'traces:read',
    ask('queueTuneWorkload', { params: { monitor_id: id }, body: { trace_ids: [id] } }),
  ],
  [
    'a workload of an integration',
    'tuning:write',
    'traces:read',
    ask('queueTuneWorkload', {
      params: { monitor_id: id },
      body: { integration_id: id, from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
    }),
  ],
  [
    'a release suite of a dataset',
    'releases:write',
    'datasets:read',
    ask('createDatasetSuite', { params: version, body: { name: 'x', evaluator_version_id: id } }),
  ],
  [
    'a benchmark of a dataset',
    'catalog:write',
    'datasets:read',
    ask('createDatasetBenchmark', { params: version, body: { name: 'x', evaluator_version_id: id } }),
  ],
  [
    'attacked examples',
    'catalog:write',
    'datasets:read',
    ask('attackDataset', { params: version, body: { version_id: id, attacks: ['document'] } }),
  ],
  ['an environment of traces', 'catalog:write', 'traces:read', ask('startEnvironmentDraft', { body: { trace_ids: [id] } })],
  ['examples of a run', 'datasets:write', 'runs:read', ask('addExamplesFromRun', { params: version, body: { run_id: id } })],
  ['examples of traces', 'datasets:write', 'traces:read', ask('addTraceSource', { params: version, body: { trace_ids: [id] } })],
  ['how many traces match', 'traces:write', 'traces:read', ask('changeTraces', { body: { filter: { q: 'card' }, dry_run: true } })],
  [
    'how many examples match',
    'datasets:write',
    'datasets:read',
    ask('reviewExamples', { params: version, body: { decision: 'reject', filter: { q: 'card' }, dry_run: true } }),
  ],
  ['how many runs match', 'runs:write', 'runs:read', ask('changeRuns', { body: { filter: { q: 'card' }, expected: 1, archived: true } })],
  ['folders of runs', 'workspace:read', 'runs:read', ask('listFolders', { query: { kind: 'run' } })],
  ['folders of traces', 'workspace:read', 'traces:read', ask('listFolders', { query: { kind: 'trace' } })],
  ['uses of a suite', 'workspace:read', 'suites:read', ask('listItemUses', { query: { kind: 'suite', id } })],
]

function ask<Id extends Parameters<TestClient['refusal']>[0]>(operation: Id, request: object) {
  return (client: TestClient) => client.refusal(operation, request as Parameters<typeof client.refusal<Id>>[1])
}

test.each(copies)('%s needs, beside %s, %s', async (_what, own, needed, refusal) => {
  const blind = await withScopes([own])
  expect(await refusal(blind)).toMatchObject({ code: 'missing_scope', message: expect.stringContaining(needed) })
})
