/** Opens the file of an import by its format and interprets its columns. */
import { Product } from '@kontor/contract'
import type { Context } from '../core/context.ts'
import type { RetrieveDefinitions } from './needs.ts'
import { Problem } from '../errors.ts'
import { readFile, withCopy } from './files.ts'
import { type AttributeKind, columnOf, type Plan, toPlan } from './plan.ts'
import { keepsFormulas } from './formulas.ts'
import { readCsv } from './read/csv.ts'
import { readJsonLines, readXml } from './read/messages.ts'
import { createDetector } from './read/encoding.ts'
import { type Bytes, createGauge, type Gauge, type Source } from './read/source.ts'
import { readXlsx } from './read/xlsx.ts'
import { openZip, type Zip } from './read/zip.ts'
import { type Encoding, givenEncoding, type TransferFormat } from './options.ts'
import { setEncoding, type TransferRow } from './transfers.sql.ts'

export interface Opened {
  readonly source: Source
  /** For a table. */
  readonly plan: Plan | undefined
  /** The zip that contains the file, for its media. */
  readonly zip: Zip | undefined
  /** The share of the file that has been read, from 0 to 1. */
  share(): number
}

/** By the extension of a name. */
export const formatOf = (name: string): TransferFormat | undefined =>
  (['csv', 'xlsx', 'xml', 'jsonl', 'zip'] as const).find((format) => name.toLowerCase().endsWith(`.${format}`)) ??
  (/\.(ndjson|jsonlines)$/i.test(name) ? 'jsonl' : /\.(tsv|txt)$/i.test(name) ? 'csv' : undefined)

export interface PlainFile {
  readonly format: TransferFormat
  readonly size: number
  /** The bytes from the beginning. */
  open(): Promise<Bytes>
}

/** A workbook, or another file alone or in a zip. */
type ImportFile = { readonly book: Zip } | { readonly plain: PlainFile; readonly zip?: Zip }

export function withFile<T>(
  { db, config }: Context,
  row: TransferRow,
  work: (file: ImportFile) => Promise<T>,
): Promise<T> {
  if (row.format !== 'zip' && row.format !== 'xlsx')
    return work({ plain: { ...row, open: async () => readFile(db, row.id) } })
  return withCopy(db, config.data, row.id, async (path) => {
    const zip = await openZip(path)
    try {
      if (row.format === 'xlsx') return await work({ book: zip })
      const name = zip.names.find((one) => !one.includes('/') && formatOf(one) !== undefined)
      if (name === undefined)
        throw new Problem('invalid', 'the zip has no data file: one of csv, xml or jsonl must stand at its top')
      return await work({
        plain: { format: formatOf(name)!, size: zip.sizeOf(name), open: () => zip.read(name) },
        zip,
      })
    } finally {
      zip.close()
    }
  })
}

export function withSource<T>(
  ctx: Context,
  definitions: RetrieveDefinitions,
  row: TransferRow,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const gauge = createGauge()
  return withFile(ctx, row, async (file) => {
    const source =
      'book' in file
        ? await readXlsx(file.book, gauge, row.options.profile)
        : await openPlain(ctx, row, gauge, file.plain)
    const plan = source.headings && (await planOf(ctx, definitions, row, source.headings))
    return work({ source, plan, zip: 'book' in file ? undefined : file.zip, share: gauge.share })
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
  if (format === 'jsonl') return readJsonLines(bytes, 'products', Product)
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
    headings.some((heading) => columnOf(heading, profile)?.attr !== undefined) ||
    Object.keys(profile?.constants ?? {}).some((heading) => columnOf(heading)?.attr !== undefined)
  const known = new Map<string, AttributeKind>(
    (needed ? await readDefinitions(ctx, definitions) : []).map(({ tid, type, localized, multiValued }) => [
      tid,
      { type, localized: localized === 'true', multi: multiValued?.value === 'true' },
    ]),
  )
  return toPlan(headings, profile, (attr) => known.get(attr))
}
