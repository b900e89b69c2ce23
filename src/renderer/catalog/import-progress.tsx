import { Button, Progress } from '@mantine/core'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import type { ImportAttempt } from './imports.queries.ts'

type Fetching = NonNullable<ImportRecord['fetch']>

/** How far an import has got: first its bytes, then its rows. */
export function ImportProgress({
  attempt: { share, rowsRead, fetching, cancel, isCancelling },
}: {
  readonly attempt: Pick<ImportAttempt, 'share' | 'rowsRead' | 'fetching' | 'cancel' | 'isCancelling'>
}) {
  return (
    <div>
      <Progress value={100 * (fetching ? fetchedShare(fetching) : share)} size="xs" aria-label={fetching ? 'Download' : 'Upload'} />
      <div className="row" style={{ marginTop: 4 }}>
        <output className="quiet small num">{fetching ? fetchingWords(fetching) : sendingWords(share, rowsRead)}</output>
        <Button size="compact-xs" variant="default" loading={isCancelling} onClick={cancel}>
          Cancel import
        </Button>
      </div>
    </div>
  )
}

function sendingWords(share: number, rowsRead: number): string {
  return share < 1 ? `${formatPercent(share, 0)} sent` : `Checking, ${formatCount(rowsRead)} rows read`
}

/** Files count alike, since their sizes are not known before each begins. */
function fetchedShare({ file_number, file_count, received_bytes, total_bytes }: Fetching): number {
  const ofFile = total_bytes ? Math.min(1, received_bytes / total_bytes) : 0
  return (file_number - 1 + ofFile) / file_count
}

function fetchingWords(fetching: Fetching): string {
  const { file_name, file_number, file_count, received_bytes, total_bytes } = fetching
  if (fetchedShare(fetching) === 1) return 'Downloaded; checking its rows'
  const which = file_count > 1 ? `, file ${file_number} of ${file_count}` : ''
  const size = total_bytes === null ? formatBytes(received_bytes) : `${formatBytes(received_bytes)} of ${formatBytes(total_bytes)}`
  return `Downloading ${file_name}${which}: ${size}`
}
