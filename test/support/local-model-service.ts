import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routeOfFile } from '../../src/headless/client/local-model.ts'
import { connect } from '../../src/headless/client/service-client.ts'
import { testRuntime, useRuntime } from './local-runtime.ts'
import { startTestService, type TestService } from './service.ts'
import { type TinyModel, tinyModel } from './tiny-model.ts'

export interface LocalModelService extends AsyncDisposable {
  readonly service: TestService
  readonly tiny: TinyModel
  readonly modelPath: string
  readonly model: { readonly kind: 'managed'; readonly route_id: string }
}

/** A service with the runtime and the tiny model; why there is none. @param change the file before it is written */
export async function startLocalModel(change: (gguf: Buffer) => Buffer = gguf => gguf): Promise<LocalModelService | string> {
  const runtimes = await testRuntime()
  if (runtimes === null) return 'the runtime could not be downloaded'
  const home = mkdtempSync(join(tmpdir(), 'assay-test-home-'))
  const service = await startTestService()
  useRuntime(service.dataDir, runtimes)
  const tiny = tinyModel()
  const modelPath = tiny.write(home, 'tiny.gguf', change)
  const route_id = await routeOfFile(await connect(service.dataDir), modelPath)
  return {
    service,
    tiny,
    modelPath,
    model: { kind: 'managed', route_id },
    [Symbol.asyncDispose]: async () => {
      await service.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
