import { makeZip } from './make-zip.ts'

/** An xlsx file with the cells of each row of each sheet, as its XML; style 1 is a date. */
export function makeWorkbook(sheets: Readonly<Record<string, readonly (readonly string[])[]>>): Buffer {
  const named = Object.keys(sheets)
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook><sheets>${named.map((name, i) => `<sheet name="${name}" r:id="rId${i}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${named.map((_, i) => `<Relationship Id="rId${i}" Target="worksheets/sheet${i}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      Object.values(sheets).map((rows, i) => [
        `xl/worksheets/sheet${i}.xml`,
        `<worksheet><sheetData>${rows.map(cells => `<row>${cells.join('')}</row>`).join('')}</sheetData></worksheet>`,
      ]),
    ),
  }
  return makeZip(Object.entries(parts).map(([name, text]) => ({ name, content: Buffer.from(text) })))
}
