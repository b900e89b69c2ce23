import { existsSync, readdirSync } from 'node:fs'
import type { MainViteConfig, UserConfig } from 'electron-vite'
import { describe, expect, test } from 'vitest'

// By its address, because the file belongs to no TypeScript project.
const loaded: { default: UserConfig; threads: MainViteConfig; shell: MainViteConfig } = await import(
  new URL('../../../electron.vite.config.ts', import.meta.url).href
)
const { main, preload, renderer } = loaded.default
const { shell, threads } = loaded

describe('build', () => {
  test('makes an entry for the desktop’s service and for the command line, and apart from them the shell and each thread', () => {
    const input = main?.build?.rolldownOptions?.input
    const threadInput = threads.build?.rolldownOptions?.input
    const workers = readdirSync(new URL('../../../src/workers', import.meta.url)).filter(name => name.endsWith('.worker.ts'))
    expect(Object.keys(input ?? {}).toSorted()).toEqual(['headless', 'installed', 'service'])
    expect(Object.keys(threadInput ?? {}).toSorted()).toEqual(workers.map(name => `workers/${name.replace(/\.ts$/, '')}`).toSorted())
    const shellInput = shell.build?.rolldownOptions?.input
    expect(Object.keys(shellInput ?? {})).toEqual(['index'])
    const files = [...Object.values(input ?? {}), ...Object.values(threadInput ?? {}), ...Object.values(shellInput ?? {})]
    expect(files.filter(file => !existsSync(String(file)))).toEqual([])
  })

  test('keeps shared code beside the entries, where import.meta.url means the same folder', () => {
    for (const part of [main, shell, threads])
      expect(part?.build?.rolldownOptions?.output).toMatchObject({
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
      })
  })

  test('keeps the service when the shell and the threads are built after it', () => {
    expect([shell.build?.emptyOutDir, threads.build?.emptyOutDir]).toEqual([false, false])
  })

  test('makes the preload script one CommonJS file, as a sandboxed one must be', () => {
    expect(preload?.build?.rolldownOptions?.output).toEqual({ format: 'cjs', entryFileNames: '[name].cjs' })
  })

  test('minifies the pages and inlines no data URLs, which their policy refuses', () => {
    expect(renderer?.build).toMatchObject({ minify: true, assetsInlineLimit: 0 })
  })
})
