import { expect, test } from 'vitest'
import { isMediaName } from '../../../src/lib/media-name.ts'

test('knows pictures, recordings and documents by their endings, in either case', () => {
  const names = ['a.png', 'A.JPEG', 'plan.svg', 'photo.heic', 'photo.avif', 'call.m4a', 'page.pdf', 'clip.mp4', 'clip.mov', 'clip.webm']
  expect(names.filter(name => !isMediaName(name))).toEqual([])
  expect(['a.csv', 'png', 'a.png.zip'].filter(isMediaName)).toEqual([])
})
