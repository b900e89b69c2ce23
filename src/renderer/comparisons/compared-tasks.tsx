import { useEffect, useMemo, useRef } from 'react'
import { type ComparedTask, type Comparison, taskChanges } from '../../contract/comparisons/comparisons.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { allItems } from '../api/pages.ts'
import { parsePart } from '../samples/breakdown-part.ts'
import { ChosenPart } from '../samples/chosen-part.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { taskChangeWords } from './compare-words.ts'
import { comparedTaskColumns } from './compared-task-columns.tsx'
import { type TaskFilters, useComparedTasks } from './compare.queries.ts'
import { FlipTable } from './flip-table.tsx'
import { SideBySide } from './side-by-side.tsx'
import type { Contender } from './use-contender.ts'

interface ComparedTasksProps {
  readonly comparison: Comparison
  readonly contender: Contender
}

const changeOptions = taskChanges.map(change => ({ value: change, label: taskChangeWords[change].word }))

/** Tasks that flipped, the list that they filter, and the two answers to the opened one. */
export function ComparedTasks({ comparison, contender }: ComparedTasksProps) {
  const { get, set } = useAddress()
  const { chosen } = contender
  const change = oneOf(get('change'), taskChanges)
  const part = parsePart(get('part'))
  const filters: TaskFilters = {
    contender_id: chosen.id,
    change,
    profile: get('profile') || undefined,
    capability: get('capability') || undefined,
    breakdown: part?.dimension,
    breakdown_value: part?.value,
    q: get('q'),
  }
  const list = useRef<HTMLDivElement>(null)
  const chosenPart = get('part')
  // A bar of a breakdown, further down the page, narrows the list: the reader is taken to it.
  useEffect(() => {
    if (chosenPart === '') return
    list.current?.focus({ preventScroll: true })
    list.current?.scrollIntoView({ block: 'center' })
  }, [chosenPart])
  const query = useComparedTasks(comparison.id, filters)
  const rows = useMemo(() => allItems(query.data), [query.data])
  const columns = useMemo(() => comparedTaskColumns(comparison, chosen.id), [comparison, chosen.id])
  const headline = comparison.differences.find(difference => difference.headline && difference.contender_id === chosen.id)
  const open = (task: ComparedTask): void => set({ open: String(task.position), task: task.task_id })
  const openId = get('open') || null
  const filtered = change !== undefined || Boolean(filters.profile || filters.capability || part || filters.q)
  return (
    <Section
      title="Tasks"
      aside={<RequestMenu operation="listComparedTasks" request={{ params: { comparison_id: comparison.id }, query: filters }} />}
    >
      {headline ? (
        <FlipTable
          difference={headline}
          contender={contender}
          change={change}
          onChange={value => set({ change: value, open: null, task: null })}
        />
      ) : null}
      {query.isError && !query.data ? (
        <ErrorState error={query.error} title="Couldn’t load the tasks" onRetry={() => void query.refetch()} />
      ) : (
        <div className="compare-tasks-list" ref={list} tabIndex={-1}>
          <DataTable<ComparedTask>
            id={`compared-tasks-${comparison.runs.length}`}
            label="Compared tasks"
            columns={columns}
            rows={rows}
            rowId={task => String(task.position)}
            loading={query.isPending}
            openId={openId}
            onOpen={open}
            more={query}
            toolbar={
              <>
                <SearchFilter label="Search tasks" />
                <SelectFilter label="Change" name="change" options={changeOptions} width={160} />
                <ChosenPart />
                {comparison.profiles.length > 1 ? (
                  <SelectFilter
                    label="Profile"
                    name="profile"
                    width={200}
                    options={comparison.profiles.map(profile => ({
                      value: profile.profile_id,
                      label: showHidden(profile.title),
                    }))}
                  />
                ) : null}
              </>
            }
            empty={
              filtered ? (
                <NoMatches kind="tasks" onClear={() => set({ change: null, profile: null, capability: null, part: null, q: null })} />
              ) : (
                <EmptyState title="No tasks" />
              )
            }
          />
        </div>
      )}
      {openId === null ? null : (
        <SideBySide
          key={chosen.id}
          comparison={comparison}
          contender={contender}
          taskId={get('task')}
          position={Number(openId)}
          rows={rows}
          onOpen={open}
          onClose={() => set({ open: null, task: null })}
        />
      )}
    </Section>
  )
}
