import { expect, test } from 'vitest'
import { readView, withoutView, withView } from '../../../../src/renderer/ui/table/saved-view.ts'

test('a view keeps filters and order, and not the row that is open', () => {
  expect(readView(new URLSearchParams('sort=-score&open=r1&model=m'))).toBe('model=m&sort=-score')
})

test('a view replaces one of the same name and views are in the order of their names', () => {
  const views = withView(withView([], { name: 'b', query: '1' }), { name: 'a', query: '2' })
  expect(withView(views, { name: 'b', query: '3' })).toEqual([
    { name: 'a', query: '2' },
    { name: 'b', query: '3' },
  ])
  expect(withoutView(views, 'a')).toEqual([{ name: 'b', query: '1' }])
})
