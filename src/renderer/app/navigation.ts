import { type Icon, IconBooks, IconCpu, IconHome, IconPlayerPlay, IconSettings } from '@tabler/icons-react'

export interface Destination {
  readonly to: string
  readonly label: string
  readonly icon: Icon
  /** More words that find it in the command palette. */
  readonly keywords: string
}

/** The left rail, top to bottom. Only pages that exist. */
export const destinations: readonly Destination[] = [
  { to: '/', label: 'Home', icon: IconHome, keywords: 'start overview dashboard' },
  { to: '/catalog', label: 'Catalog', icon: IconBooks, keywords: 'benchmarks tasks profiles datasets' },
  { to: '/models', label: 'Models', icon: IconCpu, keywords: 'routes connections baselines providers endpoints' },
  { to: '/runs', label: 'Runs', icon: IconPlayerPlay, keywords: 'results samples jobs' },
  { to: '/settings', label: 'Settings', icon: IconSettings, keywords: 'theme about data folder sign out' },
]

export interface Command {
  readonly to: string
  readonly label: string
  readonly description: string
}

/** Actions of the command palette beside the pages themselves. */
export const commands: readonly Command[] = [
  { to: '/quotes/new', label: 'New quote', description: 'Check compatibility and cost, then run' },
  { to: '/catalog/import', label: 'Import benchmark data', description: 'From JSONL, JSON or CSV files' },
  { to: '/models/connections/new', label: 'New connection', description: 'Register an OpenAI-compatible endpoint' },
]
