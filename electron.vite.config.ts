import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, MainConfigFactory, type MainViteConfig } from 'electron-vite'
import { build, type Plugin } from 'vite'

const source = join(import.meta.dirname, 'src')

/** Every file of `src/workers` named `*.worker.ts` becomes `out/main/workers/<name>.worker.js`. */
const workers = readdirSync(join(source, 'workers'))
  .filter(name => name.endsWith('.worker.ts'))
  .map(name => [`workers/${basename(name, '.ts')}`, join(source, 'workers', name)] as const)

/** electron-vite makes addresses relative, for pages opened as files. Ours are served, at paths of any depth. */
const servedFromRoot: Plugin = { name: 'assay:served-from-root', config: () => ({ base: '/' }) }

/** Builds `early.ts` apart and starts it before the app: what the first page needs is asked for while the app's code is read. */
const early: Plugin = {
  name: 'assay:early',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: join(source, 'renderer/early.ts'), name: 'early' })
  },
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const chunk = Object.values(bundle).find(file => file.type === 'chunk' && file.facadeModuleId?.endsWith('renderer/early.ts'))
      if (!chunk) throw new Error('early.ts was not built.')
      // Text laid out before its font has come is laid out twice.
      const font = Object.keys(bundle).find(name => name.includes('inter-latin-wght-normal'))
      if (!font) throw new Error('The font of the pages was not built.')
      return [
        { tag: 'link', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` }, injectTo: 'head' },
        { tag: 'script', attrs: { type: 'module', async: true, src: `/${chunk.fileName}` }, injectTo: 'head-prepend' },
      ]
    },
  },
}

/** Packages of many small modules, most of which the service needs as it starts: read from one file instead of 1,400. */
const bundled = [
  '@bomb.sh/tab',
  '@bufbuild/protobuf',
  '@fastify/cookie',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/swagger',
  '@huggingface/gguf',
  '@huggingface/jinja',
  '@modelcontextprotocol/server',
  'ajv',
  'commander',
  'csv-parse',
  'eventsource-parser',
  'fastest-levenshtein',
  'fastify',
  'hyparquet',
  'hyparquet-writer',
  'ipaddr.js',
  'jsonpath-rfc9535',
  'kysely',
  'lru-cache',
  'pino',
  'pure-rand',
  're2js',
  'saxes',
  'simple-statistics',
  'undici',
  'uuid',
  'yaml',
  'zod',
]

/** What the service and its threads are built with. */
const onNode = {
  externalizeDeps: { exclude: bundled },
  sourcemap: true,
} satisfies MainViteConfig['build']

// Each program reads and makes only what it uses; side-effects.test.ts holds that no module is imported for anything else.
const treeshake = { moduleSideEffects: [{ test: /\/src\//, sideEffects: false }] }

const output = {
  format: 'es',
  entryFileNames: '[name].js',
  // Comments and layout would be kept in memory by each thread. Names stay, for stack traces.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  // Beside the entries, so that `import.meta.url` means the same folder in a shared chunk as in an entry.
  chunkFileNames: '[name]-[hash].js',
} as const

/** The threads share chunks with each other. */
export const threads: MainViteConfig = {
  build: { ...onNode, emptyOutDir: false, rolldownOptions: { input: Object.fromEntries(workers), treeshake, output } },
}

/**
 * Electron's main process, in one file that is packed in the archive, whose integrity Electron checks; and so that it loads nothing of the
 * service, which has a process of its own.
 */
export const shell: MainViteConfig = {
  // The one host that "Check for updates" asks; empty where whoever builds names none.
  define: { __ASSAY_UPDATES_URL__: JSON.stringify(process.env['ASSAY_UPDATES_URL'] ?? '') },
  build: {
    ...onNode,
    // What stays outside would lie beside the archive, as modules that threads load must.
    externalizeDeps: { exclude: [...bundled, 'electron-store'] },
    emptyOutDir: false,
    rolldownOptions: { input: { index: join(source, 'main/index.ts') }, treeshake, output: { ...output, codeSplitting: false } },
  },
}

/** Builds these after the service and apart from it: chunks shared with them would cut what it reads at its start into 150 files. */
const builtApart: Plugin = {
  name: 'assay:built-apart',
  apply: 'build',
  async closeBundle(error) {
    if (error) return
    const { logLevel } = this.environment.config
    for (const part of [shell, threads]) await build(await new MainConfigFactory(part, { configFile: false, logLevel }, {}).build())
  },
}

export default defineConfig({
  main: {
    plugins: [builtApart],
    build: {
      ...onNode,
      rolldownOptions: {
        input: {
          service: join(source, 'main/service-process.ts'),
          headless: join(source, 'headless/cli.ts'),
          installed: join(source, 'headless/installed.ts'),
        },
        treeshake,
        output: {
          ...output,
          // What a start reads is in few files, since finding, opening and linking each takes a millisecond or two: what every command
          // needs, what commands without a service need (a worker is one), the rest of the service. What is read later has its own files.
          codeSplitting: {
            groups: [
              { name: 'commands', test: /\/src\/headless\/main\.ts$/, priority: 3 },
              { name: 'engine', test: /\/src\/headless\/(score|stats|worker\/work|packages\/init-package)\.ts$/, priority: 2 },
              { name: 'service', test: /\/src\/service\/create-service\.ts$/, priority: 1 },
            ],
          },
        },
      },
    },
  },
  preload: {
    build: {
      rolldownOptions: {
        input: { index: join(source, 'preload/index.ts') },
        // A sandboxed preload script is one CommonJS file.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: join(source, 'renderer'),
    plugins: [react(), servedFromRoot, early],
    build: {
      minify: true,
      // Read by browsers too, not only by the Chromium inside Electron.
      target: 'es2023',
      // The page's policy allows fonts and pictures as files of its own, not as data in its styles.
      assetsInlineLimit: 0,
      // In one file, the order of the rules is the same on every page.
      cssCodeSplit: false,
      // The page is read from this machine's own disk: what counts is how much of it is evaluated, see result-page-load.spec.ts.
      chunkSizeWarningLimit: 4000,
      rolldownOptions: {
        // Schemas are only made by those who use them.
        treeshake: { moduleSideEffects: [{ test: /\/src\/contract\//, sideEffects: false }] },
        output: {
          // The frame and the result page in one file; every other page comes in files of its own.
          codeSplitting: { groups: [{ name: 'app', tags: ['$initial'], test: id => !id.endsWith('/early.ts') }] },
        },
      },
    },
  },
})
