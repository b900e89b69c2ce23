import { describe, expect, test } from 'vitest'
import { findCommands } from '../../../src/renderer/app/find-commands.ts'

const labels = (query: string) => findCommands(query).map(({ label }) => label)

describe('the command palette', () => {
  test('shows every page and action before anything is typed', () => {
    expect(labels('')).toEqual(expect.arrayContaining(['Home', 'Catalog', 'Models', 'Runs', 'Settings', 'New run', 'New connection']))
  })

  test('puts a name that begins with the words first', () => {
    expect(labels('im')[0]).toBe('Import benchmark data')
    expect(labels('  SETT ')).toEqual(['Settings'])
  })

  test('finds by other words too, all of which must be there', () => {
    expect(labels('endpoint')).toEqual(expect.arrayContaining(['Models', 'New connection']))
    expect(labels('new endpoint')).toEqual(['New connection'])
    expect(labels('zzz')).toEqual([])
  })
})
