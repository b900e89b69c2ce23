import { describe, expect, test } from 'vitest'
import { contentDigest } from '../../../../src/engine/content/benchmarks/content-digest.ts'
import { environmentFamilies } from '../../../../src/engine/execution/environments/families/families.ts'
import { previewOf } from '../../../../src/engine/content/benchmarks/task-preview.ts'
import { playAs } from './play.ts'

/** A change here is a change of the published content: it needs a new version, never only a new digest. */
const digests: Readonly<Record<string, string>> = {
  'grid-puzzle': 'f9f17e061c4974b76a66edc003769a1587fe017633dcc0a4336592c987899b3a',
  'customer-desk': '710006b6d5245010b5df26dd2d9a8d69f97acab6a035b4b844bbd07767770cf3',
  'file-workspace': '5cc03266f69abcb4a0534c264c7f2e364e7c4559338ad658056a571454eb9dfc',
  'text-to-sql': '50c52a19b9d34d02b2704a4841e324a645d7c9cb8e6fea529e42ffb991fd1e39',
}

test('there are four families with unique ids', () => {
  expect(environmentFamilies.map(family => family.definition.slug)).toEqual([
    'grid-puzzle',
    'customer-desk',
    'file-workspace',
    'text-to-sql',
  ])
  expect(new Set(environmentFamilies.map(family => family.id)).size).toBe(4)
})

describe.each(environmentFamilies.map(family => [family.definition.slug, family] as const))('%s', (slug, family) => {
  const { tasks, version } = family.content()

  test('is the same bytes as when its version was published', () => {
    expect(version).toBe(family.version)
    expect(contentDigest(tasks, [])).toBe(digests[slug])
  })

  test('has a hundred tasks or more, no two alike, and gives none away', () => {
    expect(tasks.length).toBeGreaterThanOrEqual(100)
    expect(new Set(tasks.map(task => task.id)).size).toBe(tasks.length)
    expect(new Set(tasks.map(({ fields, metadata }) => JSON.stringify([fields, metadata['setup']]))).size).toBe(tasks.length)
    for (const task of tasks) expect(previewOf(task).length).toBeLessThanOrEqual((task.fields['instruction']?.length ?? 0) / 2)
  })

  test('is solved by its reference, task by task, within its turns', async () => {
    const failed: string[] = []
    for (const task of tasks) {
      const { score, episode } = await playAs('assay/oracle-100', family, task)
      if (score.value !== 1 || episode.turns > family.maxTurns) failed.push(`${task.id}: ${score.explanation}`)
    }
    expect(failed).toEqual([])
  })

  test.each(['assay/echo', 'assay/first-option', 'assay/oracle-0'])('gives %s nothing', async routeId => {
    for (const task of tasks.slice(0, 40)) expect((await playAs(routeId, family, task)).score.value, task.id).toBe(0)
  })

  test('is at chance for random actions: at most one task in twenty', async () => {
    const scores = await Promise.all(tasks.map(task => playAs('assay/random', family, task)))
    expect(scores.filter(({ score }) => score.value === 1).length).toBeLessThanOrEqual(tasks.length / 20)
  })

  test('plays the same actions to the same end', async () => {
    const [task] = tasks
    if (!task) throw new Error('There is no task.')
    const [one, two] = [await playAs('assay/random', family, task), await playAs('assay/random', family, task)]
    expect(two.episode).toEqual(one.episode)
    expect(one.episode.messages.length).toBeGreaterThan(2)
  })
})
