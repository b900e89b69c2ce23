import { expect, test } from 'vitest'
import { shownType } from '../../../../src/renderer/media/shown-type.ts'
import { makeJpeg, makePng, makeWav } from '../../../support/media.ts'

test('what a page shows is told by its bytes, and nothing else is shown', () => {
  const of = (bytes: Buffer | string) => shownType(Buffer.from(bytes).toString('base64'))
  expect(of(makePng([0, 0, 0]))).toBe('image/png')
  expect(of(makeJpeg(8, 8))).toBe('image/jpeg')
  expect(of(makeWav(10))).toBe('audio/wav')
  expect(shownType(Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1').toString('base64'))).toBe('image/webp')
  for (const hostile of ['<svg onload="alert(1)">', '<html><script>', '%PDF-1.7', '', 'RIFF']) expect(of(hostile)).toBeNull()
  expect(shownType('%%%')).toBeNull()
})
