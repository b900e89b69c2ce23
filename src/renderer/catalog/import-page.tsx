import { SegmentedControl } from '@mantine/core'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { FileImport } from './file-import.tsx'
import { RecipeImport } from './recipe-import.tsx'

/** Data for a recipe, or a benchmark of one's own. Nothing is stored before the reader has seen what it will be. */
export function ImportPage() {
  const { get, set } = useAddress()
  const recipe = get('recipe')
  const own = get('own') === 'yes'
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
          onChange={value => set(value === 'own' ? { own: 'yes', recipe: null } : { own: null })}
        />
      </Section>
      {own ? <FileImport /> : <RecipeImport key={recipe} slug={recipe} onChoose={slug => set({ recipe: slug })} />}
    </Page>
  )
}
