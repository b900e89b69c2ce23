import { Button } from '@mantine/core'
import type { BenchmarkDetail } from '../../contract/catalog/benchmarks.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { IconDownload } from '../ui/pictures/icons.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { importStatuses } from '../ui/values/statuses.ts'
import { ImportErrors } from './import-errors.tsx'
import { Imported } from './import-outcome.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportProgress } from './import-progress.tsx'
import type { ImportAttempt } from './imports.queries.ts'

type Recipe = NonNullable<BenchmarkDetail['recipe']>

interface RecipeDownloadProps {
  readonly recipe: Recipe
  readonly license: BenchmarkDetail['license']
  readonly attempt: ImportAttempt
  readonly disabled: boolean
  /** Whether files were chosen, so that importing them is the main action. */
  readonly secondary: boolean
  readonly onStart: () => void
}

/** Has the service fetch what the recipe needs, once the reader has seen from whom and on what terms. */
export function RecipeDownload({ recipe, license, attempt, disabled, secondary, onStart }: RecipeDownloadProps) {
  const { record, busy, error } = attempt
  if (!recipe.can_fetch) {
    return (
      <Section title="Download">
        <div className="quiet">
          Assay cannot download this data: no fixed address answers with it. Open the addresses below in a browser, and import the files
          that you get.
        </div>
      </Section>
    )
  }
  const failed = record?.status === 'failed' && !busy
  return (
    <>
      <Section title="Download" aside={failed ? <StatusBadge status={importStatuses.failed} /> : null}>
        <div className="quiet">{terms(recipe, license)}</div>
        {busy ? <ImportProgress attempt={attempt} /> : null}
        {failed ? <ImportErrors record={record} /> : null}
        {error ? <ErrorState error={error} title="The download did not begin" /> : null}
        <div>
          <Button
            variant={secondary ? 'default' : 'filled'}
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={busy}
            disabled={disabled}
            onClick={onStart}
          >
            {failed || error ? 'Try again' : `Download from ${hostsOf(recipe).join(' and ')}`}
          </Button>
        </div>
      </Section>
      {record?.status === 'imported' && !busy ? (
        <>
          <ImportPreview attempt={attempt} />
          <Imported record={record} />
        </>
      ) : null}
    </>
  )
}

function fetchedOf({ files }: Recipe): Recipe['files'] {
  return files.filter(({ download }) => download !== null)
}

function hostsOf(recipe: Recipe): string[] {
  return [...new Set(fetchedOf(recipe).map(({ url }) => new URL(url).host))]
}

function terms(recipe: Recipe, license: BenchmarkDetail['license']): string {
  const files = fetchedOf(recipe)
  const sizes = files.map(({ download }) => download?.bytes ?? null)
  const known = sizes.every(size => size !== null)
  const count = `${formatCount(files.length)} ${files.length === 1 ? 'file' : 'files'}`
  const size = known ? formatBytes(sizes.reduce((sum, bytes) => sum + bytes, 0)) : 'size unknown'
  const others = [...new Set(files.flatMap(({ download }) => download?.redirect_hosts ?? []))]
  const where = others.length > 0 ? `from the addresses below and where they send on to (${others.join(', ')})` : 'from the addresses below'
  return `${count}, ${size}. License: ${license.name}. Downloaded only ${where}, checked line by line, and imported all or nothing.`
}
