import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { showHidden } from '../../../lib/format/visible-text.ts'
import { UntrustedText } from '../values/untrusted-text.tsx'

/** The name of a row, as a link to its page; a name that is cut is in the title as a whole. */
export function NameLink({ to, name }: { readonly to: string; readonly name: string }) {
  return (
    <Anchor component={Link} to={to} fz="inherit" c="inherit" title={showHidden(name)}>
      <UntrustedText text={name} layout="prose" />
    </Anchor>
  )
}
