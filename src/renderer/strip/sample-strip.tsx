import './strip.css'
import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { Section } from '../ui/page/page-header.tsx'
import { useOwnWidth } from '../ui/page/use-own-width.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import type { Column } from '../ui/table/column.ts'
import { type CountedKind, countKinds } from './outcome-kinds.ts'
import { sampleIdAt, useOutcomes } from './strip.queries.ts'
import { StripCanvas } from './strip-canvas.tsx'

/** Every sample of a run as one cell, in the order of the run: what happened where, at one look. */
export function SampleStrip({ run }: { readonly run: Run }) {
  const codes = useOutcomes(run)
  return codes ? <Strip run={run} codes={codes} /> : null
}

function Strip({ run, codes }: { readonly run: Run; readonly codes: string }) {
  const { ref, width } = useOwnWidth()
  const navigate = useNavigate()
  const [asTable, setAsTable] = useState(false)
  const [sorted, setSorted] = useState(false)
  const kinds = countKinds(codes)
  const samples = `/runs/${run.id}/samples`
  const shown = sorted ? kinds.map(({ code, count }) => code.repeat(count)).join('') : codes
  const open = (index: number): void => {
    const place = sorted ? placeOf(codes, shown, index) : index
    sampleIdAt(run.id, place).then(
      id => void (id !== null && navigate(`${samples}?open=${id}`)),
      (error: unknown) => notifyFailed('Couldn’t load the sample', error),
    )
  }
  const brush = (from: number, to: number): void => void navigate(`${samples}?from=${from + 1}&to=${to + 1}`)
  return (
    <Section
      title="Samples in order"
      aside={
        <span className="row">
          <button type="button" className="strip-toggle" aria-pressed={sorted} onClick={() => setSorted(!sorted)}>
            {sorted ? 'Order of the run' : 'Group by outcome'}
          </button>
          <button type="button" className="strip-toggle" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show as strip' : 'Show as table'}
          </button>
        </span>
      }
    >
      <div ref={ref}>
        {asTable ? (
          <PlainTable label="Samples by outcome" columns={tableColumns(samples, codes.length)} rows={kinds} rowId={kind => kind.verdict} />
        ) : width > 0 ? (
          <StripCanvas
            codes={shown}
            width={width}
            label={`${formatCount(codes.length)} samples: ${kinds.map(({ count, word }) => `${formatCount(count)} ${word}`).join(', ')}`}
            onOpen={open}
            onBrush={sorted ? null : brush}
          />
        ) : null}
      </div>
      <nav className="strip-legend small num" aria-label="Samples by outcome">
        {kinds.map(({ verdict, word, tone, count }) => (
          <Link key={verdict} to={`${samples}?outcome=${verdict}`}>
            <span className="strip-swatch" data-kind={verdict} data-tone={tone} aria-hidden />
            {formatCount(count)} {word}
          </Link>
        ))}
        <span className="quiet strip-hint">{sorted ? 'Click a cell to open it' : 'Click a cell to open it, drag to list a range'}</span>
      </nav>
    </Section>
  )
}

/** The place in the run of a cell of the strip that is grouped by outcome. */
function placeOf(codes: string, grouped: string, index: number): number {
  const code = grouped.charAt(index)
  let place = -1
  for (let left = index - grouped.indexOf(code); left >= 0; left--) place = codes.indexOf(code, place + 1)
  return place
}

function tableColumns(samples: string, total: number): readonly Column<CountedKind>[] {
  return [
    {
      id: 'outcome',
      title: 'Outcome',
      width: 160,
      rowHeader: true,
      cell: ({ verdict, word }) => (
        <Anchor component={Link} inherit to={`${samples}?outcome=${verdict}`}>
          {word}
        </Anchor>
      ),
    },
    { id: 'samples', title: 'Samples', width: 100, align: 'end', cell: ({ count }) => formatCount(count) },
    { id: 'share', title: 'Share', width: 100, align: 'end', cell: ({ count }) => formatPercent(count / total) },
  ]
}
