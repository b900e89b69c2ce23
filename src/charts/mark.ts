import { createElement as h, type ReactElement } from 'react'

/** The product's sign, the same as the window's and the page's icon. The name is shown beside it. */
export function Mark({ size }: { readonly size: number }): ReactElement {
  return h(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 32 32', width: size, height: size, 'aria-hidden': true, className: 'mark' },
    h('rect', { width: 32, height: 32, rx: 7, fill: '#1f5fa8' }),
    h('path', { d: 'M16 6v20M11 6h10M11 26h10', stroke: '#fff', strokeWidth: 2.5, strokeLinecap: 'round', fill: 'none' }),
    h('circle', { cx: 16, cy: 14, r: 4, fill: '#fff' }),
  )
}
