import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { packagesExamples } from '../../src/contract/creator/packages.examples.ts'
import { assay } from '../support/assay.ts'
import { packageFiles, sums } from '../support/packages.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('is a JSON Schema that takes real manifests and refuses what an upload refuses', async () => {
  const schema = (await (await fetch(`${service.baseUrl}/v1/schemas/package.json`)).json()) as object // checked by Ajv, next
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  expect(ajv.validateSchema(schema)).toBe(true)
  const takes = ajv.compile(schema)

  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  expect(await assay(['package', 'init', join(path, 'own'), '--namespace', 'own-work'])).toMatchObject({ code: 0 })
  const written: unknown = JSON.parse(readFileSync(join(path, 'own/assay.package.json'), 'utf8'))
  const packed = JSON.parse(packageFiles(sums(3))[0]?.content.toString() ?? '') as object // the manifest that the helper wrote
  const splits = { test: { file: 'tasks.jsonl', sha256: '0'.repeat(64) } }
  const example = { ...packagesExamples.createPackage.manifest, splits }
  for (const manifest of [written, packed, example])
    expect({ manifest, valid: takes(manifest), errors: takes.errors }).toMatchObject({ valid: true })

  for (const change of [{ licence: 'MIT' }, { version: '1' }, { namespace: 'Acme' }, { splits: undefined }, { profiles: [] }])
    expect({ change, valid: takes(JSON.parse(JSON.stringify({ ...packed, ...change }))) }).toMatchObject({ valid: false })
})
