import { byId } from './dom.mts'

const themes = ['system', 'light', 'dark'] as const

/** A button that cycles through the themes. The choice is not stored: a file has no storage of its own. */
export function setUpTheme(): void {
  const button = byId('theme', HTMLButtonElement)
  let chosen = 0
  const show = () => {
    const theme = themes[chosen] ?? 'system'
    button.textContent = `Theme: ${theme}`
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }
  button.addEventListener('click', () => {
    chosen = (chosen + 1) % themes.length
    show()
  })
  button.hidden = false
  show()
}
