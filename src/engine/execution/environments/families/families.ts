import { z } from 'zod'
import type { EnvironmentSetting } from '../../../tasks/definition.ts'
import type { EnvironmentFamily, PlayableFamily } from '../environment.ts'
import { worldFamily } from '../worlds/world-family.ts'
import { customerDesk } from './customer-desk/customer-desk.ts'
import { fileWorkspace } from './file-workspace/file-workspace.ts'
import { gridPuzzle } from './grid-puzzle/grid-puzzle.ts'
import { textToSql } from './text-to-sql/text-to-sql.ts'

/** Every environment that ships with Assay. */
export const environmentFamilies: readonly EnvironmentFamily[] = [gridPuzzle, customerDesk, fileWorkspace, textToSql]

/** The family of that slug; null when there is none. */
export function findFamily(slug: string): EnvironmentFamily | null {
  return environmentFamilies.find(family => family.definition.slug === slug) ?? null
}

/** What a profile plays; null when this version has no such family. */
export function playableFamily({ family: slug, world }: Pick<EnvironmentSetting, 'family' | 'world'>): PlayableFamily | null {
  if (world) return worldFamily(slug, world)
  const family = findFamily(slug)
  return family && bundled(family)
}

const Reference = z.object({
  reference_actions: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  reference_answer: z.string().default('done'),
})

function bundled({ definition, tools, maxTurns, observationBytes, start, candidates }: EnvironmentFamily): PlayableFamily {
  return {
    slug: definition.slug,
    tools,
    maxTurns,
    observationBytes,
    maxTokens: null,
    maxMs: null,
    start,
    candidates,
    reference: ({ metadata }) => {
      const { reference_actions: actions, reference_answer: answer } = Reference.parse(metadata)
      return { actions, answer }
    },
    replyBytes: () => 0,
  }
}
