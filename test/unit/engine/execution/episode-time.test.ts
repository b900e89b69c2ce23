import { expect, test } from 'vitest'
import { NewWorld } from '../../../../src/contract/worlds/worlds.schemas.ts'
import { worldsExamples } from '../../../../src/contract/worlds/worlds.examples.ts'
import { type Episode, playEpisode } from '../../../../src/engine/execution/environments/episode.ts'
import { scriptedAnswer } from '../../../../src/engine/execution/environments/scripted-answer.ts'
import { worldFamily } from '../../../../src/engine/execution/environments/worlds/world-family.ts'

/** An episode whose every call takes 700 ms and uses a tool that does nothing. */
async function played(seconds: number | undefined): Promise<Pick<Episode, 'ended' | 'turns'>> {
  const { tools, limits } = NewWorld.parse({ ...worldsExamples.createEnvironment, limits: { turns: 5, ...(seconds && { seconds }) } })
  const family = worldFamily('timed', { tools, limits })
  const use = [{ id: 'a', name: tools[0]?.name ?? '', arguments: '{}' }]
  const outcome = await playEpisode(
    {
      family: 'timed',
      protocol: 'native',
      tools: family.tools,
      maxTurns: family.maxTurns,
      observationBytes: family.observationBytes,
      maxTokens: family.maxTokens,
      maxMs: family.maxMs,
      request: { messages: [{ role: 'user', content: 'Go on.' }], temperature: null, maxOutputTokens: 100, stop: [] },
    },
    { over: false, act: () => 'ok', state: () => ({}) },
    () => Promise.resolve({ ...scriptedAnswer('', use), latencyMs: 700 }),
  )
  if (!outcome.ok) throw new Error(outcome.message)
  // Only playEpisode wrote it.
  return JSON.parse(outcome.output) as Episode
}

test('an episode ends once its calls have taken the seconds of its world, and only then', async () => {
  expect(await played(2)).toMatchObject({ ended: 'time_limit', turns: 3 })
  expect(await played(undefined)).toMatchObject({ ended: 'turn_limit', turns: 5 })
})
