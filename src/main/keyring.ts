/** Desktops that Chromium knows a keyring of (`SelectBackend` in its `key_storage_util_linux`). */
const known = new Set(['unity', 'deepin', 'gnome', 'x-cinnamon', 'kde', 'pantheon', 'xfce', 'ukui', 'cosmic'])

/**
 * What `--password-store` must be for the keyring to be used, or null where Chromium finds it. On a desktop that it does not know (sway,
 * i3, Hyprland, niri, LXQt) it asks no keyring, though one that speaks the Secret Service runs in most sessions.
 */
export function passwordStore(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): 'gnome-libsecret' | null {
  if (platform !== 'linux' || !env['DBUS_SESSION_BUS_ADDRESS']) return null
  const desktops = (env['XDG_CURRENT_DESKTOP'] ?? '').toLowerCase().split(':')
  return desktops.some(desktop => known.has(desktop)) ? null : 'gnome-libsecret'
}
