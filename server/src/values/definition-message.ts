/** Attribute definitions as replies carry them. */
import { toMeta } from '../common/api.ts'
import { type Permissions, seesDefinition } from '../core/access/permissions.ts'
import { visibleTexts } from '../core/access/texts.ts'
import type { Definition } from './definition.ts'
import type { DefinitionValue } from './definition-content.ts'
import { fullList } from './domain-list.ts'
import { columnKey } from './rule.ts'

/** The definitions of attributes of a kind of objects, as far as the caller may see them. */
export function definitionView(permissions: Permissions, kind: string) {
  const texts = visibleTexts(permissions, 'attrDefinition')
  const isVisible = ({ tid }: Pick<Definition, 'tid'>) => seesDefinition(permissions, kind, tid)
  const toMessage = (definition: Definition): DefinitionValue => {
    const { references, ...message } = toDefinitionMessage(definition)
    const itm = references?.itm?.filter(({ key, value }) =>
      seesDefinition(permissions, kind, columnKey(definition.tid, value ?? key ?? '')),
    )
    return texts({ ...message, ...(references && { references: { ...references, ...(itm && { itm }) } }) })
  }
  return {
    isVisible,
    toMessages: (definitions: readonly Definition[]) => definitions.filter(isVisible).map(toMessage),
  }
}

function toDefinitionMessage({ row }: Definition): DefinitionValue {
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
