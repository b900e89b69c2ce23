import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pathOf } from '../api/upload.ts'
import { Notice } from '../ui/states/notice.tsx'
import { holdsWorld } from './recognize-world.ts'

interface WorldOfferProps {
  readonly files: readonly File[]
  readonly onAccept: () => void
}

/** Offers to make an environment of files that hold conversations with tools. */
export function WorldOffer({ files, onAccept }: WorldOfferProps) {
  const { data } = useQuery({
    queryKey: ['worlds', 'recognized', ...files.map(file => `${pathOf(file)} ${file.size} ${file.lastModified}`)],
    enabled: files.length > 0,
    queryFn: () => holdsWorld(files),
  })
  if (data !== true) return null
  return (
    <Notice tone="neutral" title="Conversations with tools">
      An environment plays them turn after turn and grades the calls.{' '}
      <Button variant="default" size="compact-sm" onClick={onAccept}>
        Make an environment
      </Button>
    </Notice>
  )
}
