import './guide.css'
import { Anchor, TextInput } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import { Link, useLocation, useParams } from 'react-router'
import remarkGfm from 'remark-gfm'
import { textField } from '../ui/forms/fields.ts'
import Picture from '../ui/pictures/picture.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { guidePages, searchGuide } from './guide-pages.ts'

/** The guide by task: a list that can be searched, and one page of it. Works offline. */
export function GuidePage() {
  const { slug } = useParams()
  const page = guidePages.find(one => one.slug === slug)
  return page === undefined ? <GuideList /> : <GuideText key={page.slug} title={page.title} text={page.text} />
}

function GuideList() {
  const [query, setQuery] = useState('')
  const found = searchGuide(query)
  return (
    <Page layout="narrow">
      <PageHeader title="Guide" description="What people do with Assay, a page each. Every command can be copied and works as it stands." />
      <TextInput label="Search the guide" type="search" {...textField(query, setQuery)} maxLength={200} />
      {found.length === 0 ? (
        <NoMatches kind="pages" by="search" onClear={() => setQuery('')} />
      ) : (
        <ul className="guide-list" aria-label="Pages">
          {found.map(({ slug, title, line }) => (
            <li key={slug}>
              <Anchor component={Link} to={`/guide/${slug}`}>
                {title}
              </Anchor>
              <div className="quiet">{line}</div>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

function GuideText({ title, text }: { readonly title: string; readonly text: string }) {
  const { hash } = useLocation()
  // For an address that is opened, or followed within the page; the frame does it where the page changes.
  useEffect(() => {
    document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
  return (
    <Page layout="narrow">
      <PageHeader title={title} parent={{ title: 'Guide', to: '/guide' }} />
      <article className="guide prose">
        <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
          {text}
        </ReactMarkdown>
      </article>
    </Page>
  )
}

function textOf(children: ReactNode): string {
  return typeof children === 'string' ? children : ''
}

function idOf(children: ReactNode): string {
  return textOf(children)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
}

const components: Components = {
  h2: ({ children }) => <h2 id={idOf(children)}>{children}</h2>,
  a: ({ href = '', children }) => (
    <Anchor component={Link} to={`/guide/${href}`} underline="always">
      {children}
    </Anchor>
  ),
  img: ({ src = '', alt = '' }) => <Picture name={/pictures\/(\w+)\./.exec(src)?.[1] ?? ''} alt={alt} />,
  code: ({ className, children }) =>
    className === 'language-sh' ? (
      <>
        <code>{children}</code>
        <CopyButton value={textOf(children).trim()} what="commands" />
      </>
    ) : (
      <code>{children}</code>
    ),
}
