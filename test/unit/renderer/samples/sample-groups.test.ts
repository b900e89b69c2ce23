import { expect, test } from 'vitest'
import { groupNotices, groupWords } from '../../../../src/renderer/samples/sample-groups.ts'

test('says what to change where a group is over 5 % of the scored samples', () => {
  const groups = [
    { group: 'cut_off', code: null, count: 60 },
    { group: 'no_answer', code: null, count: 50 },
    { group: 'other_form', code: null, count: 51 },
    { group: 'wrong', code: null, count: 400 },
  ] as const
  const notices = groupNotices({ groups: [...groups], scored: 1_000 })
  expect(notices.map(({ group }) => group)).toEqual(['cut_off', 'other_form'])
  expect(notices[0]?.advice).toContain('max output tokens')
  expect(notices.map(({ regrade }) => regrade)).toEqual([null, 'Regrade with a lenient scorer…'])
  expect(groupNotices({ groups: [], scored: 0 })).toEqual([])
})

test('names the reason of unscored samples', () => {
  expect(groupWords('unscored', 'missing_module')).toBe('unscored: missing module')
  expect(groupWords('cut_off', null)).toBe('cut off at the token limit')
})
