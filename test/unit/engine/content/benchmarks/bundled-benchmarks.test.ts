import { describe, expect, test } from 'vitest'
import { bundledBenchmarks } from '../../../../../src/engine/content/benchmarks/bundled-benchmarks.ts'
import { contentDigest } from '../../../../../src/engine/content/benchmarks/content-digest.ts'
import { previewOf } from '../../../../../src/engine/content/benchmarks/task-preview.ts'
import { fill, renderPrompt } from '../../../../../src/engine/execution/samples/render-prompt.ts'
import { codeScorers } from '../../../../../src/engine/grading/scorers/code/code-scorers.ts'
import { prepareScorer } from '../../../../../src/engine/grading/scorers/registry.ts'

/** A change here is a change of the published content: it needs a new version, never only a new digest. */
const digests: Readonly<Record<string, string>> = {
  'arithmetic-word-problems@1.0.0-seed20261101': '433dcd8c0e8b7f7037ee467b781b3deb5813e7a389908de89903b04d796a1c04',
  'instruction-following@1.0.0-seed20261101': '5aec2622194b6d358c7614b5310e322c14c621ba6c2a46fdc77a2292c6fa57a9',
  'logic-choice@1.0.0-seed20261101': 'fc8c9f75bb47586783766cf9ff504b6409e8b768574f8abcc8c1612c8e33b745',
  'reading-comprehension@1.0.0-seed20261101': 'e6f3e077bd53ca498cfa87ae22fe8866b63f4a0b6f1fc34bcfb8d0ea9677dbb0',
  'python-functions@1.0.0-seed20261101': '359fefb8f082735a9c95c867285ddf7f30fa8b88a260aa8295da0013f74b53f4',
  'javascript-functions@1.0.0-seed20261122': '11d6bfcab2863d70bd3055eb508dc602bb5e407143c6c2d42c73d778a5566994',
  'everyday-programs@1.0.0-seed20261101': '3779b793a0e35bfc1830dcc8a69d27313041c0e414dc5edb4dcdfdc7ea5223b4',
  'contest-problems@1.0.0-seed20261101': '64194252ef356d49eb2eba20d14c8160b0a1397e9ab4dcc7945ad5dc7723c896',
  'spreadsheet-edits@1.0.0-seed20261101': '17d54ec190c92fe8ed5af073f330466de8af1c27e7ad1d10e1d1fc3501b04630',
}

describe.each(bundledBenchmarks().map(benchmark => [benchmark.definition.slug, benchmark] as const))('%s', (slug, benchmark) => {
  const { definition, version } = benchmark
  const content = benchmark.content()
  const { tasks, shots } = content

  test('is the same bytes as when its version was published', () => {
    expect(content.version).toBe(version)
    expect(contentDigest(tasks, shots)).toBe(digests[`${slug}@${version}`])
  })

  test('has 100 tasks or more, no two alike', () => {
    expect(tasks.length).toBeGreaterThanOrEqual(100)
    expect(new Set(tasks.map(task => task.id)).size).toBe(tasks.length)
    expect(new Set(tasks.map(task => JSON.stringify(task.fields))).size).toBe(tasks.length)
  })

  test('has a page', () => {
    for (const text of [definition.summary, definition.description, definition.howMade]) expect(text.length).toBeGreaterThan(60)
    expect(definition.knownLimits.length).toBeGreaterThanOrEqual(3)
    expect(definition.license.name).toBe('MIT')
  })

  test('has profiles that render every task, with one primary metric and as many examples as they ask for', () => {
    for (const { shots: wanted, metrics, ...profile } of definition.profiles) {
      expect(metrics.filter(metric => metric.primary)).toHaveLength(1)
      expect(shots.length).toBeGreaterThanOrEqual(wanted)
      for (const task of tasks) {
        const [message] = renderPrompt({ ...profile, shots: shots.slice(0, wanted) }, task)
        expect(message?.content).toContain(Object.values(task.fields)[0])
        expect(message?.content).not.toMatch(/\{(question|prompt|solution)\}/)
      }
    }
  })

  test('has breakdowns that divide the tasks', () => {
    for (const name of new Set(definition.profiles.flatMap(profile => profile.breakdowns))) {
      const values = tasks.map(task => task.metadata[name])
      expect(values.every(value => typeof value === 'string' || typeof value === 'number')).toBe(true)
      expect(new Set(values).size).toBeGreaterThan(1)
    }
  })

  test('scores every reference answer 1 and every wrong answer 0, by every metric that runs no code', () => {
    const scores = new Map(
      definition.profiles
        .flatMap(profile => profile.metrics)
        .filter(({ scorer }) => !codeScorers.has(scorer))
        .map(({ scorer, options }) => [scorer, prepareScorer({ scorer, options })]),
    )
    const failures: string[] = []
    for (const { id, targets, choices, metadata } of tasks) {
      for (const [scorer, score] of scores) {
        const given = { targets, metadata, ...(choices ? { choices } : {}) }
        const isMeasured = scorer === 'lm_eval/multiple_choice'
        const measured = (likeliest: number) =>
          JSON.stringify({ loglikelihoods: (choices ?? []).map((_, i) => (i === likeliest ? -1 : -99)) })
        const gold = (targets[0] ?? '').charCodeAt(0) - 65
        const right = score({ output: isMeasured ? measured(gold) : String(metadata['reference_output']), ...given })
        const wrong = score({ output: isMeasured ? measured((gold + 1) % 4) : String(metadata['wrong_output']), ...given })
        if (right.value !== 1 || wrong.value !== 0)
          failures.push(`${id} ${scorer}: ${right.value} ${right.explanation} / ${wrong.value} ${wrong.explanation}`)
      }
    }
    expect(failures).toEqual([])
  })

  test('gives nothing away in a preview', () => {
    for (const { fields } of tasks) {
      const preview = previewOf({ fields })
      const { length } = Object.values(fields).join('\n')
      expect(preview.length).toBeLessThanOrEqual(length > 40 ? Math.min(120, length / 2) : length)
    }
    expect(previewOf({ fields: { question: 'What is 1 + 3?' } })).toBe('What is 1 + 3?')
  })
})

test('a template’s braces are filled from the task and from nowhere else', () => {
  expect(fill('{a} {b} {constructor}', { a: '{b}', b: '2' })).toBe('{b} 2 {constructor}')
})
