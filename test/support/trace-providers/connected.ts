import { setTimeout as delay } from 'node:timers/promises'
import type { TraceIntegration } from '../../../src/contract/traces/integrations.schemas.ts'
import type { TestClient } from '../service.ts'
import { braintrustIds, braintrustKey, braintrustServer } from './braintrust-server.ts'
import { langfuseKeys, langfuseServer } from './langfuse-server.ts'
import { langsmithIds, langsmithKey, langsmithServer } from './langsmith-server.ts'
import type { FakeItem, FakeTrace, ScriptedServer } from './scripted-server.ts'

export const providers = ['langfuse', 'langsmith', 'braintrust'] as const
export type TestedProvider = (typeof providers)[number]

export const secretsOf: Readonly<Record<TestedProvider, string>> = {
  langfuse: langfuseKeys.secret_key,
  langsmith: langsmithKey,
  braintrust: braintrustKey,
}

/** What an import names of the provider's dataset and experiment. */
export const resourcesOf: Readonly<Record<TestedProvider, { readonly dataset: string; readonly experiment: string }>> = {
  langfuse: { dataset: 'GSM8K', experiment: 'exp-1' },
  langsmith: { dataset: langsmithIds.dataset, experiment: `${langsmithIds.dataset}:${langsmithIds.experiment}` },
  braintrust: { dataset: braintrustIds.dataset, experiment: braintrustIds.experiment },
}

/** A scripted provider with these traces, and these items as a dataset and as an experiment. */
export function startProvider(
  provider: TestedProvider,
  traces: readonly FakeTrace[],
  items: readonly FakeItem[] = [],
): Promise<ScriptedServer> {
  if (provider === 'langsmith') return langsmithServer({ traces, items })
  if (provider === 'braintrust') return braintrustServer({ traces, items })
  return langfuseServer({ traces, datasets: [{ name: 'GSM8K', items }], experiments: [{ id: 'exp-1', name: 'gpt-6 run', items }] })
}

export function connect(client: TestClient, provider: TestedProvider, url: string): Promise<TraceIntegration> {
  if (provider === 'langfuse') return client.call('connectProviderA', { body: { host: url, ...langfuseKeys } })
  if (provider === 'langsmith')
    return client.call('connectProviderB', {
      body: { base_url: url, access_key: langsmithKey, project_id: `${langsmithIds.workspace}:${langsmithIds.project}` },
    })
  return client.call('connectProviderC', { body: { base_url: url, access_key: braintrustKey, project_id: braintrustIds.project } })
}

export async function readIntegration(client: TestClient, id: string): Promise<TraceIntegration> {
  const { items } = await client.call('listTraceIntegrations', {})
  const found = items.find(item => item.id === id)
  if (!found) throw new Error(`The integration ${id} is not listed.`)
  return found
}

/** The integration once it fits; fails after a minute. */
export async function until(client: TestClient, id: string, fits: (integration: TraceIntegration) => boolean): Promise<TraceIntegration> {
  for (let tries = 0; tries < 1200; tries++) {
    const integration = await readIntegration(client, id)
    if (fits(integration)) return integration
    await delay(50)
  }
  throw new Error(`The integration did not get there: ${JSON.stringify(await readIntegration(client, id))}`)
}

/** Backfills a window and waits for its end. */
export async function backfill(
  client: TestClient,
  id: string,
  body: { from: string; to?: string; max_traces?: number; only_roots?: boolean },
): Promise<TraceIntegration> {
  await client.call('backfillTraces', { params: { integration_id: id }, body })
  return until(client, id, ({ status }) => status !== 'backfilling')
}
