import { useEffect } from 'react'
import { useNavigate } from 'react-router'

/** Carries out menu items of the desktop app; does nothing in a browser. */
export function useDesktopCommands(openPalette: () => void, openHelp: () => void): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      window.assay?.onCommand(command => {
        if (command === 'command-palette') openPalette()
        else if (command === 'help') openHelp()
        else if (command === 'new-quote') void navigate('/quotes/new')
        else if (command === 'settings') void navigate('/settings')
        else if (command === 'feedback') void navigate('/feedback')
      }),
    [navigate, openPalette, openHelp],
  )
}
