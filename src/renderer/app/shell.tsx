import './shell.css'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { Outlet } from 'react-router'
import { useModelDrop } from '../local-models/use-model-drop.ts'
import { DemoBanner } from '../demo/demo-banner.tsx'
import { CommandPalette } from './command-palette.tsx'
import { FindBar } from './find-bar.tsx'
import { KeyboardHelp } from './keyboard-help.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { Rail } from './rail.tsx'
import { StorageBanner } from './storage-banner.tsx'
import { TopBar } from './top-bar.tsx'
import { useDesktopCommands } from './use-desktop-commands.ts'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'

/** The frame around every page. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  useFocusOnNavigation(main)
  const [palette, { open: openPalette, close: closePalette, toggle: togglePalette }] = useDisclosure(false)
  const [help, { open: openHelp, close: closeHelp }] = useDisclosure(false)
  useHotkeys([['mod+K', togglePalette]], [])
  useHelpKey(openHelp)
  const [finding, { open: openFind, close: closeFind }] = useDisclosure(false)
  useModelDrop()
  useDesktopCommands({ palette: openPalette, help: openHelp, find: openFind })
  return (
    <div className="shell">
      <a className="shell-skip" href="#main">
        Skip to the page
      </a>
      <TopBar onSearch={openPalette} onHelp={openHelp} />
      <Rail />
      <main className="shell-main" id="main" ref={main} tabIndex={-1}>
        <DemoBanner />
        <OfflineBanner />
        <StorageBanner />
        <Outlet />
      </main>
      {finding && window.assay && <FindBar desktop={window.assay} onClose={closeFind} />}
      <CommandPalette opened={palette} onClose={closePalette} />
      <KeyboardHelp opened={help} onClose={closeHelp} />
    </div>
  )
}

/** By the character and not the key: where "?" is on the keyboard differs by country. */
function useHelpKey(open: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable="true"]')
      if (event.key !== '?' || typing || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      open()
    }
    globalThis.addEventListener('keydown', onKeyDown)
    return () => globalThis.removeEventListener('keydown', onKeyDown)
  }, [open])
}
