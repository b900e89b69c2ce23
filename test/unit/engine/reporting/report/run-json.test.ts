import { describe, expect, test } from 'vitest'
import type { Results } from '../../../../../src/contract/runs/results.schemas.ts'
import type { ReportSample } from '../../../../../src/engine/reporting/report/report-sample.ts'
import { renderRunJson } from '../../../../../src/engine/reporting/report/run-json.ts'
import { collect } from './collect.ts'
import { hostileText } from './hostile.ts'
import { fixtureAnnotations } from './annotations-fixture.ts'
import { fixtureResults, fixtureSample, fixtureSamples, stream } from './run-fixture.ts'

const jsonOf = (results: Results, samples: readonly ReportSample[]) => collect(write => renderRunJson(results, stream(samples), write))

/** The same object put together in the opposite order, deeply. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, reversed(part)]),
  )
}

describe('renderRunJson', () => {
  test('holds everything, and reads back as what went in', async () => {
    const samples = fixtureSamples(50)
    const results = fixtureResults(samples)
    expect(JSON.parse(await jsonOf(results, samples))).toEqual({ format: 'assay.run', format_version: 1, results, samples })
  })

  test('holds what people noted on the run and its samples', async () => {
    const written: string[] = []
    await renderRunJson(fixtureResults([]), stream([]), chunk => void written.push(chunk), fixtureAnnotations)
    expect(JSON.parse(written.join(''))).toMatchObject({ annotations: fixtureAnnotations, samples: [] })
  })

  test('has no samples where there are none', async () => {
    expect(JSON.parse(await jsonOf(fixtureResults([]), []))).toMatchObject({ samples: [] })
  })

  test('gives the same bytes for any key order', async () => {
    const samples = fixtureSamples(3)
    const results = fixtureResults(samples)
    // Reversing keeps every key and value, so the types are unchanged.
    const turned = [reversed(results) as Results, reversed(samples) as ReportSample[]] as const
    expect(await jsonOf(...turned)).toBe(await jsonOf(results, samples))
  })

  test('loses no character, not even half of one, and keeps a key called __proto__', async () => {
    const samples = hostileText.map((output, position) => ({ ...fixtureSample(position), output }))
    const results = fixtureResults([])
    const options = JSON.parse('{"__proto__":{"polluted":true},"z":1}') as Record<string, unknown>
    results.reproducibility.profiles = results.reproducibility.profiles.map(profile => ({
      ...profile,
      metrics: profile.metrics.map(metric => ({ ...metric, options })),
    }))
    const text = await jsonOf(results, samples)
    const back = JSON.parse(text) as { samples: { output: string }[] }
    expect(back.samples.map(sample => sample.output)).toEqual(hostileText)
    expect(text).toContain('"options":{"__proto__":{"polluted":true},"z":1}')
    expect(text).toBe(Buffer.from(text, 'utf8').toString('utf8'))
  })

  test('puts one sample on a line', async () => {
    const lines = (await jsonOf(fixtureResults([]), fixtureSamples(3))).split('\n')
    expect(lines).toHaveLength(6)
    expect(lines.slice(1, 4).map(line => (JSON.parse(line.replace(/,$/, '')) as ReportSample).position)).toEqual([0, 1, 2])
  })
})
