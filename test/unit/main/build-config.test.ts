import { existsSync, readdirSync } from 'node:fs'
import type { UserConfig } from 'electron-vite'
import { describe, expect, it } from 'vitest'

// By its address, because the file belongs to no TypeScript project.
const { default: config }: { default: UserConfig } = await import(new URL('../../../electron.vite.config.ts', import.meta.url).href)
const { main, preload, renderer } = config

describe('build', () => {
  it('makes an entry for the desktop, for the command line and for each worker', () => {
    const input = main?.build?.rolldownOptions?.input
    const workers = readdirSync(new URL('../../../src/workers', import.meta.url)).filter(name => name.endsWith('.worker.ts'))
    expect(Object.keys(input ?? {}).toSorted()).toEqual([
      'headless',
      'index',
      ...workers.map(name => `workers/${name.replace(/\.ts$/, '')}`),
    ])
    expect(Object.values(input ?? {}).filter(file => !existsSync(String(file)))).toEqual([])
  })

  it('keeps shared code beside the entries, where import.meta.url means the same folder', () => {
    expect(main?.build?.rolldownOptions?.output).toMatchObject({
      format: 'es',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    })
  })

  it('makes the preload script one CommonJS file, as a sandboxed one must be', () => {
    expect(preload?.build?.rolldownOptions?.output).toEqual({ format: 'cjs', entryFileNames: '[name].cjs' })
  })

  it('minifies the pages and inlines no data URLs, which their policy refuses', () => {
    expect(renderer?.build).toMatchObject({ minify: true, assetsInlineLimit: 0 })
  })
})
