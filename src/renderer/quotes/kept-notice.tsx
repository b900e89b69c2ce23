import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../ui/states/notice.tsx'

interface KeptNoticeProps<Form> {
  readonly form: Form
  /** As it is without what was kept. */
  readonly empty: Form
  readonly onChange: (form: Form) => void
}

/** That a form was filled in before this page was opened, and the way to begin anew. */
export function KeptNotice<Form>({ form, empty, onChange }: KeptNoticeProps<Form>) {
  const [cleared, setCleared] = useState<Form | null>(null)
  const toggle = (): void => {
    setCleared(cleared === null ? form : null)
    onChange(cleared ?? empty)
  }
  return (
    <Notice tone="neutral" title={cleared === null ? 'Filled in from your unfinished form' : 'Form cleared'}>
      <Anchor component="button" type="button" fz="inherit" onClick={toggle}>
        {cleared === null ? 'Start over' : 'Undo'}
      </Anchor>
    </Notice>
  )
}
