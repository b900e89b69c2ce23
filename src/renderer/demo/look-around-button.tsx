import { Button } from '@mantine/core'
import { useMe } from '../api/session.queries.ts'
import { presentWorkspace } from '../api/workspace.ts'
import { useLookAround } from './demo.queries.ts'

/** The first look of a person who has nothing of their own yet. */
export function LookAroundButton() {
  const { data: me } = useMe()
  const look = useLookAround()
  if (!me || presentWorkspace(me)?.demo) return null
  return (
    <Button variant="default" loading={look.isPending} onClick={() => look.mutate()}>
      Look around
    </Button>
  )
}
