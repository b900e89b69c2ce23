import { Tooltip } from '@mantine/core'
import { IconDatabase } from '../ui/pictures/icons.tsx'

/** Marks an answer from the cache. */
export function CachedBadge() {
  return (
    <Tooltip label="From the cache: no model call was made. Times, tokens and cost are those of the original answer.">
      <span className="samples-cached">
        <IconDatabase size={14} aria-hidden />
        cached
      </span>
    </Tooltip>
  )
}
