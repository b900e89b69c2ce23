import { useEffect } from 'react'
import { useNavigate } from 'react-router'

/** What menu items of the desktop app open on the page. */
export interface DesktopOpeners {
  readonly palette: () => void
  readonly help: () => void
  readonly find: () => void
}

/** Carries out menu items of the desktop app, and shows the pages that it asks for; does nothing in a browser. */
export function useDesktopCommands({ palette, help, find }: DesktopOpeners): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      window.assay?.onCommand(command => {
        if (command === 'command-palette') palette()
        else if (command === 'help') help()
        else if (command === 'find') find()
        else if (command === 'new-quote') void navigate('/quotes/new')
        else if (command === 'settings') void navigate('/settings')
        else if (command === 'feedback') void navigate('/feedback')
      }),
    [navigate, palette, help, find],
  )
  // The router and not the address: a page with unsaved input may ask first.
  useEffect(() => window.assay?.onOpen(path => void navigate(path)), [navigate])
}
