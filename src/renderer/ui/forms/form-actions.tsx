import './form-actions.css'
import type { ReactNode } from 'react'

/** The buttons of a form on a page, with what came of them. They stay in view while the form is longer than the window. */
export function FormActions({ children }: { readonly children: ReactNode }) {
  return <div className="row form-actions">{children}</div>
}
