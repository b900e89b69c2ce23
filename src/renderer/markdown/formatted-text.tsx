import { Component, lazy, type ReactNode, Suspense } from 'react'
import { canFormat } from './can-format.ts'

// Loaded with the first transcript that is read: with the TeX parser it weighs as much as several pages.
const Markdown = lazy(() => import('./markdown.tsx'))

interface FormattedTextProps {
  readonly text: string
  /** The text as it is: shown until the formatted one is there, and in its place where it cannot be made. */
  readonly raw: ReactNode
}

/** Untrusted text as Markdown with maths. */
export function FormattedText({ text, raw }: FormattedTextProps) {
  if (!canFormat(text)) return raw
  return (
    <InsteadOfFailure key={text} instead={raw}>
      <Suspense fallback={raw}>
        <Markdown text={text} />
      </Suspense>
    </InsteadOfFailure>
  )
}

interface InsteadProps {
  readonly instead: ReactNode
  readonly children: ReactNode
}

/** Text may be nested deeper than a page can show, and the formatter may fail to load. */
class InsteadOfFailure extends Component<InsteadProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
