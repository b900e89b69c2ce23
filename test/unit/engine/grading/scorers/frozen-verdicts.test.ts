import { describe, expect, test } from 'vitest'
import { prepareScorer, scorers } from '../../../../../src/engine/grading/scorers/registry.ts'
import { compareWithFrozen, frozenRow } from '../../../../support/frozen-verdicts.ts'
import { commonInputs, familyInputs } from './frozen/inputs.ts'
import { frozenOptions } from './frozen/options.ts'

const file = new URL('frozen/verdicts.txt', import.meta.url)
const rows = [...scorers.values()].flatMap(({ id, version }) =>
  (frozenOptions[id] ?? [id.startsWith('promptfoo/') ? { value: 'Paris' } : {}]).map(options => {
    const grade = prepareScorer({ scorer: id, options })
    const inputs = [...commonInputs, ...(familyInputs[id.slice(0, id.indexOf('/'))] ?? [])]
    return frozenRow(
      id,
      version,
      options,
      inputs.map(input => [input, grade(input)] as const),
    )
  }),
)

describe('verdicts that were committed for a version', () => {
  const { changed, content } = compareWithFrozen(file, rows)

  test('are given still: a scorer whose verdicts change has its version raised', () => expect(changed).toEqual([]))

  test('are there for every scorer, version and input; -u adds what is missing and changes none', async () => {
    await expect(content).toMatchFileSnapshot('frozen/verdicts.txt')
  })

  test('tell outputs apart', () => {
    const indifferent = rows.filter(({ verdicts }) => new Set(verdicts).size === 1).map(({ key }) => key.replace(/@.*/, ''))
    expect(indifferent).toEqual([])
  })
})
