import type { BenchmarkDetail } from '../../contract/catalog/benchmarks.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

type Described = Pick<BenchmarkDetail, 'description' | 'how_made' | 'known_limits'>

/** What a benchmark or environment states of itself; what it leaves empty has no section. */
export function BenchmarkDescription({ benchmark: { description, how_made, known_limits } }: { readonly benchmark: Described }) {
  return (
    <>
      <Prose title="What it measures" text={description} />
      <Prose title="How it was made" text={how_made} />
      {known_limits.length === 0 ? null : (
        <Section title="Known limits">
          <ul className="prose" style={{ margin: 0, paddingLeft: 20 }}>
            {known_limits.map(limit => (
              <li key={limit}>
                <UntrustedText text={limit} layout="prose" />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function Prose({ title, text }: { readonly title: string; readonly text: string }) {
  if (text.trim() === '') return null
  return (
    <Section title={title}>
      <div className="prose">
        <UntrustedText text={text} layout="prose" />
      </div>
    </Section>
  )
}
