import './markdown.css'
import type { Element } from 'hast'
import { useMemo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { isMaths } from './is-maths.ts'
import { keepArithmetic } from './keep-arithmetic.ts'
import { Maths } from './maths.tsx'
import { withDoubleDollars } from './maths-delimiters.ts'
import { showHiddenText } from './show-hidden-text.ts'

const remarkPlugins = [remarkGfm, [remarkMath, { singleDollarTextMath: false }] as [typeof remarkMath, { singleDollarTextMath: boolean }]]
const rehypePlugins = [showHiddenText]

/**
 * Untrusted Markdown for reading: HTML in it is text, addresses are text beside what they are linked from, pictures are their
 * description, and headings do not become headings of the page.
 */
export default function Markdown({ text }: { readonly text: string }) {
  const source = useMemo(() => keepArithmetic(withDoubleDollars(text)), [text])
  return (
    <div className="untrusted markdown" dir="auto">
      <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins} components={components} urlTransform={asWritten}>
        {source}
      </ReactMarkdown>
    </div>
  )
}

/** No address is ever put into an attribute, so there is nothing to make safe. */
function asWritten(address: string): string {
  return address
}

/** With its signs, which may be what an answer is found by: `#### 60`. */
function Heading({ node, children }: { readonly node?: Element | undefined; readonly children?: ReactNode }) {
  return (
    <p className="markdown-heading">
      <span className="quiet">{'#'.repeat(Number(node?.tagName.slice(1) ?? 1))}</span> {children}
    </p>
  )
}

const components: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: ({ href, children }) => (
    <>
      {children}
      {href === undefined || href.startsWith('#') || textOf(children) === href ? null : <span className="quiet mono"> ({href})</span>}
    </>
  ),
  img: ({ src, alt }) => (
    <span className="quiet">
      [image{alt ? `: ${alt}` : ''} <span className="mono">{typeof src === 'string' ? src : ''}</span>]
    </span>
  ),
  input: ({ checked }) => <span className="mono">{checked ? '[x] ' : '[ ] '}</span>,
  pre: ({ node, children }) => (holdsMaths(node) ? children : <pre className="untrusted untrusted-block">{children}</pre>),
  code: ({ node, className, children }) =>
    node && isMaths(node) ? <Maths tex={sourceOf(node)} display={className?.includes('math-display') === true} /> : <code>{children}</code>,
  table: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll sideways must be reachable by keyboard
    <section className="markdown-table" tabIndex={0} aria-label="Table in the text">
      <table>{children}</table>
    </section>
  ),
}

function textOf(children: ReactNode): string | null {
  return typeof children === 'string' ? children : null
}

function holdsMaths(node: Element | undefined): boolean {
  const [child] = node?.children ?? []
  return child?.type === 'element' && isMaths(child)
}

function sourceOf(node: Element): string {
  return node.children.map(child => (child.type === 'text' ? child.value : '')).join('')
}
