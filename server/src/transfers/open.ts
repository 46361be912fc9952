/** Opens the file of an import by its format and interprets its columns. */
import { because } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import type { RetrieveDefinitions, TransferNeeds } from './needs.ts'
import { applyLayout, type LayoutModel, nameKey, Notes } from './layouts/apply.ts'
import { detectDocument, detectTable, layoutNamed } from './layouts/layouts.ts'
import type { LayoutScope, ObjectReader } from './layouts/layout.ts'
import { findArticleOwners } from './layouts/layouts.sql.ts'
import { repeatedHeadings } from './layouts/parts.ts'
import { type Missing, readNodes } from './layouts/model.ts'
import { fileFinder } from './zip-files.ts'
import { Problem } from '../errors.ts'
import { readFile, withCopy, withFileOf } from './files.ts'
import { type AttributeKind, columnOf, isAmbiguous, type Plan, toPlan } from './plan.ts'
import { keepsFormulas } from './formulas.ts'
import { readCsv } from './read/csv.ts'
import { readJson, readXml } from './read/messages.ts'
import { createDetector } from './read/encoding.ts'
import { type Bytes, createGauge, type Gauge, type Source } from './read/source.ts'
import { readXlsx } from './read/xlsx.ts'
import { openZip, type Zip } from './read/zip.ts'
import {
  type Encoding,
  givenEncoding,
  givenLayout,
  type LayoutName,
  type LayoutNote,
  type TransferFormat,
} from './options.ts'
import { setEncoding, setLayout, type TransferRow } from './transfers.sql.ts'
import { sizesOf } from './units.ts'

export interface Opened {
  readonly source: Source
  /** For a table. */
  readonly plan: Plan | undefined
  /** With `createModel`: what has to be created before the rows. */
  readonly missing?: Missing
  /** For a layout: content of the file that is not imported. */
  readonly notes?: readonly LayoutNote[]
  /** Whether the file names files in any folder of the zip. */
  readonly namesFiles?: boolean
  /** Of a layout: the folder of the zip with files, and their directory. */
  readonly media?: { readonly folder: string; readonly home: string } | undefined
  /** The zip that contains the file, for its media. */
  readonly zip: Zip | undefined
  /** The share of the file that has been read, from 0 to 1. */
  share(): number
}

/** By the extension of a name. */
export const formatOf = (name: string): TransferFormat | undefined =>
  (['csv', 'xlsx', 'xml', 'jsonl', 'zip'] as const).find((format) => name.toLowerCase().endsWith(`.${format}`)) ??
  (/\.(xlf|xliff)$/i.test(name)
    ? 'xml'
    : /\.xlsm$/i.test(name)
      ? 'xlsx'
      : /\.(ndjson|jsonlines|json)$/i.test(name)
        ? 'jsonl'
        : /\.(tsv|txt)$/i.test(name)
          ? 'csv'
          : undefined)

type OpenNeeds = Pick<TransferNeeds, 'retrieveDefinitions' | 'retrieveClasses' | 'contentLocales' | 'selectProducts'>

export interface PlainFile {
  readonly format: TransferFormat
  readonly size: number
  /** The bytes from the beginning. */
  open(): Promise<Bytes>
}

/** A workbook, or another file alone or in a zip. */
type ImportFile = { readonly zip?: Zip } & ({ readonly book: Zip } | { readonly plain: PlainFile })

export function withFile<T>(
  { db, config }: Context,
  row: TransferRow,
  work: (file: ImportFile) => Promise<T>,
): Promise<T> {
  if (row.format !== 'zip' && row.format !== 'xlsx')
    return work({ plain: { ...row, open: async () => readFile(db, row.id) } })
  return withCopy(db, config.data, row.id, (path) =>
    withZip(path, async (zip) => {
      if (row.format === 'xlsx') return work({ book: zip })
      const name = tableIn(zip)
      if (formatOf(name) === 'xlsx')
        return withFileOf(config.data, await zip.read(name), (copy) => withZip(copy, (book) => work({ book, zip })))
      return work({ plain: { format: formatOf(name)!, size: zip.sizeOf(name), open: () => zip.read(name) }, zip })
    }),
  )
}

async function withZip<T>(path: string, work: (zip: Zip) => Promise<T>): Promise<T> {
  const zip = await openZip(path)
  try {
    return await work(zip)
  } finally {
    zip.close()
  }
}

/** The largest workbook in a zip, in bytes: it is copied to disk. */
const maxBook = 1024 * 1024 * 1024

