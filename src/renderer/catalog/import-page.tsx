import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { type BegunImport, FileImport } from './file-import.tsx'
import { mainFile, recognize } from './import-form.ts'
import { RecipeImport } from './recipe-import.tsx'

/** Data for a recipe, or a benchmark of one's own. Nothing is stored before the reader has seen what it will be. */
export function ImportPage() {
  const { get, set } = useAddress()
  const [begun, setBegun] = useState<BegunImport>({ files: [], format: null })
  const recipe = get('recipe')
  const own = get('own') === 'yes'
  const beginOwn = async (files: readonly File[]): Promise<void> => {
    const main = mainFile(files)
    if (main === null) return
    setBegun({ files, format: await recognize(main) })
    set({ own: 'yes', recipe: null })
  }
  return (
    <Page layout="narrow">
      <PageHeader
        title="Import benchmark data"
        parent={{ title: 'Catalog', to: '/catalog' }}
        description="Files are checked line by line and imported as a new version, all or nothing. Nothing is downloaded until you press Download."
      />
      <Section title="Kind of data">
        <SegmentedControl
          aria-label="Kind of data"
          style={{ alignSelf: 'flex-start' }}
          data={[
            { value: 'recipe', label: 'Data for a public benchmark' },
            { value: 'own', label: 'A benchmark of my own' },
          ]}
          value={own ? 'own' : 'recipe'}
          onChange={value => {
            setBegun({ files: [], format: null })
            set(value === 'own' ? { own: 'yes', recipe: null } : { own: null })
          }}
        />
      </Section>
      {own ? (
        <FileImport begun={begun} />
      ) : (
        <RecipeImport
          key={recipe}
          slug={recipe}
          onChoose={slug => set({ recipe: slug })}
          onOwnFiles={files => void beginOwn(files).catch((error: unknown) => notifyFailed('The file cannot be read', error))}
        />
      )}
    </Page>
  )
}
