/** What an index was made by, kept with it, to tell whether it still is what is wanted. */
import { analysisVersion } from '../analysis/stem.ts'
import type { FieldDefinition, IndexSchema } from '../port.ts'

export interface Mapping {
  readonly analysis: number
  readonly revision: string
  readonly locales: readonly string[]
  readonly defaultLocale: string
  /** By field, what its columns and words were made by. */
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
 * Whether an index must be built again. A field that is new has no values in older documents, and one that is gone does
 * no harm: neither asks for it.
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

/** The mapping of an index that was given new fields. */
export function withFieldsOf(made: Mapping, schema: IndexSchema): Mapping {
  return { ...made, fields: { ...mappingOf(schema).fields, ...made.fields } }
}
