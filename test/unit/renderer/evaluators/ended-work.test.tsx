import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { whyEnded } from '../../../../src/renderer/evaluators/evaluators-words.ts'
import { Verdict } from '../../../../src/renderer/evaluators/run-trials.tsx'

test('a cancelled calibration needs no reason, and one that a restore ended tells its own', () => {
  expect(whyEnded({ message: 'The job was cancelled.' })).toBeNull()
  expect(whyEnded({ message: 'The job had ended when a backup was restored.' })).toBe('The job had ended when a backup was restored.')
})

test('a verdict that is partly right neither agrees nor disagrees with a label', () => {
  const said = (name: 'correct' | 'wrong' | 'partial') =>
    /(?:dis)?agrees/.exec(renderToStaticMarkup(<Verdict value={0.5} name={name} label="pass" />))?.[0]
  expect([said('correct'), said('wrong'), said('partial')]).toEqual(['agrees', 'disagrees', undefined])
})
