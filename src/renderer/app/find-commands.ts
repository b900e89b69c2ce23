import type { Icon } from '../ui/pictures/icons.tsx'
import { commands, destinations } from './navigation.ts'

/** One line of the command palette. */
export interface PaletteEntry {
  readonly to: string
  readonly label: string
  readonly description: string
  readonly icon: Icon | null
  readonly keywords: string
}

const entries: readonly PaletteEntry[] = [
  ...destinations.map(({ to, label, icon, keywords }) => ({ to, label, icon, keywords, description: 'Page' })),
  ...commands.map(({ to, label, description }) => ({ to, label, description, icon: null, keywords: '' })),
]

/** Entries that hold every word of the query; those whose name begins with it first. */
export function findCommands(query: string): readonly PaletteEntry[] {
  const wanted = query.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const holds = ({ label, description, keywords }: PaletteEntry): boolean => {
    const text = `${label} ${description} ${keywords}`.toLowerCase()
    return words.every(word => text.includes(word))
  }
  const rank = ({ label }: PaletteEntry): number => (label.toLowerCase().startsWith(wanted) ? 0 : 1)
  return entries.filter(holds).toSorted((a, b) => rank(a) - rank(b))
}
