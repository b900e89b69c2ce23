import { expect, test } from 'vitest'
import { titleOfAttack } from '../../../../src/renderer/worlds/attack-titles.ts'

test.each([
  ['tool_result_rot13', 'ROT13 in a tool result'],
  ['phishing', 'phishing'],
  ['constructor', 'constructor'],
])('the part %j of a breakdown by attack is called %j', (value, title) => {
  expect(titleOfAttack(value)).toBe(title)
})
