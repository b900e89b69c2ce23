import { ActionIcon, Menu } from '@mantine/core'
import type { ComparedRun, Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { type MatrixRow, type MatrixVerdict, matrixVerdicts } from '../../contract/comparisons/matrix.schemas.ts'
import { outcomeCodes } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { targetText } from '../../lib/target-text.ts'
import { scoreText } from '../samples/samples-columns.tsx'
import { outcomeKinds } from '../strip/outcome-kinds.ts'
import { IconCheck, IconFilter, IconFilterFilled } from '../ui/pictures/icons.tsx'
import type { Column } from '../ui/table/column.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import type { Status } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** Verdicts as words, in the order in which they are told. */
export const verdictWords: ReadonlyMap<MatrixVerdict, Status> = new Map(
  matrixVerdicts.flatMap(verdict => {
    const kind = outcomeKinds.find(one => one.verdict === verdict)
    return kind ? [[verdict, { word: kind.title, tone: kind.tone }]] : []
  }),
)

/** Pixels of a run's column, and beside an opened task. */
const runWidth = 148
const narrowRunWidth = 104

interface MatrixColumns {
  readonly comparison: Comparison
  readonly chosenId: string
  /** Letters of the verdicts that are filtered by, one for each run; `.` for any. */
  readonly pattern: string
  readonly onPattern: (pattern: string) => void
  readonly lines: 1 | 3
  /** A task is open beside the list, which says what the first columns say. */
  readonly isBeside: boolean
}

/** Columns that are left out beside an opened task. */
const inPanel: ReadonlySet<string> = new Set(['position', 'preview', 'target'])

/** The pattern of so many runs with another letter for one of them. */
export function withLetter(pattern: string, runs: number, no: number, letter: string): string {
  return Array.from({ length: runs }, (_, i) => (i === no ? letter : (pattern[i] ?? '.'))).join('')
}

/** A column for each run, its answer with its verdict; the heading of each filters by the verdicts of its run. */
export function matrixColumns({ comparison, chosenId, pattern, onPattern, lines, isBeside }: MatrixColumns): readonly Column<MatrixRow>[] {
  const titles = new Map(comparison.profiles.map(profile => [profile.profile_id, profile.title]))
  const columns: readonly Column<MatrixRow>[] = [
    { id: 'position', title: '#', width: 60, align: 'end', cell: row => formatCount(row.position + 1) },
    { id: 'task', title: 'Task', width: 96, rowHeader: true, cell: row => <UntrustedText text={row.task_id} layout="ends" /> },
    {
      id: 'profile',
      title: 'Profile',
      width: 140,
      hiddenAtFirst: comparison.profiles.length === 1,
      cell: row => <UntrustedText text={titles.get(row.profile_id) ?? row.profile_id} layout="name" />,
    },
    { id: 'preview', title: 'Input', width: 168, cell: row => <CellText text={row.preview} lines={lines} /> },
    {
      id: 'target',
      title: 'Target',
      width: 92,
      cell: row => <CellText text={targetText(row.target_preview ?? '', row.target_choice)} lines={lines} />,
    },
    ...comparison.runs.map(
      (run, no): Column<MatrixRow> => ({
        id: `run-${no}`,
        title: showHidden(run.label),
        head: (
          <RunHead
            run={run}
            letter={pattern[no] ?? '.'}
            onLetter={letter => onPattern(withLetter(pattern, comparison.runs.length, no, letter))}
          />
        ),
        width: isBeside ? narrowRunWidth : runWidth,
        grow: true,
        cell: row => <Cell cell={row.cells[no]} isChosen={run.id === chosenId} lines={lines} />,
      }),
    ),
  ]
  return isBeside ? columns.filter(({ id }) => !inPanel.has(id)) : columns
}

interface RunHeadProps {
  readonly run: ComparedRun
  readonly letter: string
  readonly onLetter: (letter: string) => void
}

function RunHead({ run, letter, onLetter }: RunHeadProps) {
  const filtered = letter !== '.'
  const label = showHidden(run.label)
  return (
    <span className="matrix-head">
      <span title={run.baseline ? `${label} (baseline)` : label}>
        <UntrustedText text={run.label} layout="name" />
        {run.baseline ? <span className="quiet">baseline</span> : null}
      </span>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            size={20}
            variant={filtered ? 'light' : 'subtle'}
            {...(filtered ? {} : { color: 'gray' })}
            aria-label={`Filter by the verdicts of ${label}`}
          >
            {filtered ? <IconFilterFilled size={14} aria-hidden /> : <IconFilter size={14} aria-hidden />}
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onLetter('.')} rightSection={filtered ? null : <IconCheck size={14} aria-label="chosen" />}>
            Any verdict
          </Menu.Item>
          {[...verdictWords].map(([verdict, status]) => {
            const own = outcomeCodes[verdict]
            return (
              <Menu.Item
                key={verdict}
                onClick={() => onLetter(own)}
                rightSection={own === letter ? <IconCheck size={14} aria-label="chosen" /> : null}
              >
                <StatusBadge status={status} />
              </Menu.Item>
            )
          })}
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}

interface CellProps {
  readonly cell: MatrixRow['cells'][number] | undefined
  readonly isChosen: boolean
  readonly lines: 1 | 3
}

/** The answer, or where none was extracted the beginning of the output; in tall rows the output beside its verdict. */
function Cell({ cell, isChosen, lines }: CellProps) {
  const status = cell?.verdict ? verdictWords.get(cell.verdict) : undefined
  if (!cell || !status) return <span className="quiet">no such task</span>
  const text = lines === 1 ? (cell.answer ?? cell.output_preview) : (cell.output_preview ?? cell.answer)
  return (
    <span className="matrix-cell" data-run={cell.run_id} data-chosen={isChosen}>
      <StatusBadge status={status} bare />
      {cell.verdict === 'partial' ? <span className="num">{scoreText(cell.value)}</span> : null}
      {text === null ? <span className="quiet">{status.word.toLowerCase()}</span> : <CellText text={text} lines={lines} />}
    </span>
  )
}

function CellText({ text, lines }: { readonly text: string; readonly lines: 1 | 3 }) {
  return (
    <span className="matrix-text" data-lines={lines}>
      <UntrustedText text={text} layout="inline" />
    </span>
  )
}
