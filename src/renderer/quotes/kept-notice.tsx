import { Anchor } from '@mantine/core'
import { Notice } from '../ui/states/notice.tsx'

interface KeptNoticeProps {
  readonly origin: 'kept' | 'cleared' | null
  readonly startOver: () => void
  readonly undo: () => void
}

/** That a form was filled in before this page was opened, and the way to start over. */
export function KeptNotice({ origin, startOver, undo }: KeptNoticeProps) {
  if (origin === null) return null
  const [title, label, act] =
    origin === 'kept' ? ['Filled in from your unfinished form', 'Start over', startOver] : ['Form cleared', 'Undo', undo]
  return (
    <Notice tone="neutral" title={title}>
      <Anchor component="button" type="button" fz="inherit" onClick={act}>
        {label}
      </Anchor>
    </Notice>
  )
}
