/** Attribute definitions as replies carry them. */
import { toMeta } from '../common/api.ts'
import type { Definition } from './definition.ts'
import type { DefinitionValue } from './definition-content.ts'
import { fullList } from './domain-list.ts'

export function toDefinitionMessage({ row }: Definition): DefinitionValue {
  const { id, tid, type, localized, definition, stamps } = row
  const { meta, domainVals, ...rest } = definition
  const facts = stamps && {
    creationDate: new Date(stamps.createdAt).toISOString(),
    creationUser: stamps.createdBy,
    modificationDate: new Date(stamps.modifiedAt).toISOString(),
    modificationUser: stamps.modifiedBy,
  }
  return {
    meta: toMeta(facts ?? {}, meta?.itm),
    ...rest,
    ...(domainVals && { domainVals: fullList(domainVals) }),
    id,
    tid,
    type,
    localized: localized ? 'true' : 'false',
  }
}
