import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { NewDatasetAttack } from '../../contract/worlds/attacks.schemas.ts'
import type { WorldDefinition, WorldTask } from '../../contract/worlds/worlds.schemas.ts'
import { drawFrom } from '../../engine/tasks/draw.ts'
import { exampleItem } from '../evaluators/index.ts'

/**
 * Some of the examples, drawn by the seed; all of a version that has no more. Others have their turn between pages.
 * @param count of all examples
 */
export async function drawExamples(
  pages: Iterable<readonly FrozenExample[]>,
  count: number,
  { sample_count: most, seed }: Pick<NewDatasetAttack, 'sample_count' | 'seed'>,
): Promise<FrozenExample[]> {
  const all = Array.from({ length: count }, (_, i) => i)
  const drawn = new Map((count <= most ? all : drawFrom(seed).sample(all, most)).map((place, i) => [place, i]))
  const found: FrozenExample[] = []
  let place = 0
  for (const page of pages) {
    for (const example of page) {
      const at = drawn.get(place++)
      if (at !== undefined) found[at] = example
    }
    await nextTurn()
  }
  return found
}

/** Examples of a dataset as a world without tools: each is a question whose answer is graded. @throws RangeError naming an example without an expectation */
export function worldOfExamples(
  title: string,
  examples: readonly FrozenExample[],
  { answer, instructions }: Pick<NewDatasetAttack, 'answer' | 'instructions'>,
): WorldDefinition {
  return {
    title,
    description: '',
    ...(instructions !== undefined && { instructions }),
    tools: [],
    limits: { turns: 1, max_output_tokens: 2048, observation_bytes: 16_000 },
    tasks: examples.map(example => {
      const { item, targets, files } = exampleItem(example)
      if (files !== undefined && files.length > 0)
        throw new RangeError(
          `draw the example "${item}", which shows files, and an attacked environment shows text alone; leave it out of the version`,
        )
      if (targets.length === 0)
        throw new RangeError(
          `draw the example "${item}", which expects nothing, so that no answer could be graded; give it an expected output`,
        )
      return {
        id: item,
        messages: messagesOf(example),
        user: { kind: 'none' },
        initial_state: {},
        expected: { answer: { ...answer, targets: [...targets] } },
      }
    }),
  }
}

/** Its own conversation where a world can hold it; otherwise one message of the user. */
function messagesOf(example: FrozenExample): WorldTask['messages'] {
  const { input } = example
  if (Array.isArray(input)) {
    const turns = input.flatMap(({ role, content }, i): WorldTask['messages'] =>
      typeof content === 'string' && content !== '' && (role === 'user' || role === 'assistant' || (role === 'system' && i === 0))
        ? [{ role, content }]
        : [],
    )
    if (turns.length === input.length && turns.at(-1)?.role === 'user') return turns
  }
  return [{ role: 'user', content: exampleItem(example).input }]
}
