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
export function isOutdated(made: Mapping, schema: IndexSchema): boolean {
  const wanted = mappingOf(schema)
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return (
    made.analysis !== wanted.analysis ||
    made.revision !== wanted.revision ||
    made.defaultLocale !== wanted.defaultLocale ||
    !same(made.locales, wanted.locales) ||
    Object.entries(wanted.fields).some(([name, kind]) => (made.fields[name] ?? kind) !== kind)
  )
}

/** The mapping of an index after new fields were added. */
export function withFieldsOf(made: Mapping, schema: IndexSchema): Mapping {
  return { ...made, fields: { ...mappingOf(schema).fields, ...made.fields } }
}
