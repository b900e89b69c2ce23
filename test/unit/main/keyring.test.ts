import { expect, test } from 'vitest'
import { passwordStore } from '../../../src/main/keyring.ts'

const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus' }

test.each(['sway', 'i3', 'Hyprland', 'niri', 'LXQt', ''])('names the keyring on %j, where Chromium would ask none', desktop => {
  expect(passwordStore('linux', { ...bus, XDG_CURRENT_DESKTOP: desktop })).toBe('gnome-libsecret')
})

test.each(['GNOME', 'ubuntu:GNOME', 'KDE', 'X-Cinnamon', 'XFCE', 'COSMIC'])('leaves the choice to Chromium on %s', desktop => {
  expect(passwordStore('linux', { ...bus, XDG_CURRENT_DESKTOP: desktop })).toBeNull()
})

test('names none without a session bus, and none on other systems', () => {
  expect(passwordStore('linux', { XDG_CURRENT_DESKTOP: 'sway' })).toBeNull()
  expect(passwordStore('darwin', bus)).toBeNull()
})
