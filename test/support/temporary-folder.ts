import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder under the system's temporary one, gone at the end of the test that asked for it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'assay-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
