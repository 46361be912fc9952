/** The links of an object in its message. */
import type { Infer, Links } from '@kontor/contract'

interface Linking {
  readonly links?: Infer<typeof Links>
}
export interface Linked {
  readonly tid: string
  readonly linkType: string
}

/** The linked objects of a kind: `assetToProduct` groups link types, each with the tids of the other ends. */
export function linkedOf({ links }: Linking, kind: string, end: string): Linked[] {
  return (links?.itms ?? [])
    .filter(({ type }) => type === kind)
    .flatMap(({ itms = [] }) =>
      itms.flatMap(({ itm = [], type = '' }) =>
        itm.flatMap(({ key, value }) => (key === end && value ? [{ tid: value, linkType: type }] : [])),
      ),
    )
}
export const assetsOf = (message: Linking) => linkedOf(message, 'assetToProduct', 'assetTid').map(({ tid }) => tid)
