import { ApiError, type ImportRecord, notFound } from '../../contract/index.ts'
import type { UploadPart } from '../http/handler.ts'
import type { Kernel } from '../kernel.ts'

export interface Imports {
  create(workspaceId: string, parts: AsyncIterable<UploadPart>): Promise<ImportRecord>
  read(workspaceId: string, id: string): ImportRecord
  close(): Promise<void>
}

export function createImports(_kernel: Kernel): Imports {
  return {
    create: () => Promise.reject(new ApiError('unavailable', 'Imports are being built.')),
    read: (_workspaceId, id) => {
      throw notFound('import', id)
    },
    close: () => Promise.resolve(),
  }
}
