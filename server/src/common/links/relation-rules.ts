/**
 * Relations: links between products, articles and variations whose link type is a relation type. The type decides what may
 * be at either end and whether a relation has a quantity:
 *
 *   <itms type="productToProduct">
 *     <itms type="Bundle">
 *       <itm key="sourceProductTid">SET</itm>
 *       <itm key="targetArticleTid">CUP</itm>
 *       <itm key="quantity">6</itm>                    of every link of the group
 *     </itms>
 *   </itms>
 *
 * Links of other types stay free: other systems send types that nobody has defined here.
 */
import { type Infer, type Item, productTypes } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { lockRelationTypes, type NewLink, type RelationTypeRow } from './links.sql.ts'

export const relationKind = 'productToProduct'

interface Asked {
  readonly kind: string
  readonly type: string
}
type Leveled = NewLink & { readonly fromLevel: number; readonly toLevel: number }
/** Why a link cannot be added, if so. */
export type RelationRules = (link: Leveled) => Problem | undefined

/** The rules for a batch of links; one statement if any of them has a type. */
export async function relationRules(db: Db, links: readonly Asked[]): Promise<RelationRules> {
  const tids = links.flatMap(({ kind, type }) => (kind === relationKind && type !== '' ? [type] : []))
  const rows = tids.length > 0 ? await lockRelationTypes(db, [...new Set(tids)]) : []
  const types = new Map(rows.map((row) => [row.tid, row]))
  return (link) => (link.kind === relationKind ? faultOf(link, types.get(link.type)) : quantityFault(link, undefined))
}

function faultOf(link: Leveled, type: RelationTypeRow | undefined): Problem | undefined {
  const { fromId, toId, fromLevel, toLevel } = link
  if (fromId === toId) return new Problem('invalid', 'an object cannot be related to itself; name another target')
  if (!type) return quantityFault(link, undefined)
  return endFault(type.tid, 'source', fromLevel, type.sources) ?? endFault(type.tid, 'target', toLevel, type.targets) ?? quantityFault(link, type) // prettier-ignore
}

const withArticle = (level: number) => (level === 1 ? 'an article' : `a ${productTypes[level]}`)

function endFault(tid: string, end: string, level: number, allowed: readonly number[]): Problem | undefined {
  if (allowed.includes(level)) return undefined
  const words = allowed.map(withArticle).join(' or ')
  return new Problem(
    'invalid',
    `the ${end} of a relation of type ${tid} cannot be ${withArticle(level)}; name ${words}`,
  )
}

function quantityFault({ type, quantity }: NewLink, known: RelationTypeRow | undefined): Problem | undefined {
  if (quantity == null || known?.quantity) return undefined
  return new Problem('invalid', `quantity: ${type === '' ? 'links without a type' : `links of type ${type}`} have no quantity; leave it out, or choose a relation type with quantities`) // prettier-ignore
}

const decimal = /^\d{1,12}(\.\d{1,6})?$/

/** The quantity that the items of a group give to its links. */
export function quantityOf(type: string, items: readonly Infer<typeof Item>[]): string | undefined {
  const item = items.find(({ key }) => key === 'quantity')
  if (!item) return undefined
  const text = (item.value ?? '').trim()
  if (decimal.test(text) && Number(text) > 0) return text
  throw new Problem('invalid', `itms type ${type}: quantity ${text.slice(0, 40)} is not a number above 0 with at most 12 digits and 6 decimals`) // prettier-ignore
}
