/** The values of Electron's `nativeTheme.themeSource`; the page follows it through `prefers-color-scheme`. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
