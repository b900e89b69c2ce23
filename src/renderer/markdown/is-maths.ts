import type { Element } from 'hast'

/** Whether the parser took it for maths: a code element with a class that says so. */
export function isMaths({ properties: { className } }: Element): boolean {
  return Array.isArray(className) && className.includes('language-math')
}
