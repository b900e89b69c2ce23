import './datasets.css'
import type { ReactNode } from 'react'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { originWords, reviewStatuses } from './dataset-words.ts'

type Agreement = NonNullable<Dataset['agreement']>
type Pair = Agreement['pairs'][number]

const pairColumns: readonly Column<Pair>[] = [
  { id: 'a', title: 'Annotator', width: 140, rowHeader: true, cell: pair => <UntrustedText text={pair.a} layout="prose" /> },
  { id: 'b', title: 'And', width: 140, cell: pair => <UntrustedText text={pair.b} layout="prose" /> },
  { id: 'kappa', title: 'Cohen’s kappa', width: 110, align: 'end', cell: ({ kappa }) => figure(kappa.mean) },
  { id: 'interval', title: '95 % interval', width: 130, align: 'end', cell: ({ kappa }) => intervalText(kappa.interval) },
  { id: 'n', title: 'n', width: 72, align: 'end', cell: ({ kappa }) => formatCount(kappa.n) },
]

/** What the dataset holds, how it is labeled, and how far its annotators agree. */
export function DatasetOverview({ dataset }: { readonly dataset: Dataset }) {
  const { counts, label_coverage: coverage, agreement, origins } = dataset
  return (
    <>
      <Section title="Contents">
        <div className="dataset-figures">
          <Figures title="Review">
            {(['draft', 'in_review', 'approved', 'rejected'] as const).map(state => (
              <Row key={state} name={<StatusBadge status={reviewStatuses[state]} />} value={counts[state]} />
            ))}
          </Figures>
          <Figures title="Labels">
            <Row name="Labeled" value={coverage.labeled} />
            {coverage.tied > 0 ? <Row name="Tied" value={coverage.tied} /> : null}
            <Row name="Without a label" value={coverage.unlabeled} />
          </Figures>
          {coverage.values.length > 0 && coverage.labeled > 0 ? (
            <Figures title="Consensus labels">
              {coverage.values.map(({ value, examples }) => (
                <Row key={value} name={<UntrustedText text={value} layout="inline" />} value={examples} />
              ))}
            </Figures>
          ) : null}
          {origins.length > 0 ? (
            <Figures title="Sources">
              {origins.map(({ kind, examples }) => (
                <Row key={kind} name={new Map<string, string>(Object.entries(originWords)).get(kind) ?? kind} value={examples} />
              ))}
            </Figures>
          ) : null}
        </div>
      </Section>
      <Section title="Agreement between annotators">{agreement ? <AgreementFigures agreement={agreement} /> : <NoAgreement />}</Section>
    </>
  )
}

function NoAgreement() {
  return <p className="quiet">No example has labels of two annotators yet.</p>
}

function AgreementFigures({ agreement: { alpha, pairs } }: { readonly agreement: Agreement }) {
  return (
    <>
      <p>
        Krippendorff’s alpha{' '}
        <strong className="num" data-testid="alpha">
          {figure(alpha.mean)}
        </strong>{' '}
        <span className="quiet num">
          {alpha.interval ? `95 % interval ${intervalText(alpha.interval)}, ` : ''}n = {formatCount(alpha.n)}
        </span>
      </p>
      {[alpha.reason, ...alpha.cautions]
        .filter(note => note !== null)
        .map(note => (
          <p key={note} className="quiet">
            {note}
          </p>
        ))}
      {pairs.length > 0 ? (
        <PlainTable label="Agreement by pair" columns={pairColumns} rows={pairs} rowId={({ a, b }) => `${a}\n${b}`} />
      ) : null}
    </>
  )
}

function Figures({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3>{title}</h3>
      <dl aria-label={title}>{children}</dl>
    </div>
  )
}

function Row({ name, value }: { readonly name: ReactNode; readonly value: number }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="num">{formatCount(value)}</dd>
    </>
  )
}

function figure(value: number | null): string {
  return value === null ? '–' : formatNumber(value, 3)
}

function intervalText(interval: { readonly low: number; readonly high: number } | null): string {
  return interval === null ? '–' : `${formatNumber(interval.low, 3)} to ${formatNumber(interval.high, 3)}`
}
