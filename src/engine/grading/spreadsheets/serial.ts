const day = 86_400
const start1900 = Date.UTC(1899, 11, 30)
const start1904 = Date.UTC(1904, 0, 1)

/** A date or time as Excel counts it, as the Python literal that openpyxl would give: a time below one day, else a date with time. */
export function serialLiteral(serial: number, is1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_465) return null
  const whole = Math.floor(serial)
  const micros = Math.round((serial - whole) * day * 1e6)
  const seconds = Math.floor(micros / 1e6)
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, ...(micros % 1e6 === 0 ? [] : [micros % 1e6])]
  if (serial < 1 && !is1904) return `datetime.time(${clock.join(', ')})`
  // The calendar of 1900 has a 29 February that never was; days before it are one off.
  const shift = !is1904 && whole < 60 ? 1 : 0
  const date = new Date((is1904 ? start1904 : start1900) + (whole + shift) * day * 1000)
  return `datetime.datetime(${[date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), ...clock].join(', ')})`
}