/** The name of the data file at the top of a zip. A text besides it is taken for a note to people. */
function tableIn({ names, sizeOf }: Zip): string {
  const found = names.filter((name) => /^[^./][^/]*$/.test(name) && ![undefined, 'zip'].includes(formatOf(name)))
  const data = found.filter((name) => !/\.txt$/i.test(name))
  const [name, ...others] = data.length > 0 ? data : found
  if (name === undefined) throw new Problem('invalid', because('zipNoTable'))
  if (others.length > 0)
    throw new Problem('invalid', `the zip has several data files at its top: ${[name, ...others].slice(0, 10).join(', ').slice(0, 300)}; import each of them alone`) // prettier-ignore
  if (formatOf(name) === 'xlsx' && sizeOf(name) > maxBook)
    throw new Problem('invalid', `${name} in the zip is larger than ${maxBook} bytes; save it as CSV`)
  return name
}

/** A file that can be read several times. */
interface OpenFile {
  read(): Promise<Source>
  /** Of a document: its bytes. */
  readonly document?: { readonly format: TransferFormat; open(): Promise<Bytes> }
}

const openFile = (ctx: Context, row: TransferRow, gauge: Gauge, file: PlainFile): OpenFile => ({
  read: () => openPlain(ctx, row, gauge, file),
  ...(file.format !== 'csv' && {
    document: { format: file.format, open: async () => gauge.over(await file.open(), file.size) },
  }),
})

/** Characters in which a document shows its layout. */
const headSize = 4096

/** The given layout; plain if a profile maps the columns of a table; else the one that the file shows, found once. */
async function layoutOf({ db }: Context, { id, options }: TransferRow, file: OpenFile): Promise<LayoutName> {
  const given = givenLayout(options)
  if (given) return given
  if (options.profile?.columns && !file.document) return 'plain'
  if (options.layout) return options.layout
  const found = file.document
    ? detectDocument(file.document.format, await headOf(await file.document.open()))
    : detectTable((await file.read()).headings ?? [])
  await setLayout(db, id, found)
  return found
}

async function headOf(bytes: Bytes): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of bytes) {
    pieces.push(piece)
    if ((size += piece.length) >= headSize) break
  }
  return Buffer.concat(pieces).toString('utf8', 0, headSize)
}

async function openLayout(
  ctx: Context,
  needs: OpenNeeds,
  { options }: TransferRow,
  file: OpenFile,
  name: LayoutName,
  zip?: Zip,
) {
  const { table, document } = layoutNamed(name)
  const definitions = await readDefinitions(ctx, needs.retrieveDefinitions)
  const model: LayoutModel = {
    kinds: kindsOf(definitions),
    named: namesOf(definitions),
    fileOf: fileFinder(zip),
    nodes: await readNodes(ctx, needs.retrieveClasses),
    locales: await needs.contentLocales(ctx),
    ownersOf: async (tids) =>
      new Map(
        (await findArticleOwners(ctx.db, tids, await needs.selectProducts(ctx, {}))).map(({ article, product }) => [
          article,
          product,
        ]),
      ),
  }
  if (file.document) {
    const { format, open } = file.document
    if (document?.format !== format) throw new Problem('invalid', `layout: ${name} cannot be read from ${format}`)
    const rows = async (scope: LayoutScope) => document.rows(await open(), scope, open)
    return { ...(await applyLayout(name, model, options, undefined, rows)), namesFiles: format === 'xml' }
  }
  if (!table) throw new Problem('invalid', `layout: ${name} cannot be read from a table`)
  const { headings = [] } = await file.read()
  const repeated = repeatedHeadings(headings, table.toKnown)
  const applied = await applyLayout(name, model, options, headings, async (scope) =>
    table.rows(headings, (await file.read()).rows, scope),
  )
  const { plan } = applied
  return { ...applied, plan: { ...plan, faults: new Map([...plan.faults, ...repeated]) } }
}

/** The first pass finds out what is not imported. */
async function openObjects(ctx: Context, needs: OpenNeeds, { document }: OpenFile, name: string, reader: ObjectReader) {
  if (document?.format !== reader.format) throw new Problem('invalid', `layout: ${name} cannot be read from this file`)
  const kinds = kindsOf(await readDefinitions(ctx, needs.retrieveDefinitions))
  const notes = new Notes()
  const scope = {
    locales: await needs.contentLocales(ctx),
    kindOf: (tid: string) => kinds.get(tid),
    note: (place: string, reason: string) => notes.add(place, reason),
  }
  const rows = async function* () {
    yield* reader.rows(await document.open(), scope)
  }
  for await (const _ of rows());
  notes.close()
  return { source: { rows: { [Symbol.asyncIterator]: rows } }, plan: undefined, notes: notes.list }
}

const fileOf = (ctx: Context, row: TransferRow, gauge: Gauge, given: ImportFile): OpenFile =>
  'book' in given
    ? { read: () => readXlsx(given.book, gauge, row.options.profile) }
    : openFile(ctx, row, gauge, given.plain)

/** Detects the layout of a file that has arrived, so that people see it before they start the import. */
export async function findLayout(ctx: Context, row: TransferRow): Promise<void> {
  await withFile(ctx, row, (given) => layoutOf(ctx, row, fileOf(ctx, row, createGauge(), given)))
}

