/** An asset as the server returns it, and its pictures. */
import type { Asset, Infer } from '@kontor/contract'
import type { Client } from '@kontor/sdk'
import { fact } from '../items.ts'
import { emptyWhenNotFound } from '../not-found.ts'

export type AssetMessage = Infer<typeof Asset>

export const pictureOf = (asset: AssetMessage, format: 'thumbnail' | 'preview' | 'fullsize') => {
  const found = asset.previews?.preview?.find(({ type }) => type === format)
  return found && fact(found, 'url')
}

/** Sorted in the order of the given tids. */
export async function retrieveAssets({ dam }: Client, tids: readonly string[]): Promise<AssetMessage[]> {
  if (tids.length === 0) return []
  const found = await dam.assets
    .retrieve({ tids: [...tids], retrievePreviews: true })
    .catch(emptyWhenNotFound<AssetMessage[]>([]))
  const byTid = new Map(found.map((asset) => [asset.tid, asset]))
  return tids.flatMap((tid) => byTid.get(tid) ?? [])
}
