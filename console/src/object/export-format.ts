/** The format of an export: of Kontor itself, or in the layout of another system, by itself or through a mapping profile. */
import { transferFormats, type transferLayouts } from '@kontor/contract'

export type Format = (typeof transferFormats)[number]
export type Layout = (typeof transferLayouts)[number]

export interface ExportFormat {
  readonly format: Format
  /** Undefined: that of the profile, otherwise plain. */
  readonly layout: Layout | undefined
  readonly profile: string | null
}

/** Names of systems and formats, the same in every language. */
export const layoutNames: Readonly<Record<Layout, string>> = {
  plain: 'Kontor',
  akeneo: 'Akeneo',
  shopify: 'Shopify',
  shopware: 'Shopware',
  woocommerce: 'WooCommerce',
  google: 'Google Shopping',
  bmecat: 'BMEcat',
  gs1: 'GS1 XML',
  xliff: 'XLIFF',
}

/** The layouts that exports write, each with its formats. Translations have a form of their own. */
const written = {
  bmecat: ['xml', 'zip'],
  google: ['xml', 'csv'],
  shopify: ['csv'],
} as const satisfies Partial<Record<Layout, readonly Format[]>>
const formatsOf = (layout: Layout): readonly Format[] | undefined => (written as Partial<Record<Layout, readonly Format[]>>)[layout] // prettier-ignore

/** How a choice of the form is written: `csv`, `google:xml`. */
export const choiceOf = (format: Format, layout: Layout): string =>
  layout === 'plain' ? format : `${layout}:${format}`

/** All choices, with their labels. */
export const formatChoices: readonly { readonly value: string; readonly label: string }[] = [
  ...transferFormats.map((format) => ({ value: format, label: format })),
  ...Object.entries(written).flatMap(([layout, formats]) =>
    formats.map((format) => ({
      value: choiceOf(format, layout as Layout),
      label: labelOf(format, layout as Layout),
    })),
  ),
]

export function labelOf(format: Format, layout: Layout): string {
  return `${layoutNames[layout]} (${format})`
}

/** A plain format is said aloud if the profile has a layout of its own. */
export function withChoice<T extends ExportFormat>(value: T, choice: string): T {
  const [first = '', second] = choice.split(':')
  if (second !== undefined) return { ...value, format: second as Format, layout: first as Layout }
  return { ...value, format: first as Format, layout: value.profile === null ? undefined : 'plain' }
}

/** `own`: the layout of the profile. It has priority, as far as exports write it. */
export function withProfile<T extends ExportFormat>(value: T, profile: string | null, own: Layout = 'plain'): T {
  if (own === 'plain') return { ...value, profile }
  const formats = formatsOf(own)
  if (!formats) return { ...value, profile, layout: value.layout ?? 'plain' }
  return { ...value, profile, layout: undefined, format: formats.includes(value.format) ? value.format : formats[0]! }
}

/** Formats of exports that name assets by tid have no pictures. */
export const hasPictures = (format: Format, layout: Layout = 'plain'): boolean =>
  layout === 'plain' ? format !== 'xml' && format !== 'jsonl' : layout !== 'xliff'
