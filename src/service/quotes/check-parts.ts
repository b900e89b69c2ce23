import type { CompatibilityCheck } from '../../contract/index.ts'
import { shapeFault, type SpokenProtocol } from '../../engine/clients/wire/sent-parts.ts'
import type { TaskShape } from '../../engine/tasks/task-shape.ts'
import type { SelectedModel } from './select-model.ts'

/** Parts that the model's protocol has no form for: such tasks fail here, with their number, and nothing is left out of a prompt. */
export function checkParts(
  { snapshot, protocol }: Pick<SelectedModel, 'snapshot' | 'protocol'>,
  profileId: string,
  shapes: readonly TaskShape[],
  tasks: number,
): CompatibilityCheck[] {
  if (protocol === null || shapes.length === 0) return []
  const base = { check: 'model_capabilities', profile_id: profileId } as const
  const counts = new Map<string, number>()
  for (const { parts } of shapes)
    for (const fault of new Set(parts.map(part => shapeFault(protocol, part))))
      if (fault !== null) counts.set(fault, (counts.get(fault) ?? 0) + 1)
  const withMedia = shapes.filter(({ parts }) => parts.some(part => /\/(?:image|audio|document)$/.test(part))).length
  const faults = [...counts].map(
    ([fault, count]): CompatibilityCheck => ({
      ...base,
      status: 'fail',
      detail: `${count} of ${tasks} tasks cannot be sent: ${snapshot.title} takes ${fault} (protocol ${titleOf(protocol)}). Choose another model, or tasks without them.`,
    }),
  )
  if (withMedia === 0) return faults
  return [
    ...faults,
    {
      ...base,
      status: 'warn',
      detail: `${withMedia} of ${tasks} tasks contain images, audio or documents. Their tokens are not in the count, since providers count them differently; the upper bound takes the most that a provider states for one file.`,
    },
  ]
}

const titleOf = (protocol: SpokenProtocol): string => protocol.replaceAll('_', ' ')
