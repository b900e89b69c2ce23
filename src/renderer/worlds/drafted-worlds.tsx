import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DraftedWorld } from '../../contract/worlds/play.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useAddress } from '../ui/table/use-address.ts'

interface DraftedWorldsProps {
  readonly worlds: readonly DraftedWorld[]
  /** Takes the choice, where there is one, below the title. */
  readonly children: (made: DraftedWorld, choice: ReactNode) => ReactNode
}

/** The environments of a draft, one of which is edited; the address keeps which. */
export function DraftedWorlds({ worlds, children }: DraftedWorldsProps) {
  const { get, set } = useAddress()
  const made = worlds.find(({ slug }) => slug === get('world')) ?? worlds[0]
  if (!made) return null
  const choice =
    worlds.length === 1 ? null : (
      <Select
        label="Environment"
        description={`The draft has ${formatCount(worlds.length)}. Save each that you want to keep.`}
        allowDeselect={false}
        w={480}
        data={worlds.map(({ slug, definition: { title }, tasks }) => ({
          value: slug,
          label: `${title} (${formatCount(tasks.length)} ${tasks.length === 1 ? 'task' : 'tasks'})`,
        }))}
        value={made.slug}
        onChange={slug => set({ world: slug })}
      />
    )
  return children(made, choice)
}
