/** How areas create and change attribute definitions. An area adds where its rows are stored, and its own checks. */
import type { AttributeType } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { newName } from '../core/batch/names.ts'
import type { UpsertRules } from '../core/batch/upsert.ts'
import { Problem } from '../errors.ts'
import { toNames } from './definition.ts'
import { contentOf, type DefinitionValue } from './definition-content.ts'
import { ordered } from './definition-parts.ts'
import type { DefinitionMessage, DefinitionRow } from './definition-row.ts'
import type { LocaleOf } from './domain-list.ts'
import type { FormatContext } from './format.ts'

interface DefinitionStore extends FormatContext {
  /** All definitions of the area, locked against other writers. */
  readonly known: readonly DefinitionRow[]
  readonly localeOf: LocaleOf
  /** Refuses, with a Problem, what only the area can judge. `stored` is undefined for a new definition. */
  check(next: DefinitionRow, stored: DefinitionRow | undefined): void
  insert(db: Db, rows: readonly DefinitionRow[]): Promise<unknown>
  update(db: Db, rows: readonly DefinitionRow[]): Promise<unknown>
}

export function definitionRules(store: DefinitionStore): UpsertRules<DefinitionValue, DefinitionRow> {
  const { known, localeOf, unitsOf, allowsUnique, placeIn, check, insert, update } = store
  // Grows with the batch: a table may name columns that the same message creates.
  const types = new Map<string, AttributeType>(known.map(({ tid, type }) => [tid, type]))
  const context = { localeOf, unitsOf, allowsUnique, placeIn, typeOf: (tid: string) => types.get(tid) }
  const accept = (next: DefinitionRow, stored?: DefinitionRow): DefinitionRow => {
    check(next, stored)
    types.set(next.tid, next.type)
    return next
  }
  return {
    dataType: 'attrDefinition',
    load: async () => known,
    create: (item, { id }) => accept({ id, tid: newTid(item.tid), ...contentOf(item, undefined, context) }),
    change: (item, stored) => accept({ ...stored, ...contentOf(item, stored, context) }, stored),
    insert,
    update,
    facts: factsOf,
  }
}

/** The tid of a new definition in its one form; see `columnKey` for why it has no slash. */
export function newTid(sent: string): string {
  const tid = newName('@tid', sent)
  if (tid.includes('/'))
    throw new Problem('invalid', `@tid: ${tid} contains /, which separates a table from its column`)
  return tid
}

/** The fields of a definition that the history records. */
function factsOf({ type, localized, multi, definition }: DefinitionRow) {
  const { name, abbr, tooltip, ...rest } = definition
  const texts = { name: toNames(name?.itm), abbr: toNames(abbr?.itm), tooltip: toNames(tooltip?.itm) }
  return { type, localized, multi, ...texts, ...removable, ...(ordered(rest) as object) }
}
/** Named even when absent, so that the history also records their removal. */
const removable = {
  defaultVal: undefined,
  multiValued: undefined,
  validation: undefined,
  domainVals: undefined,
  domainRange: undefined,
  tags: undefined,
  references: undefined,
  format: undefined,
  group: undefined,
} satisfies { readonly [field in keyof DefinitionMessage]?: undefined }
