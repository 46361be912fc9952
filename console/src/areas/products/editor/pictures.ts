/** The pictures of a product in their order. The first one is the main picture; the type of a link is the role. */
import type { Infer, Links } from '@kontor/contract'
import type { Linked } from '../../../object/links.ts'

export interface ProductPicture extends Linked {
  readonly pos: number
}

/** Links without a position come last, in the order in which they were made. */
export function picturesOf({ links }: { readonly links?: Infer<typeof Links> }): ProductPicture[] {
  const groups = (links?.itms ?? []).filter(({ type }) => type === 'assetToProduct').flatMap(({ itms = [] }) => itms)
  return groups
    .flatMap(({ type: linkType = '', itm = [] }) =>
      itm.flatMap(({ key, value, pos }) =>
        key === 'assetTid' && value ? [{ tid: value, linkType, pos: pos === undefined ? Infinity : Number(pos) }] : [],
      ),
    )
    .toSorted((a, b) => (a.pos === b.pos ? 0 : a.pos - b.pos))
}

/** The list with one entry at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(Math.max(0, Math.min(to, rest.length)), 0, list[from]!)
}
