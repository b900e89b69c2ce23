import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * Makes what the sources need before they can run: the script and the typeface of every report, as text. A report's bytes, and the hash in its
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

const fontFile = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
const reportFontFile = fileURLToPath(new URL('../engine/reporting/report/style/report-font.ts', import.meta.url))

/** The module's text: Latin letters, digits and signs of the typeface that the pages use; other scripts take the reader's own. */
function reportFontModule(): string {
  const data = readFileSync(fontFile).toString('base64')
  const rule = `@font-face { font-family: "Inter Variable"; font-weight: 100 900; src: url(data:font/woff2;base64,${data}) format("woff2"); }`
  return `/** Made by "npm run prepare" from the typeface's package. Not kept in the repository. */\nexport const reportFont = '${rule}\\n'\n`
}

function replace(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

if (import.meta.main) {
  replace(explorerScriptFile, await explorerScriptModule())
  replace(reportFontFile, reportFontModule())
}
