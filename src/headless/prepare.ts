import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * Makes what the sources need before they can run: the script of every report, as text. A report's bytes, and the hash in its
 * content policy, must not depend on how Assay was started; a function's `toString()` differs between stripped source and a
 * bundle, and a file beside a module is not there in a bundle. A string is the same everywhere. npm runs this after each install.
 */
const source = fileURLToPath(new URL('../engine/reporting/report/explorer/client/explorer.mts', import.meta.url))
export const explorerScriptFile = fileURLToPath(new URL('../engine/reporting/report/explorer/explorer-script.ts', import.meta.url))

/** The module's text. */
export async function explorerScriptModule(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: source, formats: ['iife'], name: 'explorer', fileName: 'explorer' },
    },
  })
  const [bundle] = Array.isArray(result) ? result : [result]
  if (bundle === undefined || !('output' in bundle)) throw new Error('The build of the report’s script gave no output.')
  const literal = bundle.output[0].code.trim().replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')
  return `/** Made by "npm run prepare" from \`client/explorer.mts\` and what it imports. Not kept in the repository. */\nexport const explorerScript = \`${literal}\`\n`
}

function present(): string {
  try {
    return readFileSync(explorerScriptFile, 'utf8')
  } catch {
    return ''
  }
}

if (import.meta.main) {
  const text = await explorerScriptModule()
  if (text !== present()) writeFileSync(explorerScriptFile, text)
}
