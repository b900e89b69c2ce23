import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, temporaryFolder } from '../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const at = (...names: string[]) => join(folder.path, ...names)
const start = () => startTestService({ dataDir: folder.path, logLevel: 'silent' })

/** What a start must leave as it is. */
function contents(): Record<string, string> {
  const names = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter(name => !/^(?:lock\.db|logs)/.test(name))
  return Object.fromEntries(names.map(name => [name, statSync(at(name)).isDirectory() ? 'folder' : readFileSync(at(name), 'base64')]))
}

async function refusal(): Promise<string> {
  const before = contents()
  const error = await start().then(
    service => service.close().then(() => null),
    (thrown: unknown) => thrown,
  )
  expect(contents()).toEqual(before)
  if (!(error instanceof Error)) throw new Error('The service started.')
  expect(error.name).toBe('MissingDatabaseError')
  expect(error.message).toContain('Nothing was changed')
  return error.message
}

describe('a database that is gone', () => {
  test('is no first start where one was made before, and comes back with its data', async () => {
    const service = await start()
    const { workspaceId } = service
    await service.close()
    renameSync(at('assay.db'), at('elsewhere.db'))
    expect(await refusal()).toMatch(/is missing.*database-created/)
    writeFileSync(at('assay.db'), '')
    expect(await refusal()).toMatch(/is empty.*database-created/)
    renameSync(at('elsewhere.db'), at('assay.db'))
    const again = await start()
    expect(again.workspaceId).toBe(workspaceId)
    await again.close()
  })

  test('is not replaced beside its log, which SQLite would throw away', async () => {
    writeFileSync(at('assay.db-wal'), 'what was committed last')
    expect(await refusal()).toContain('its log assay.db-wal (23 B)')
  })

  test('is not replaced beside backups or what a restore replaced', async () => {
    mkdirSync(at('backups'))
    writeFileSync(at('backups', 'scheduled-2026-11-20T09-30-00.000Z.db'), 'x')
    mkdirSync(at('replaced-2026-11-20T09-30-00.000Z'))
    expect(await refusal()).toMatch(/1 backup in backups, a replaced database in replaced-2026/)
  })

  test('is a first start in a folder without traces of an earlier one', async () => {
    mkdirSync(at('backups'))
    writeFileSync(at('assay.db'), '')
    const service = await start()
    await service.close()
    rmSync(at('database-created'))
    await (await start()).close()
  })
})
