/**
 * The rights of a caller on products, by the node they are in; articles and variations follow their product. A product
 * that the caller may not read is treated as missing.
 */
import { because } from '@kontor/contract'
import type { Caller } from '../../core/context.ts'
import { type Action, allowsAt, type Rights, rightsAnywhere, rightsAt } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'

export interface ProductAccess {
  may(action: Action, nodeId: number): boolean
  /** Throws a Problem unless the caller may do it. */
  demand(action: Action, nodeId: number): void
  /** The attributes and locales that the caller may see and edit; undefined for all, which is the usual case. */
  rights(nodeId: number): Rights | undefined
  /** Whether the caller may see or edit only some attributes or locales, at least somewhere. */
  readonly isNarrowed: boolean
  /** Whether the caller may read glossary entries in the locale. */
  seesEntries(locale: string): boolean
}

export function accessOf({ permissions }: Caller, model: Model): ProductAccess {
  const pathOf = (nodeId: number) => model.node(nodeId)?.path ?? ''
  const narrowed = permissions.some(
    (grant) => grant.visibleAttributes ?? grant.editableAttributes ?? grant.visibleLocales ?? grant.editableLocales,
  )
  const decided = new Map<string, boolean>()
  const known = new Map<number, Rights>()
  const may = (action: Action, nodeId: number) => {
    const key = `${action} ${nodeId}`
    const allowed = decided.get(key) ?? allowsAt(permissions, action, 'product', pathOf(nodeId))
    decided.set(key, allowed)
    return allowed
  }
  return {
    may,
    isNarrowed: narrowed,
    seesEntries: (locale) => rightsAnywhere(permissions, 'glossaryEntry').locale(locale).visible,
    demand(action, nodeId) {
      if (may(action, nodeId)) return
      throw new Problem('forbidden', because('mayNotProducts', { action, path: pathOf(nodeId) }))
    },
    rights(nodeId) {
      if (!narrowed) return undefined
      const rights = known.get(nodeId) ?? rightsAt(permissions, 'product', [pathOf(nodeId)])
      known.set(nodeId, rights)
      return rights
    },
  }
}
