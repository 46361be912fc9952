/** What readers of files give: rows of a table, or objects as messages have them. A number counts from 1 in the file. */
export type SourceRow =
  | { readonly number: number; readonly cells: readonly string[] }
  | { readonly number: number; readonly container: string; readonly item: object }
  | { readonly number: number; readonly fault: string }

export interface Source {
  /** The headings of a table; none for messages. */
  readonly headings?: readonly string[]
  readonly rows: AsyncIterable<SourceRow>
}

export type Bytes = AsyncIterable<Buffer>

/** More than this in one cell or line is a mistake of the sender. */
export const maxCell = 4 * 1024 * 1024
export const maxColumns = 2000
