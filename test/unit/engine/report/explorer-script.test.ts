import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { describe, expect, it } from 'vitest'
import { explorerScript } from '../../../../src/engine/report/explorer/explorer-script.ts'

const source = '../../../../src/engine/report/explorer/client/explorer.mts'
const made = '../../../../src/engine/report/explorer/explorer-script.ts'

const header = `/**
 * The script of every report, made from \`client/explorer.mts\` and what it imports: do not edit it here.
 *
 * It is kept as text because a report's bytes, and the hash in its content policy, must not depend on how Assay itself was started.
 * A function's \`toString()\` differs between type-stripped source and a bundle, minified or not, and a file beside the module is
 * not there in a bundle. A string is the same everywhere. A unit test builds it anew and compares; \`vitest -u\` on that test
 * writes it after a change of the sources.
 */
`

async function buildScript(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: fileURLToPath(new URL(source, import.meta.url)), formats: ['iife'], name: 'explorer', fileName: 'explorer' },
    },
  })
  const [bundle] = Array.isArray(result) ? result : [result]
  if (bundle === undefined || !('output' in bundle)) throw new Error('the build gave no output')
  return bundle.output[0].code.trim()
}

describe('the explorer script', () => {
  it('is what its sources build to', async () => {
    const script = await buildScript()
    const literal = script.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')
    await expect(`${header}export const explorerScript = \`${literal}\`\n`).toMatchFileSnapshot(made)
  })

  it('can stand inside a script element as it is', () => {
    expect(explorerScript.length).toBeGreaterThan(1000)
    expect(explorerScript).not.toMatch(/<\/script|<!--|\r/i)
  })

  it('has no way to load, evaluate or write markup', () => {
    expect(explorerScript).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|\bfetch\(|XMLHttpRequest|import\(|localStorage|\.src\b|\.href\s*=/,
    )
  })
})
