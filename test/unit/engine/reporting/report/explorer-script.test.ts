import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { explorerScript } from '../../../../../src/engine/reporting/report/explorer/explorer-script.ts'
import { explorerScriptFile, explorerScriptModule } from '../../../../../src/headless/prepare.ts'

describe('the explorer script', () => {
  test('is what its sources build to; "npm run prepare" makes it anew', async () => {
    expect(readFileSync(explorerScriptFile, 'utf8')).toBe(await explorerScriptModule())
  })

  test('can stand inside a script element as it is', () => {
    expect(explorerScript.length).toBeGreaterThan(1000)
    expect(explorerScript).not.toMatch(/<\/script|<!--|\r/i)
  })

  test('has no way to load, evaluate or write markup', () => {
    expect(explorerScript).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|\bfetch\(|XMLHttpRequest|import\(|localStorage|\.src\b|\.href\s*=/,
    )
  })
})
