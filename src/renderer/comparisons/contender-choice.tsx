import { Select } from '@mantine/core'
import { showHidden } from '../../lib/format/visible-text.ts'
import type { Contender } from './use-contender.ts'

/** Which of several contenders the details are about; nothing where there is one. */
export function ContenderChoice({ contender: { all, chosen, choose } }: { readonly contender: Contender }) {
  if (all.length < 2) return null
  return (
    <Select
      label="Details of"
      w={320}
      data={all.map(run => ({ value: run.id, label: showHidden(run.label) }))}
      value={chosen.id}
      onChange={id => id && choose(id)}
    />
  )
}
