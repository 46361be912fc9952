/**
 * A layout describes the files of a known system: how its rows become products, articles and variations.
 *
 * A reader returns, for each row, texts by target. A target is a column of Kontor (plan.ts), so everything behind it is
 * the same as for other tables: types, lists, files, faults and the result file. A layout is read twice: the first pass
 * finds out which targets have values, and what is missing in the model (scan.ts).
 */
import type { ExportRequest, Infer, TranslationOrder } from '@kontor/contract'
import type { ProductItem } from '../mapping.ts'
import type { Profile, TransferFormat } from '../options.ts'
import type { AttributeKind, Column } from '../plan.ts'
import type { Bytes, SourceRow } from '../read/source.ts'
import type { NodeView } from './model.ts'
import type { TradeGroup } from './trade.ts'

export interface Target extends Omit<Column, 'heading'> {
  /** The heading or element of the file, for messages, profiles and previews. */
  readonly from: string
  /** The attribute that `createModel` makes if it is missing. The type is guessed from the values by default. */
  readonly make?: { readonly type?: string; readonly multi?: boolean; readonly label?: string }
}

/** An object of the model, such as an attribute definition, instead of a row of products. */
export interface ObjectRow {
  readonly number: number
  readonly container: string
  readonly item: object
  readonly sent?: readonly string[]
}

export interface LayoutRow {
  /** From 1, without gaps, and the same each time the file is read. */
  readonly number: number
  /** The cells as they were sent, for the result file. */
  readonly sent?: readonly string[]
  /** Texts by target. The values of a list are joined by `joinList` with the separator of the scope. */
  readonly entries: readonly (readonly [target: Target, text: string])[]
  readonly faults?: readonly { readonly from: string; readonly reason: string }[]
  /** Whether the file asks to delete the product. */
  readonly isDeletion?: boolean
}

/** The facts that a reader needs about this system. */
export interface LayoutScope {
  readonly profile: Profile | undefined
  readonly separator: string
  /** The locales of content, such as en_GB. */
  readonly locales: readonly string[]
  /** The facts about an attribute that exists or has been made. */
  kindOf(tid: string): AttributeKind | undefined
  /** The attribute with this name in some language, if there is one only. */
  attributeNamed(name: string): string | undefined
  /** Whether attributes and nodes may be created. */
  readonly createModel: boolean
  /** The name in cells of a file that the document names; undefined if the zip does not contain it. */
  fileOf(source: string): string | undefined
  /** Reports content that is not imported. */
  note(place: string, reason: string): void
  /**
   * The path of the node that a category of the file means, by tids or names from the top, with or without the root; of
   * several choices, the first that exists. Throws a Problem if there is no such node, or several. With `createModel`, a missing node is made, and products without
   * a category (no choices) have a node of the layout; otherwise they have none.
   */
  nodeOf(...choices: readonly (readonly string[])[]): string | undefined
  /**
   * The same for categories with codes and names. Nodes that are made have the codes as tids; `isRooted`: the first one is
   * a classification.
   */
  nodeOfGroups(groups: readonly TradeGroup[], isRooted: boolean): string | undefined
  /** The locale of the names that the file gives to nodes and attributes. Default: English. */
  namesAreIn(locale: string): void
  /** The paths of existing nodes with this tid. */
  pathsOf(tid: string): readonly string[]
  /** The path below which a node of the file is made: the parent is in the file before it, or exists. */
  madeUnder(tid: string, parent: string): string
  /** The products that contain these articles, by tid. */
  ownersOf(articles: readonly string[]): Promise<ReadonlyMap<string, string>>
}

export interface TableReader {
  /** Whether a table with these headings has this layout. */
  detects(headings: ReadonlySet<string>): boolean
  /** The heading that the reader uses for this one of another version. Default: the same. */
  readonly toKnown?: (heading: string) => string
  rows(
    headings: readonly string[],
    rows: AsyncIterable<SourceRow>,
    scope: LayoutScope,
  ): AsyncIterable<LayoutRow | ObjectRow>
}

export interface DocumentReader {
  readonly format: 'xml' | 'jsonl'
  /** Whether a file that begins with this text has this layout. */
  detects(head: string): boolean
  /** `open` returns the bytes from the beginning, for a reader that has to look ahead. */
  rows(bytes: Bytes, scope: LayoutScope, open: () => Promise<Bytes>): AsyncIterable<LayoutRow | ObjectRow>
}

/** Reads objects instead of rows of a table. */
export interface ObjectReader {
  readonly format: 'xml'
  detects(head: string): boolean
  rows(bytes: Bytes, scope: Pick<LayoutScope, 'locales' | 'kindOf' | 'note'>): AsyncIterable<SourceRow>
}

export interface WriterScope {
  readonly profile: Profile | undefined
  readonly request: Infer<typeof ExportRequest>
  /** The locales to write, most important first. */
  readonly locales: readonly string[]
  /** The nodes that the user may read. */
  readonly nodes: readonly NodeView[]
  /** The facts about an attribute that the user may read. */
  kindOf(tid: string): AttributeKind | undefined
  /** The name of an attribute, for people. */
  labelOf(attr: string): string | undefined
  /** The texts to translate, with the locale to translate from. */
  readonly translation: (Infer<typeof TranslationOrder> & { readonly source: string }) | undefined
  /** The stale texts of products in a locale, each as the tids from the product to the object and the attribute, in lines. */
  staleIn(tids: readonly string[], locale: string): Promise<ReadonlySet<string>>
  /** The translation of the same text elsewhere, if the export is asked for it. */
  remembered(text: string, isRich: boolean): Promise<string | undefined>
  /** The path of a linked asset of the page; undefined if it is unknown or may not be read. */
  pathOf(tid: string): string | undefined
}

export interface LayoutWriter {
  /** The formats in which it can be exported; in a zip, it has the files that it names. */
  readonly formats: readonly TransferFormat[]
  /** The bytes of the file. Pages have a bounded number of products. Throws a Problem if it cannot be written. */
  write(format: TransferFormat, pages: AsyncIterable<readonly ProductItem[]>, scope: WriterScope): Bytes
}

export interface Layout {
  /** The folder of a zip with the files that products name, and the directory in which they are stored. */
  readonly media?: { readonly folder: string; readonly home: string }
  readonly table?: TableReader
  readonly document?: DocumentReader
  readonly objects?: ObjectReader
  readonly writer?: LayoutWriter
}
