import { Select } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import type { BenchmarkDetail } from '../../contract/catalog/benchmarks.schemas.ts'
import { FileDrop } from '../ui/forms/file-drop.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { useBenchmark, useBenchmarks } from './catalog.queries.ts'
import { ChosenFiles } from './chosen-files.tsx'
import { chosenMedia, FetchMediaChoice } from './fetch-media-choice.tsx'
import type { ImportFields } from './import-form.ts'
import { blockedImport } from './blocked-import.ts'
import { ImportOutcome } from './import-outcome.tsx'
import { ImportPreview } from './import-preview.tsx'
import { useImport } from './imports.queries.ts'
import { RecipeDownload } from './recipe-download.tsx'
import { RecipeFiles } from './recipe-files.tsx'

interface RecipeImportProps {
  readonly slug: string
  readonly onChoose: (slug: string | null) => void
  /** Takes files that came before a benchmark was chosen. */
  readonly onOwnFiles: (files: readonly File[]) => void
}

export function RecipeImport({ slug, onChoose, onOwnFiles }: RecipeImportProps) {
  const benchmarks = useBenchmarks('')
  const benchmark = useBenchmark(slug || null)
  const recipes = (benchmarks.data ?? []).filter(({ origin }) => origin === 'recipe')
  return (
    <>
      <Section title="Benchmark">
        <Select
          aria-label="Public benchmark"
          placeholder={benchmarks.isPending ? 'Reading the catalog…' : 'Choose a benchmark'}
          searchable
          w={360}
          data={recipes.map(({ slug: value, title: label }) => ({ value, label }))}
          value={slug || null}
          onChange={onChoose}
          nothingFoundMessage="No recipe has this name"
        />
      </Section>
      {slug ? (
        <QueryView query={benchmark} failure="Couldn’t load the recipe">
          {detail =>
            detail.recipe ? (
              <RecipeUpload recipe={detail.recipe} license={detail.license} versions={detail.versions} />
            ) : (
              <Section title="Files">This benchmark needs no data.</Section>
            )
          }
        </QueryView>
      ) : (
        <Section title="Your files">
          <FileDrop
            label="Drop files here, or choose them"
            hint="Choose a benchmark above to add its data. Without one, files are read as a benchmark of your own."
            folders
            onFiles={onOwnFiles}
          />
        </Section>
      )}
    </>
  )
}

type FetchMedia = NonNullable<ImportFields['fetch_media']>
const noMedia: FetchMedia = {}

interface RecipeUploadProps {
  readonly recipe: NonNullable<BenchmarkDetail['recipe']>
  readonly license: BenchmarkDetail['license']
  readonly versions: BenchmarkDetail['versions']
}

function RecipeUpload({ recipe, license, versions }: RecipeUploadProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [base, setBase] = useState<string | null>(null)
  const incomplete = versions.filter(({ parts }) => parts && !parts.complete)
  const [yes, setYes] = useState<{ readonly of: unknown; readonly base: string | null; readonly hosts: FetchMedia }>()
  // A yes is for the files that were shown.
  const fetchMedia = yes?.of === files && yes.base === base ? yes.hosts : noMedia
  const fields = useMemo(
    () => ({ recipe: recipe.id, ...(base ? { extends: base } : {}), ...chosenMedia(fetchMedia) }),
    [recipe.id, base, fetchMedia],
  )
  const preview = useImport('preview')
  const landing = useImport('import')
  const download = useImport('import')
  const { send, forget } = preview
  // What stays in view while media are chosen is of the same files.
  useEffect(() => forget(), [files, base, forget])
  useEffect(() => {
    if (files.length > 0) send({ fields, files })
  }, [files, fields, send])

  const expected = (file: File): string => {
    const match = recipe.files.find(({ file_name }) => file_name === file.name)
    return match ? `recognized as ${match.role}` : 'not a name this recipe knows; the content decides'
  }
  return (
    <>
      <RecipeDownload
        recipe={recipe}
        license={license}
        attempt={download}
        disabled={landing.busy}
        secondary={files.length > 0}
        onStart={() => download.send({ fields: { recipe: recipe.id, fetch: true }, files: [] })}
      />
      <Section title="Required files">
        <RecipeFiles files={recipe.files} />
      </Section>
      <Section title="Your files">
        <FileDrop
          label="Drop the files here, or choose them"
          hint="Files that you have, or that you got from the addresses above with whatever you trust. Parts may come in a zip or tar archive."
          disabled={landing.busy || download.busy}
          onFiles={more => setFiles(before => [...before, ...more])}
        />
        {incomplete.length > 0 ? (
          <Select
            label="Add to"
            description="The parts of that version are kept; with the new ones they make a new version."
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            placeholder="Nothing: only these files"
            clearable
            w={360}
            data={incomplete.map(({ source_ref: value, version, parts }) => ({
              value,
              label: `${version} (${parts?.present.length ?? 0} parts)`,
            }))}
            value={base}
            onChange={setBase}
          />
        ) : null}
        <ChosenFiles files={files} note={expected} onRemove={file => setFiles(before => before.filter(one => one !== file))} />
      </Section>
      <ImportPreview attempt={preview} />
      <FetchMediaChoice record={preview.record} chosen={fetchMedia} onChange={hosts => setYes({ of: files, base, hosts })} />
      <ImportOutcome
        attempt={landing}
        blocked={blockedImport(preview, { files, fields })}
        onImport={() => landing.send({ fields, files })}
      />
    </>
  )
}
