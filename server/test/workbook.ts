/** Workbooks made part by part, as programs other than ours write them. */
import { buffer } from 'node:stream/consumers'
import { toZip } from '../src/adapters/zip.ts'

interface Book {
  /** Sheets in the order of their tabs: the file of each, and its state. */
  readonly sheets?: readonly { readonly file: string; readonly state?: string; readonly type?: string }[]
  /** Elements of the workbook before and after its sheets. */
  readonly before?: string
  readonly after?: string
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const relations = (...all: string[]) => `<Relationships>${all.join('')}</Relationships>`
export const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`

/** The parts that name the others. */
export function bookParts({ sheets = [{ file: 'sheet1.xml' }], before = '', after = '' }: Book = {}) {
  const tabs = sheets.map(({ state }, i) => `<sheet name="S${i}" sheetId="${i + 1}" r:id="rId${i + 1}"${state ? ` state="${state}"` : ''}/>`) // prettier-ignore
  return {
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns:r="r">${before}<sheets>${tabs.join('')}</sheets>${after}</workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation('rS', 'styles', 'styles.xml'),
      relation('rT', 'sharedStrings', '/xl/sharedStrings.xml'),
      ...sheets.map(({ file, type = 'worksheet' }, i) => relation(`rId${i + 1}`, type, `worksheets/${file}`)),
    ),
  }
}

/** The bytes of a workbook with these parts. */
export const workbookOf = (parts: Readonly<Record<string, string>>): Promise<Buffer> =>
  buffer(
    toZip(
      Object.entries(parts).map(([name, text]) => ({
        name,
        compress: true,
        bytes: (async function* () { yield Buffer.from(text) })(), // prettier-ignore
      })),
    ),
  )
