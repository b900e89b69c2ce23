import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { FacetedSample } from '../../../../../src/engine/reporting/report/report-sample.ts'
import { renderRunCsv } from '../../../../../src/engine/reporting/report/run-csv.ts'
import { promptText } from '../../../../../src/contract/messages/message-text.ts'
import { collect } from './collect.ts'
import { hostileText } from './hostile.ts'
import { emptySample, fixtureResults, fixtureSample, fixtureSamples, stream } from './run-fixture.ts'

async function rowsOf(samples: readonly FacetedSample[], results = fixtureResults(samples)): Promise<Record<string, string>[]> {
  const text = await collect(write => renderRunCsv(results, stream(samples), write))
  // With `columns` the parser gives an object of texts per row; its types say unknown.
  return parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
}

describe('renderRunCsv', () => {
  test('has a row per sample and three columns per metric', async () => {
    const rows = await rowsOf(fixtureSamples(20))
    expect(rows).toHaveLength(20)
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'row',
      'position',
      'sample_id',
      'model',
      'benchmark',
      'profile_id',
      'profile',
      'task_id',
      'epoch',
      'status',
      'passed',
      'value.strict',
      'class.strict',
      'answer.strict',
      'value.flexible',
      'class.flexible',
      'answer.flexible',
      'error_code',
      'error_message',
      'finish_reason',
      'latency_ms',
      'input_tokens',
      'output_tokens',
      'attempts',
      'finished_at',
      'question',
      'targets',
      'output',
    ])
  })

  test('writes the sample’s values, and empty cells for unknown ones', async () => {
    const sample = fixtureSample(1)
    const [scored, missing] = await rowsOf([sample, emptySample(2)])
    expect(scored).toMatchObject({
      row: '2',
      position: '1',
      model: fixtureResults([sample]).reproducibility.model.title,
      question: promptText(sample.messages),
      status: 'scored',
      passed: String(sample.passed),
      'value.strict': String(sample.score_details[0]?.value),
      'answer.flexible': sample.score_details[1]?.answer,
      targets: JSON.stringify(sample.targets),
      output: sample.output,
      latency_ms: String(sample.latency_ms),
    })
    expect(missing).toMatchObject({ status: 'missing', passed: '', 'value.strict': '', 'class.strict': '', latency_ms: '', output: '' })
  })

  test('round-trips hostile text through a real parser, neutralised where a spreadsheet would run it', async () => {
    const outputs = [...hostileText, '=HYPERLINK("http://evil.test")', 'two\r\nlines, and "quotes"']
    const rows = await rowsOf(outputs.map((output, position) => ({ ...fixtureSample(position), output })))
    const read = rows.map(row => row['output'] ?? '')
    // oxlint-disable-next-line no-control-regex
    const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/g
    const visible = (text: string) => text.toWellFormed().replaceAll(controls, c => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
    for (const [index, output] of outputs.entries()) expect([visible(output), `'${visible(output)}`]).toContain(read[index])
    expect(read.at(-2)).toBe('\'=HYPERLINK("http://evil.test")')
    expect(read.at(-1)).toBe('two\r\nlines, and "quotes"')
  })

  test('neutralises headers too', async () => {
    const results = fixtureResults([])
    results.reproducibility.profiles = results.reproducibility.profiles.map(profile => ({
      ...profile,
      metrics: profile.metrics.slice(0, 1).map(metric => ({ ...metric, id: 'a",=1\nb' })),
    }))
    const rows = await rowsOf([fixtureSample(1)], results)
    expect(Object.keys(rows[0] ?? {})).toContain('value.a",=1\nb')
  })

  test('is only its header where there are no samples', async () => {
    const text = await collect(write => renderRunCsv(fixtureResults([]), stream([]), write))
    expect(text.split('\r\n')).toHaveLength(2)
  })
})
