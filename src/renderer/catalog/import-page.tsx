import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { type BegunImport, FileImport } from './file-import.tsx'
import { mainFile, recognize } from './import-form.ts'
import { RecipeImport } from './recipe-import.tsx'
import { holdsWorld } from '../worlds/recognize-world.ts'
import { WorldImport } from '../worlds/world-import.tsx'

/** Data for a recipe, a benchmark of one's own, or an environment. Nothing is stored before the reader has seen what it will be. */
export function ImportPage() {
  const { get, set } = useAddress()
  const [begun, setBegun] = useState<BegunImport>({ files: [], format: null })
  const recipe = get('recipe')
  const own = get('own')
  const kind = own === 'yes' ? 'own' : own === 'environment' ? 'environment' : 'recipe'
  const beginWorld = (files: readonly File[]): void => {
    setBegun({ files, format: null })
    set({ own: 'environment', recipe: null })
  }
  const beginOwn = async (files: readonly File[]): Promise<void> => {
    if (await holdsWorld(files)) return beginWorld(files)
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
        description={
          kind === 'environment'
            ? 'Files become a draft in the editor. What is left out is named; nothing is stored until you save.'
            : 'Files are checked line by line and imported as a new version, all or nothing. Nothing is downloaded until you press Download.'
        }
      />
      <Section title="Kind of data">
        <SegmentedControl
          aria-label="Kind of data"
          style={{ alignSelf: 'flex-start' }}
          data={[
            { value: 'recipe', label: 'Data for a public benchmark' },
            { value: 'own', label: 'A benchmark of my own' },
            { value: 'environment', label: 'An environment' },
          ]}
          value={kind}
          onChange={value => {
            setBegun({ files: [], format: null })
            if (value === 'recipe') set({ own: null })
            else set({ own: value === 'own' ? 'yes' : value, recipe: null })
          }}
        />
      </Section>
      {kind === 'environment' ? (
        <WorldImport begun={begun.files} />
      ) : kind === 'own' ? (
        <FileImport begun={begun} onWorld={beginWorld} />
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
