import { Tooltip } from '@mantine/core'
import { IconDatabase } from '@tabler/icons-react'

/** Says that nobody was asked for this answer. */
export function CachedBadge() {
  return (
    <Tooltip label="Taken from the cache: nobody was asked. Times, tokens and cost are those of the answer when it was given.">
      <span className="samples-cached">
        <IconDatabase size={14} aria-hidden />
        cached
      </span>
    </Tooltip>
  )
}
