import { expect } from 'vitest'
import type { TestClient } from './service.ts'

/** Waits until no backup is under way. */
export async function backupsSettled(client: TestClient): Promise<void> {
  await expect.poll(async () => (await client.call('listBackups', {})).running).toBeNull()
}

/** Backs up as the button in Settings does; answers the backup's name. */
export async function backUpOnline(client: TestClient): Promise<string> {
  expect((await client.call('startBackup', {})).running).not.toBeNull()
  await backupsSettled(client)
  const { items, last_failure } = await client.call('listBackups', {})
  expect(last_failure).toBeNull()
  return items[0]?.name ?? ''
}
