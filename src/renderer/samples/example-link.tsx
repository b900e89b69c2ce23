import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { TaskExample } from '../../contract/evaluators/dataset-benchmarks.schemas.ts'
import { originWords } from '../datasets/dataset-words.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** The dataset example that a task was made of, and where that came from. */
export function ExampleLink({ example: { dataset_id: dataset, example_id: id, revision, origin } }: { readonly example: TaskExample }) {
  const item = origin.ref?.['item_id'] ?? origin.ref?.['sample_id'] ?? origin.ref?.['trace_id'] ?? origin.ref?.['line']
  return (
    <>
      <Anchor component={Link} to={`/datasets/${dataset}?open=${id}`} fz="inherit">
        Revision {revision}
      </Anchor>
      <span className="quiet">
        {' '}
        {originWords[origin.kind]}
        {typeof item === 'string' || typeof item === 'number' ? (
          <>
            {' · '}
            <UntrustedText text={String(item)} layout="inline" />
          </>
        ) : null}
      </span>
    </>
  )
}
