/** Downloads files: one as it is, several as a zip. */
import type { Client } from '@kontor/sdk'
import { translator } from '../ui/language.tsx'
import { notifyDone } from '../ui/notifications.tsx'
import { saveFile, toBlob } from '../ui/save-file.ts'
import type { Metadata } from './download-menu.tsx'
import { usageTexts } from './usage-texts.ts'

const isRefusedByRights = ({ refusals = [] }: { readonly refusals?: readonly { readonly reason?: string }[] }) =>
  refusals.some(({ reason }) => reason === 'usageExpired' || reason === 'usageNotYet')

/** How long the browser may take to begin saving a file that is in memory. */
const releaseMs = 60_000

/**
 * The browser fetches the file from a signed address, so that its size does not matter. Such addresses end with the usage
 * rights; people who may read the file without rights get it by their token.
 */
export async function downloadFile({ dam }: Client, tid: string, metadata?: Metadata): Promise<void> {
  const wanted = metadata && { metadata }
  try {
    saveFile(await dam.presignedUrl({ body: { tid, attachment: true, ...wanted } }))
  } catch (error) {
    if (!isRefusedByRights(error as object)) throw error
    const [[asset], bytes] = await Promise.all([
      dam.assets.retrieve({ tids: [tid] }),
      dam.download({ query: { assetTid: tid, ...wanted } }),
    ])
    const name = asset?.name ?? tid
    const address = URL.createObjectURL(await toBlob(bytes, 'application/octet-stream'))
    saveFile(address, metadata === 'sidecar' ? `${name.replace(/\.[^.]*$/, '')}.xmp` : name)
    setTimeout(() => URL.revokeObjectURL(address), releaseMs)
  }
}

interface Options {
  readonly profile?: string
  readonly metadata?: Metadata
}
/** A zip leaves out the files whose usage rights have ended or not begun; a notice says so. */
export async function downloadFiles({ dam }: Client, tids: readonly string[], options: Options = {}): Promise<void> {
  saveFile(await dam.presignedUrl({ body: { tids: [...tids], ...options } }))
  const { assets } = await dam.retrievePreviews({ body: { tids: [...tids] } })
  const states = (assets?.asset ?? []).map(({ usageRights }) => usageRights?.state)
  const count = states.filter((state) => state === 'expired' || state === 'notYet').length
  if (count > 0) notifyDone(translator(usageTexts)('leftOut', { count }))
}
