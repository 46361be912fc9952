/**
 * The pictures that a channel requires of its products: how many, by the role of their links.
 *
 * In judgements a missing picture is named by the key `asset/ROLE`, which no attribute can have.
 */
import { allows, within } from '../../core/access/permissions.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import type { Judgement } from '../../pim/api.ts'
import { findPictures, type Picture } from './pictures.sql.ts'

export interface PictureDemand {
  /** Empty for any role. */
  readonly role: string
  readonly count: number
}
type Pictures = readonly PictureDemand[] | undefined

/** Counts the pictures of a product that can be used. */
type Attached = (role: string) => number

/** Undefined for callers who may not read files at all. */
export function countOf(pictures: readonly Picture[] | null): Attached | undefined {
  const usable = pictures?.filter(({ isUsable }) => isUsable)
  return (
    usable &&
    ((role) => new Set(usable.filter((one) => role === '' || one.role === role).map(({ assetId }) => assetId)).size)
  )
}

/**
 * Reads the pictures of products that the caller may read. Undefined for callers who may not read files at all, and if no
 * channel requires any: then none are required.
 */
export async function attachedTo(
  { db, caller: { permissions } }: Pick<Context, 'db' | 'caller'>,
  productIds: readonly number[],
  required: readonly { readonly pictures: Pictures }[],
): Promise<((productId: number) => Attached) | undefined> {
  if (!required.some(({ pictures }) => pictures) || !allows(permissions, 'read', 'asset')) return undefined
  const found = await findPictures(db, productIds, (at) => within(permissions, 'read', 'asset', at))
  const byProduct = Map.groupBy(found, ({ productId }) => productId)
  return (productId) => countOf(byProduct.get(productId) ?? [])!
}

const prefix = 'asset/'

/** The judgement with the pictures that the channel requires. */
export function withPictures(judgement: Judgement, pictures: Pictures, attached: Attached | undefined): Judgement {
  if (!pictures || !attached) return judgement
  const lacking = pictures.filter(({ role, count }) => attached(role) < count)
  return {
    ...judgement,
    required: judgement.required + pictures.length,
    absent: [...judgement.absent, ...lacking.map(({ role }) => prefix + role)],
  }
}

/** A missing value in replies: an attribute, or the role of a file; * for any role. */
export const missingPart = (key: string): { attr: string } | { picture: string } =>
  key.startsWith(prefix) ? { picture: key.slice(prefix.length) || '*' } : { attr: key }

const maxRoles = 50

export function checkedPictures(sent: readonly { role?: string; count?: number }[]): PictureDemand[] {
  const at = '/channelRequirementChange/pictures'
  if (sent.length > maxRoles)
    throw new Problem('invalid', `${at}: ${sent.length} roles; at most ${maxRoles} are allowed`)
  const pictures = sent.map(({ role = '', count = 1 }) => ({ role: role.normalize('NFC').trim(), count }))
  const long = pictures.find(({ role }) => role.length > 255)
  if (long) throw new Problem('invalid', `${at}/role: ${long.role.length} characters; at most 255 are allowed`)
  const wrong = pictures.find(({ count }) => count < 1 || count > 100)
  if (wrong) throw new Problem('invalid', `${at}/count: ${wrong.count} is out of range; expected 1 to 100`)
  const twice = pictures.find(({ role }, i) => pictures.findIndex((one) => one.role === role) < i)
  if (twice) throw new Problem('invalid', `${at}: the role ${twice.role || '(any)'} is named twice; send it once`)
  return pictures
}
