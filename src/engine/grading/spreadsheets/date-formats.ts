/** Built-in number formats that show dates or times. */
export const dateFormats: ReadonlySet<number> = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47])

/** Whether a format of the workbook's own shows a date or a time: it has a letter for one outside quotes and brackets. */
export function isDateFormat(code: string): boolean {
  const [first = ''] = code.split(';')
  const bare = first.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]{0,255}\]/gi, '')
  return /[dmhys]/i.test(bare)
}
