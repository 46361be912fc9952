/** The settings an index was built with, stored with it, to detect when it is outdated. */
import { analysisVersion } from '../analysis/stem.ts'
import type { FieldDefinition, IndexSchema } from '../port.ts'

export interface Mapping {
  readonly analysis: number
  readonly revision: string
  readonly locales: readonly string[]
  readonly defaultLocale: string
  /** By field, the settings that determine its columns and terms. */
  readonly fields: Readonly<Record<string, string>>
}

export function mappingOf({ fields, locales, defaultLocale, revision = '' }: IndexSchema): Mapping {
  return {
    analysis: analysisVersion,
    revision,
    locales,
    defaultLocale,
    fields: Object.fromEntries(fields.map((field) => [field.name, kindOf(field)])),
  }
}

function kindOf({ type, localized, weight, path, long }: FieldDefinition): string {
  return [type, localized && 'localized', weight && 'searched', path && 'path', long && 'long']
    .filter(Boolean)
    .join(' ')
}

/**
 * Whether an index must be rebuilt. New fields have no values in older documents, and removed fields do no harm, so
 * neither requires a rebuild.
 */
export function isOutdated(stored: Mapping, schema: IndexSchema): boolean {
  const current = mappingOf(schema)
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return (
    stored.analysis !== current.analysis ||
    stored.revision !== current.revision ||
    stored.defaultLocale !== current.defaultLocale ||
    !same(stored.locales, current.locales) ||
    Object.entries(current.fields).some(([name, kind]) => (stored.fields[name] ?? kind) !== kind)
  )
}

/** The mapping of an index after new fields were added. */
export function withFieldsOf(stored: Mapping, schema: IndexSchema): Mapping {
  return { ...stored, fields: { ...mappingOf(schema).fields, ...stored.fields } }
}
