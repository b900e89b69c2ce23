import { describe, expect, test } from 'vitest'
import { exportFileName } from '../../../../src/renderer/results/export-file-name.ts'

const id = '01900000-0000-7000-8000-000000000001'

describe('the name of an export', () => {
  test.each([
    ['Simulated model (75 %) on Zero-shot', 'Simulated-model-75-on-Zero-shot.html'],
    ['../../etc/passwd', 'etc-passwd.html'],
    ['résumé 測試', 'résumé-測試.html'],
    ['in\u202efdp.exe', 'in-fdp-exe.html'],
    ['…', `${id}.html`],
  ])('of %j is %s', (name, file) => {
    expect(exportFileName({ name, id }, 1, 'html')).toBe(file)
  })

  test('tells versions apart and stays short', () => {
    expect(exportFileName({ name: 'a', id }, 2, 'csv')).toBe('a-v2.csv')
    expect(exportFileName({ name: 'x'.repeat(200), id }, 1, 'json').length).toBeLessThan(100)
  })
})
