import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findSandboxFiles } from '../../../../src/engine/grading/sandbox/sandbox-files.ts'
import type { SandboxFiles } from '../../../../src/engine/grading/sandbox/tier.ts'

/** The sandbox's programs where they lie in the repository; the snapshot is kept between runs of the tests. */
export const sandboxFiles: SandboxFiles = findSandboxFiles(join(tmpdir(), 'assay-test-sandbox'))
