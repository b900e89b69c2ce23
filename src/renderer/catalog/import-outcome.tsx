import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { importStatuses } from '../ui/values/statuses.ts'
import { benchmarkAddress } from './catalog-links.ts'
import { keptMedia } from './fetch-media-choice.tsx'
import { ImportErrors } from './import-errors.tsx'
import { ImportProgress } from './import-progress.tsx'
import type { ImportAttempt } from './imports.queries.ts'

interface ImportOutcomeProps {
  readonly attempt: ImportAttempt
  /** Why it cannot be imported yet; null: it can. */
  readonly blocked: string | null
  readonly onImport: () => void
}

/** The button that imports, how far it has got, and where the result is. */
export function ImportOutcome({ attempt, blocked, onImport }: ImportOutcomeProps) {
  const { record, busy, error } = attempt
  if (record?.status === 'imported') return <Imported record={record} />
  return (
    // No section of its own: the button stays in view within what is around it.
    <>
      {busy ? <ImportProgress attempt={attempt} /> : null}
      {record?.status === 'failed' && !busy ? <Failed record={record} /> : null}
      {error ? <ErrorState error={error} title="The import did not go through" /> : null}
      <FormActions>
        <ReasonedButton blocked={blocked} loading={busy} onClick={onImport}>
          Import
        </ReasonedButton>
        {blocked === null || busy ? null : <span className="quiet small">{blocked}</span>}
      </FormActions>
    </>
  )
}

function Failed({ record }: { readonly record: ImportRecord }) {
  const place = useRef<HTMLDivElement>(null)
  // The button that was pressed stays in view over whatever is below it.
  useEffect(() => {
    // A person may be typing elsewhere by now.
    if (!document.activeElement?.matches('input, textarea')) place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'start' })
  }, [record])
  return (
    <div ref={place} className="stack" tabIndex={-1}>
      <div className="row">
        <StatusBadge status={importStatuses.failed} />
        <span>Nothing was imported. {keptMedia(record)}</span>
      </div>
      <ImportErrors record={record} />
    </div>
  )
}

export function Imported({ record }: { readonly record: ImportRecord }) {
  const tasks = record.rows.valid - (record.rows.examples ?? 0)
  const next = useRef<HTMLAnchorElement>(null)
  // The button that imported is gone: the next step takes its focus, unless a person went on elsewhere.
  useEffect(() => {
    if (document.activeElement === document.body) next.current?.focus()
  }, [])
  return (
    <Section title="Import" aside={<StatusBadge status={importStatuses[record.status]} />}>
      <output>
        {record.already_present
          ? 'The same content was imported before, so its version is used and nothing was stored twice.'
          : `${formatCount(tasks)} ${tasks === 1 ? 'task is' : 'tasks are'} in the catalog.`}
      </output>
      {record.slug ? (
        <div>
          <Button ref={next} component={Link} to={benchmarkAddress(record.slug)}>
            Open the benchmark
          </Button>
        </div>
      ) : null}
    </Section>
  )
}
