/** Cells from a spreadsheet: rows by line, columns by tab; a cell with line breaks is quoted. */
import type { Attribute } from '../../../object/values/attribute.ts'
import type { Texts } from '../../../object/values/draft.ts'

export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)!.push(cell)
    cell = ''
  }
  const source = text.replaceAll('\r\n', '\n').replace(/\n$/, '')
  for (let i = 0; i < source.length; i++) {
    const sign = source[i]!
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (source[i + 1] === '"') {
        cell += '"'
        i++
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === '\t') endCell()
    else if (sign === '\n') {
      endCell()
      rows.push([])
    } else cell += sign
  }
  endCell()
  return rows
}

/** The value of a cell: labels become keys, lists are divided at the bar, and Yes and No are understood. */
export function textsOfCell(
  text: string,
  { dataType, multiple, options }: Pick<Attribute, 'dataType' | 'multiple' | 'options'>,
): Texts {
  const keyOf = (label: string) =>
    options?.find((one) => one.label.toLocaleLowerCase() === label.toLocaleLowerCase())?.value ?? label
  const parts = (multiple ? text.split('|') : [text]).map((part) => part.trim()).filter(Boolean)
  if (dataType === 'boolean') return parts.map((part) => (/^(true|yes|ja|wahr|1|x)$/i.test(part) ? 'true' : 'false'))
  if (dataType === 'number') return parts.map((part) => part.replace(',', '.'))
  return parts.map(keyOf)
}
