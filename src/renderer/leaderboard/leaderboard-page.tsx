import './leaderboard.css'
import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Leaderboard } from '../../contract/runs/leaderboard.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { searchTerms } from '../../lib/text-query.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { TableSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { SearchFilter } from '../ui/forms/filters.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { leaderboardQuery } from './leaderboard.queries.ts'
import { LeaderboardCell } from './leaderboard-cell.tsx'
import { Ranking } from './ranking.tsx'
import { type Field, fieldsOf, likeScores, type Standing, standingsOf } from './standings.ts'

export function LeaderboardPage() {
  const query = useQuery(leaderboardQuery)
  return (
    <Page>
      <PageHeader
        title="Leaderboard"
        description="The most complete result of each model on each benchmark, the newest of equals, from this workspace’s runs. Only scores of the same tasks, prompt, settings and scorer are ranked; none are averaged."
        actions={<RequestMenu operation="getLeaderboard" request={{}} />}
      />
      <QueryView query={query} failure="Couldn’t load the leaderboard" loading={<TableSkeleton />}>
        {board => (board.entries.length === 0 ? <NoResults /> : <Board board={board} />)}
      </QueryView>
    </Page>
  )
}

function NoResults() {
  return (
    <EmptyState
      title="No results yet"
      picture="leaderboard"
      action={
        <Button component={Link} to="/quotes/new">
          New run
        </Button>
      }
    >
      Finished runs appear here by model and benchmark.
    </EmptyState>
  )
}

function Board({ board: { entries: all, runs } }: { readonly board: Leaderboard }) {
  const { get, set } = useAddress()
  const wanted = searchTerms(get('q'))
  const shown = all.filter(entry => {
    const name = entry.model_title.toLowerCase()
    return wanted.every(({ text, isExcluded }) => name.includes(text) !== isExcluded)
  })
  const fields = fieldsOf(all)
  const by = fields.find(field => field.id === get('by')) ?? fields[0]
  return (
    <>
      <div className="row">
        <SearchFilter label="Search models" />
      </div>
      {shown.length === 0 ? (
        <NoMatches kind="models" by="search" onClear={() => set({ q: null })} />
      ) : (
        <>
          <Ranking groups={likeScores(shown)} />
          <Section title="All benchmarks">
            <Select
              label="Order by"
              size="xs"
              w={340}
              data={fields.map(field => ({ value: field.id, label: field.name }))}
              value={by?.id ?? null}
              onChange={value => set({ by: value ?? '' })}
            />
            <PlainTable
              label="Models by benchmark"
              columns={columnsOf(fields)}
              rows={standingsOf(shown, by?.id)}
              rowId={standing => standing.model}
            />
          </Section>
        </>
      )}
      <p className="quiet small leaderboard-note">
        Intervals are 95 %. “Other tasks”, “Other prompt”, “Other settings” and “Other scorer” mark a score unlike more than half of its
        column; “Tasks differ” and the like mark a column without such a majority. Based on {formatCount(runs)}{' '}
        {runs === 1 ? 'run' : 'runs'} with a result.
      </p>
    </>
  )
}

function columnsOf(fields: readonly Field[]): readonly Column<Standing>[] {
  return [
    {
      id: 'model',
      title: 'Model',
      width: 220,
      grow: true,
      rowHeader: true,
      cell: ({ title, isModel }) => (
        <>
          <UntrustedText text={title} layout="prose" />
          {isModel ? null : <div className="quiet small">not a model</div>}
        </>
      ),
    },
    ...fields.map(
      (field): Column<Standing> => ({
        id: field.id,
        title: `${field.name}, ${field.metric}`,
        width: 190,
        align: 'end',
        cell: ({ entries }) => <LeaderboardCell entry={entries.get(field.id)} field={field} />,
      }),
    ),
  ]
}
