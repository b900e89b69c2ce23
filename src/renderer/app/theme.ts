import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { chooseByTab } from '../ui/forms/choose-by-tab.ts'
import { holdMark, moveByLetter } from '../ui/forms/move-by-letter.ts'
import { DialogBody } from '../ui/forms/dialog-body.tsx'
import { KeptButton } from '../ui/forms/kept-button.tsx'

/** Motion only where it explains, and short: milliseconds. */
const transition = { duration: 120 }

export const theme = createTheme({
  respectReducedMotion: true,
  fontFamily: "'Inter Variable', system-ui, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, 'Cascadia Mono', Menlo, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.4' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  colors: {
    accent: ['#eef4fb', '#d9e6f5', '#b3cdec', '#88b1e1', '#7fb1ea', '#3f82cf', '#2f74c4', '#1f5fa8', '#174c89', '#103a6b'],
    /** Lifts the grays that Mantine takes from `dark` so that text on them keeps its contrast. */
    dark: ['#e8eaed', '#c9ced3', '#a9b0b8', '#79818a', '#33383d', '#262a2e', '#1e2124', '#17191c', '#121416', '#0c0e0f'],
  },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 7 },
  components: {
    // The document itself never scrolls, so there is nothing to lock; locking would add a style element without a nonce.
    ModalRoot: { defaultProps: { lockScroll: false } },
    Modal: {
      defaultProps: { lockScroll: false, transitionProps: transition, centered: true, closeButtonProps: { 'aria-label': 'Close' } },
    },
    ModalBody: { defaultProps: { component: DialogBody } },
    // Buttons keep the focus while they are disabled.
    Button: { defaultProps: { component: KeptButton } },
    ActionIcon: { defaultProps: { component: KeptButton } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close notification' } } },
    Menu: { defaultProps: { transitionProps: transition, shadow: 'md', position: 'bottom-end' } },
    Tooltip: { defaultProps: { transitionProps: transition, openDelay: 300, withArrow: true, multiline: true, maw: 360 } },
    // A list opens by a click, an arrow or typing: one that a dialog begins with would cover it. What is chosen again stays chosen; a
    // field that may be empty is clearable. Enter takes the first option that typing leaves.
    Select: {
      defaultProps: {
        checkIconPosition: 'right',
        allowDeselect: false,
        selectFirstOptionOnChange: true,
        onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
          chooseByTab(event)
          holdMark(event)
          moveByLetter(event)
        },
        openOnFocus: false,
      },
    },
    Autocomplete: { defaultProps: { openOnFocus: false } },
    TagsInput: { defaultProps: { openOnFocus: false } },
    MultiSelect: {
      defaultProps: {
        openOnFocus: false,
        selectFirstOptionOnChange: true,
        onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
          chooseByTab(event)
          holdMark(event)
        },
      },
    },
    PasswordInput: {
      defaultProps: { visibilityToggleFocusable: true, visibilityToggleButtonProps: { 'aria-label': 'Show or hide the secret' } },
    },
    Loader: { defaultProps: { type: 'dots' } },
  },
})

/** Makes Mantine's own variables speak with our tokens, so that there is one set of colors and one set of contrasts. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-2)',
    '--mantine-color-placeholder': 'var(--ink-2)',
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-error': 'var(--fail)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-default-hover': 'var(--hover)',
  }
  return {
    variables: {},
    // `gray-4` and `dark-4` outline inputs and checkboxes.
    light: { ...shared, '--mantine-color-default': 'var(--surface)', '--mantine-color-gray-4': 'var(--line-strong)' },
    dark: { ...shared, '--mantine-color-default': 'var(--surface-2)', '--mantine-color-dark-4': 'var(--line-strong)' },
  }
}