/** Opens the file of an import as its layout says. */
export function withSource<T>(
  ctx: Context,
  needs: OpenNeeds,
  row: TransferRow,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const gauge = createGauge()
  const { share } = gauge
  return withFile(ctx, row, async (given) => {
    const { zip } = given
    const file = fileOf(ctx, row, gauge, given)
    const name = await layoutOf(ctx, row, file)
    if (name !== 'plain') {
      const { media, objects } = layoutNamed(name)
      if (objects) return work({ ...(await openObjects(ctx, needs, file, name, objects)), zip, share })
      const home = row.options.profile?.mediaPath
      const placed = media && { ...media, ...(home !== undefined && { home }) }
      return work({ ...(await openLayout(ctx, needs, row, file, name, zip)), media: placed, zip, share })
    }
    const source = await file.read()
    const plan = source.headings && (await planOf(ctx, needs.retrieveDefinitions, row, source.headings))
    return work({ source, plan, zip, share })
  })
}

async function openPlain(ctx: Context, row: TransferRow, gauge: Gauge, { format, size, open }: PlainFile) {
  const encoding = format === 'csv' ? await encodingOf(ctx, row, open) : undefined
  const bytes = gauge.over(await open(), size)
  if (encoding)
    return readCsv(bytes, {
      encoding,
      delimiter: row.options.profile?.delimiter,
      headerRow: row.options.profile?.headerRow,
      keepsFormulas: keepsFormulas(row.options),
    })
  if (format === 'xml') return readXml(bytes)
  if (format === 'jsonl') return readJson(bytes)
  throw new Problem('invalid', `a zip cannot contain a ${format} as its table`)
}

/** Found when a CSV was received. The table of a zip is read for it when it is opened for the first time. */
export async function encodingOf(
  { db }: Context,
  { id, options }: TransferRow,
  open: PlainFile['open'],
): Promise<Encoding> {
  if (options.encoding) return options.encoding
  const detector = createDetector()
  for await (const _ of detector.over(await open()));
  const given = givenEncoding(options)
  const encoding = await detector.find(given)
  if (given === undefined) await setEncoding(db, id, encoding)
  return encoding
}

interface Labelled {
  readonly value?: string
  readonly loc?: string
}
export interface Defined {
  readonly tid: string
  readonly type: string
  readonly localized?: string
  readonly multiValued?: { readonly value?: string }
  readonly name?: { readonly itm?: readonly Labelled[] }
  readonly domainVals?: {
    readonly domainVal?: readonly { readonly tid?: string; readonly itm?: readonly Labelled[] }[]
  }
  readonly references?: { readonly itm?: readonly { readonly value?: string; readonly key?: string }[] }
  readonly format?: { readonly unit?: Parameters<typeof sizesOf>[0] }
}

/** The definitions that the caller may read. */
export async function readDefinitions(ctx: Context, retrieve: RetrieveDefinitions) {
  const found: Defined[] = []
  const contents = await retrieve(ctx).catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'notFound') return { attrDefs: [] } // none exist yet
    throw error
  })
  for await (const one of contents.attrDefs as AsyncIterable<object>) found.push(one as Defined)
  return found
}

async function planOf(
  ctx: Context,
  definitions: RetrieveDefinitions,
  { options: { profile } }: TransferRow,
  headings: readonly string[],
): Promise<Plan> {
  const needed =
    headings.some((heading) => isAmbiguous(heading) || columnOf(heading, profile)?.attr !== undefined) ||
    (profile?.columns ?? []).some(({ template, attr }) => template !== undefined && attr !== undefined) ||
    Object.keys(profile?.constants ?? {}).some((heading) => columnOf(heading)?.attr !== undefined)
  const known = kindsOf(needed ? await readDefinitions(ctx, definitions) : [])
  return toPlan(headings, profile, (attr) => known.get(attr))
}

export const kindsOf = (definitions: readonly Defined[]): ReadonlyMap<string, AttributeKind> =>
  new Map(
    definitions.map(({ tid, type, localized, multiValued, domainVals, format }) => [
      tid,
      {
        type,
        localized: localized === 'true',
        multi: multiValued?.value === 'true',
        ...(domainVals?.domainVal?.length && { listed: true }),
        ...(type === 'measure' && { units: sizesOf(format?.unit ?? []) }),
      },
    ]),
  )

/** Attributes by name in any language. */
function namesOf(definitions: readonly Defined[]): ReadonlyMap<string, string | undefined> {
  const names = new Map<string, string | undefined>()
  for (const { tid, name } of definitions)
    for (const key of new Set((name?.itm ?? []).map(({ value = '' }) => nameKey(value))))
      names.set(key, names.has(key) ? undefined : tid)
  return names
}
