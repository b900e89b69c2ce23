import { expect, test } from 'vitest'
import { mulberry32 } from '../../../src/engine/statistics/random.ts'
import { includesText, replaceText } from '../../../src/lib/find-text.ts'

test('is found and replaced as the engine does, also where it compares place by place', () => {
  const random = mulberry32(7)
  const draw = (length: number) => Array.from({ length }, () => 'ab'.charAt(Math.floor(random() * 2))).join('')
  for (let round = 0; round < 20; round++) {
    const part = draw(1 + Math.floor(random() * 9))
    // Long enough for the other way of searching.
    const text = draw(40).repeat(2) + draw(30)
    const long = `${text}${'c'.repeat(4_000_001)}${part}`
    expect(includesText(long, part), `${part} in ${text}`).toBe(true)
    expect(includesText(long.slice(0, -part.length), `${part}d`)).toBe(false)
    expect(replaceText(long, part, '$&')).toBe(long.replaceAll(part, () => '$&'))
  }
})

test('a text made for it takes as many steps as it is long', () => {
  const part = `${'a'.repeat(10)}b${'a'.repeat(3989)}`
  const took = (length: number) => {
    const text = 'a'.repeat(length)
    const began = process.cpuUsage()
    expect(includesText(text, part)).toBe(false)
    const { user, system } = process.cpuUsage(began)
    return user + system
  }
  took(1_000_000)
  // A comparison at each place takes four thousand times as long.
  expect(took(4_000_000)).toBeLessThan(1_000_000)
})
