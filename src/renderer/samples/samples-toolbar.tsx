import { memo } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { canRetry } from '../runs/follow-up.ts'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { SavedViews } from '../ui/table/saved-views.tsx'
import { outcomeKinds } from '../strip/outcome-kinds.ts'
import { AddToDataset } from './add-to-dataset.tsx'
import { ChosenGroup } from './chosen-group.tsx'
import { ChosenPart } from './chosen-part.tsx'
import { ExportSamples } from './export-samples.tsx'
import { GoToRow } from './go-to-row.tsx'
import { MoreFilters } from './more-filters.tsx'
import { RetryMenu } from './retry-menu.tsx'
import type { SampleFilters } from './samples.queries.ts'

const outcomeOptions = outcomeKinds.map(({ verdict, title }) => ({ value: verdict, label: title }))

/** Samples from which on a run has a search index once it has ended. */
const INDEXED = 2_000

interface SamplesToolbarProps {
  readonly run: Run
  readonly filters: SampleFilters
  readonly filtered: boolean
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (ids: readonly string[]) => void
  /** Samples that match; null until it is known. */
  readonly total: number | null
  readonly searchedBy: 'index' | 'scan' | null
  readonly onGo: (index: number) => void
}

/** Drawn again only when what it shows changes: the page around it is drawn with every stretch of rows that a scroll reads. */
export const SamplesToolbar = memo(function SamplesToolbar({
  run,
  filters,
  filtered,
  chosen,
  onChoose,
  total,
  searchedBy,
  onGo,
}: SamplesToolbarProps) {
  return (
    <>
      <SearchFilter label="Search samples" exact="match" width={216} />
      <SelectFilter label="Outcome" name="outcome" options={outcomeOptions} width={130} />
      <MoreFilters run={run} />
      <ChosenPart />
      <ChosenGroup />
      <SavedViews list="samples" compact />
      {run.profiles.length > 1 ? (
        <SelectFilter
          label="Profile"
          name="profile"
          width={200}
          options={run.profiles.map(profile => ({ value: profile.profile_id, label: showHidden(profileName(profile)) }))}
        />
      ) : null}
      <RequestMenu operation="listSamples" request={{ params: { run_id: run.id }, query: filters }} />
      {canRetry(run) ? <AddToDataset runId={run.id} filters={filters} chosen={chosen} /> : null}
      {canRetry(run) ? <ExportSamples run={run} chosen={chosen} /> : null}
      {canRetry(run) ? <RetryMenu run={run} filters={filters} filtered={filtered} chosen={chosen} onChoose={onChoose} /> : null}
      {total === null ? null : <GoToRow total={total} onGo={onGo} />}
      {searchedBy === 'scan' && run.progress.frozen >= INDEXED ? (
        <span className="quiet small">Every sample was read: the search index is made after the run.</span>
      ) : null}
    </>
  )
})
