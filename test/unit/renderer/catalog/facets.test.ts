import { describe, expect, test } from 'vitest'
import type { Benchmark } from '../../../../src/contract/catalog/benchmarks.schemas.ts'
import { applyFacets, facetOptions, type FacetChoice } from '../../../../src/renderer/catalog/facets.ts'

type Part = Pick<Benchmark, 'slug' | 'runner' | 'capabilities' | 'status'> & { ready: boolean }

function benchmark({ ready, slug, ...part }: Part): Benchmark {
  return {
    ...part,
    slug,
    provider: 'assay',
    name: slug,
    title: slug,
    summary: '',
    origin: 'bundled',
    license: { name: 'MIT', url: null },
    latest_version: null,
    quote_availability: ready ? { status: 'ready_for_quote', reasons: [] } : { status: 'data_required', reasons: ['Import the data.'] },
    profile_ids: [],
  }
}

const catalog = [
  benchmark({ slug: 'a', runner: 'inspect', capabilities: ['arithmetic', 'reasoning'], status: 'active', ready: true }),
  benchmark({ slug: 'b', runner: 'lm-eval', capabilities: ['reasoning'], status: 'active', ready: false }),
  benchmark({ slug: 'c', runner: 'lm-eval', capabilities: ['reading'], status: 'retired', ready: true }),
]
const anything: FacetChoice = { runner: '', capability: '', status: '', runnable: false }

describe('facets of the catalog', () => {
  test('keep what agrees with every choice', () => {
    const slugs = (choice: Partial<FacetChoice>) => applyFacets(catalog, { ...anything, ...choice }).map(({ slug }) => slug)
    expect(slugs({})).toEqual(['a', 'b', 'c'])
    expect(slugs({ capability: 'reasoning' })).toEqual(['a', 'b'])
    expect(slugs({ runner: 'lm-eval', runnable: true })).toEqual(['c'])
    expect(slugs({ status: 'nonsense' })).toEqual([])
  })

  test('count what the other choices leave, so that no option leads to nothing', () => {
    expect(facetOptions(catalog, { ...anything, runner: 'inspect', status: 'active' }, 'runner')).toEqual([
      { value: 'inspect', label: 'inspect (1)' },
      { value: 'lm-eval', label: 'lm-eval (1)' },
    ])
    expect(facetOptions(catalog, { ...anything, status: 'retired' }, 'capability')).toEqual([{ value: 'reading', label: 'reading (1)' }])
  })
})
