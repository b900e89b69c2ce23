import { describe, expect, test } from 'vitest'
import { mixedScriptsCaution } from '../../../src/lib/format/mixed-scripts.ts'

describe('a name', () => {
  test.each([
    ['gsm8\u043a', 'Latin and Cyrillic', 'U+043A'],
    ['Hum\u0430nEval', 'Latin and Cyrillic', 'U+0430'],
    ['MMLU by \u039fpenAI', 'Latin and Greek', 'U+039F'],
    ['\u041c\u041c\u041bU', 'Latin and Cyrillic', 'U+0055'],
  ])('%j is marked', (name, scripts, code) => {
    expect(mixedScriptsCaution(name)).toContain(scripts)
    expect(mixedScriptsCaution(name)).toContain(code)
  })

  test.each(['GSM8K', '\u03c4-bench', 'Тест GSM', '数学AIME', 'Größe', 'مثال test', ''])('%j is not', name => {
    expect(mixedScriptsCaution(name)).toBeNull()
  })
})
