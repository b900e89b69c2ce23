import { Progress } from '@mantine/core'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import type { ImportAttempt } from './imports.queries.ts'

/** How far an import has got: first its bytes, then its rows. */
export function ImportProgress({ attempt: { share, rowsRead } }: { readonly attempt: Pick<ImportAttempt, 'share' | 'rowsRead'> }) {
  return (
    <div>
      <Progress value={100 * share} size="xs" aria-label="Upload" />
      <output className="quiet small num">
        {share < 1 ? `${formatPercent(share, 0)} sent` : `Checking, ${formatCount(rowsRead)} rows read`}
      </output>
    </div>
  )
}
