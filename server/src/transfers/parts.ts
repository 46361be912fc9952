/**
 * Cells that are made of others, and parts of cells:
 *
 *   rule of the column                      cells                  cell
 *   template "{Brand} {Model}"              Brand: Sea, Model: 7   Sea 7
 *   split "x", part 1                       20x30x5                30
 *   split ",", join " / "                   red, blue              red / blue
 *
 * A template fills a column that the file does not have. Exports write such a column with its value, and an import of that
 * file reads it as it is. A part of a cell cannot be written, so exports leave such a column out.
 */
import type { Infer, TransferColumn } from '@kontor/contract'

type Column = Infer<typeof TransferColumn>

const placeholder = /\{([^{}]+)\}/g

/** The headings that a template names. */
export const headingsIn = (template: string): string[] =>
  [...template.matchAll(placeholder)].map(([, heading]) => heading!.trim())

/** Empty if all its cells are. */
export function fillTemplate(template: string, cellOf: (heading: string) => string): string {
  let isEmpty = true
  const text = template.replaceAll(placeholder, (_, heading: string) => {
    const cell = cellOf(heading.trim()).trim()
    if (cell !== '') isEmpty = false
    return cell
  })
  return isEmpty ? '' : text.trim()
}

/** Takes a part of a cell, or joins its parts; undefined if the column uses whole cells. */
export function partsOf({ split, part, join }: Column): ((cell: string) => string) | undefined {
  if (split === undefined || (part === undefined && join === undefined)) return undefined
  return (cell) => {
    const parts = cell.split(split).map((one) => one.trim())
    return part === undefined ? parts.filter((one) => one !== '').join(join) : (parts[part] ?? '')
  }
}

/** Whether an export can write the column so that an import reads the same value. */
export const isWritable = (column: Column): boolean => column.template !== undefined || !partsOf(column)
