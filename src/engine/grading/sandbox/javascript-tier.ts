import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { startInNode, type StartLocked } from './locked-program.ts'
import { speakTo } from './sandbox-process.ts'
import { quickjsBounds, type SandboxFiles, type Tier } from './tier.ts'

const startMs = 30_000

/**
 * QuickJS in WebAssembly, behind Node's permission model.
 * @returns why there is none as a text
 */
export function javascriptTier(files: SandboxFiles, start: StartLocked = startInNode): Promise<Tier | string> {
  return Promise.resolve(find(files, start))
}

function find({ javascriptEntry: entry, javascriptHarness: text, quickjs }: SandboxFiles, start: StartLocked): Tier | string {
  if (!existsSync(quickjs.core)) return 'The package "quickjs-emscripten-core" is missing. Run "npm ci".'
  return {
    id: 'quickjs',
    title: 'QuickJS in WebAssembly',
    protects:
      'The code runs in an interpreter inside WebAssembly that has no function of this machine: no files, network, processes, environment, modules or timers exist for it, and a text is all that goes in or out. Memory is limited to 256 MiB. It is wrapped in a Node process with Node’s permission model, which may only read QuickJS’s own files and cannot start processes.',
    limits:
      'A flaw in WebAssembly and in Node’s permission model would leave the code with the rights of this user. It computes some ten times slower than Node.',
    language: 'javascript',
    interpreter: `QuickJS-NG of quickjs-emscripten ${versionOf(quickjs.core)}`,
    bounds: quickjsBounds,
    start: () =>
      speakTo(
        start({
          entry,
          args: [quickjs.core, quickjs.variant],
          text,
          folder: dirname(quickjs.core),
          readable: quickjs.folders,
          heapMegabytes: 128,
          processMegabytes: null,
          processorSeconds: quickjsBounds.processorSeconds,
        }),
        startMs,
      ),
    renew: () => undefined,
    close: () => Promise.resolve(),
  }
}

function versionOf(core: string): string {
  const text = readFileSync(join(dirname(core), '..', 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
