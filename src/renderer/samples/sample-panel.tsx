import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { SidePanel } from '../ui/page/split-view.tsx'
import { IconChevronDown, IconChevronUp, IconExternalLink } from '../ui/pictures/icons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { sampleQuery } from './samples.queries.ts'
import { Transcript } from './transcript.tsx'

interface SamplePanelProps {
  readonly run: Run
  readonly sampleId: string
  /** False where the list does not contain it. */
  readonly listed: boolean
  /** Its neighbors in the list as it is filtered and sorted. */
  readonly previous: number | null
  readonly next: number | null
  readonly onOpen: (index: number) => void
  readonly onClose: () => void
}

export function SamplePanel({ run, sampleId, listed, previous, next, onOpen, onClose }: SamplePanelProps) {
  const query = useQuery(sampleQuery(run.id, sampleId))
  return (
    <SidePanel
      label="Transcript"
      title={query.data ? <UntrustedText text={query.data.title} layout="prose" /> : 'Transcript'}
      onClose={onClose}
      actions={
        <>
          <Walk label="Previous sample (k)" icon={IconChevronUp} to={previous} onOpen={onOpen} />
          <Walk label="Next sample (j)" icon={IconChevronDown} to={next} onOpen={onOpen} />
          <RequestMenu operation="getSample" request={{ params: { run_id: run.id, sample_id: sampleId } }} />
          <Tooltip label="Open as page">
            <ActionIcon component={Link} to={`/runs/${run.id}/samples/${sampleId}`} variant="subtle" color="gray" aria-label="Open as page">
              <IconExternalLink size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      {listed ? null : <p className="quiet small samples-note">This sample does not match the list’s filters.</p>}
      <QueryView query={query} failure="Couldn’t load the sample">
        {sample => <Transcript key={sample.id} sample={sample} run={run} />}
      </QueryView>
    </SidePanel>
  )
}

interface WalkProps {
  readonly label: string
  readonly icon: typeof IconChevronUp
  readonly to: number | null
  readonly onOpen: (index: number) => void
}

function Walk({ label, icon: Icon, to, onOpen }: WalkProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" disabled={to === null} onClick={() => to !== null && onOpen(to)} aria-label={label}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}
