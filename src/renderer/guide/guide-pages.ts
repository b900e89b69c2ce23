export interface GuidePageText {
  /** Last part of its address. */
  readonly slug: string
  readonly title: string
  /** Markdown without the title. */
  readonly text: string
}

/** In the order in which a newcomer meets them; the glossary is last. */
const order = [
  'first-run',
  'look-around',
  'connect-a-model',
  'run-a-gguf-file',
  'read-a-result',
  'compare-two-models',
  'import-your-data',
  'what-a-model-is-shown',
  'trust-a-judge',
  'gate-a-pipeline',
  'decide-a-release',
  'traces-to-tests',
  'write-a-benchmark',
  'use-an-agent',
  'spend-safely',
  'keep-data-safe',
  'glossary',
]

const files: Readonly<Record<string, string>> = import.meta.glob('../../../resources/docs/guide/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

export const guidePages: readonly GuidePageText[] = Object.entries(files)
  .map(([path, source]) => {
    const [first = '', ...rest] = source.split('\n')
    return { slug: path.slice(path.lastIndexOf('/') + 1, -'.md'.length), title: first.replace(/^# /, ''), text: rest.join('\n').trim() }
  })
  .toSorted((a, b) => order.indexOf(a.slug) - order.indexOf(b.slug))

/** Pages that have every word, and the first line with one of them. An empty search finds each page with its first line. */
export function searchGuide(
  query: string,
  pages: readonly GuidePageText[] = guidePages,
): readonly (GuidePageText & { readonly line: string })[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return pages.flatMap(page => {
    const all = `${page.title}\n${page.text}`.toLowerCase()
    if (!words.every(word => all.includes(word))) return []
    const lines = proseOf(page.text)
    const line = lines.find(text => words.some(word => text.toLowerCase().includes(word))) ?? lines[0] ?? ''
    return [{ ...page, line: withoutMarks(line) }]
  })
}

/** Lines outside code, headings and tables. */
function proseOf(text: string): string[] {
  return text
    .split(/^```.*$/m)
    .filter((_, index) => index % 2 === 0)
    .flatMap(part => part.split('\n'))
    .filter(line => /^[\w*`-]/.test(line))
}

function withoutMarks(line: string): string {
  return line.replaceAll(/\[([^\]]{1,80})\]\([^)]{1,80}\)/g, '$1').replaceAll(/[*`]/g, '')
}
