import { existsSync, readdirSync } from 'node:fs'
import type { MainViteConfig, UserConfig } from 'electron-vite'
import { describe, expect, it } from 'vitest'

// By its address, because the file belongs to no TypeScript project.
const loaded: { default: UserConfig; threads: MainViteConfig } = await import(
  new URL('../../../electron.vite.config.ts', import.meta.url).href
)
const { main, preload, renderer } = loaded.default
const { threads } = loaded

describe('build', () => {
  it('makes an entry for the desktop and for the command line, and apart from them one for each thread', () => {
    const input = main?.build?.rolldownOptions?.input
    const threadInput = threads.build?.rolldownOptions?.input
    const workers = readdirSync(new URL('../../../src/workers', import.meta.url)).filter(name => name.endsWith('.worker.ts'))
    expect(Object.keys(input ?? {}).toSorted()).toEqual(['headless', 'index'])
    expect(Object.keys(threadInput ?? {}).toSorted()).toEqual(workers.map(name => `workers/${name.replace(/\.ts$/, '')}`).toSorted())
    const files = [...Object.values(input ?? {}), ...Object.values(threadInput ?? {})]
    expect(files.filter(file => !existsSync(String(file)))).toEqual([])
  })

  it('keeps shared code beside the entries, where import.meta.url means the same folder', () => {
    for (const part of [main, threads])
      expect(part?.build?.rolldownOptions?.output).toMatchObject({
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
      })
  })

  it('keeps the service when the threads are built after it', () => {
    expect(threads.build?.emptyOutDir).toBe(false)
  })

  it('makes the preload script one CommonJS file, as a sandboxed one must be', () => {
    expect(preload?.build?.rolldownOptions?.output).toEqual({ format: 'cjs', entryFileNames: '[name].cjs' })
  })

  it('minifies the pages and inlines no data URLs, which their policy refuses', () => {
    expect(renderer?.build).toMatchObject({ minify: true, assetsInlineLimit: 0 })
  })
})
