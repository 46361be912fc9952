/**
 * A PDF in the viewer of the browser. Its bytes are handed over as a PDF and as nothing else, whatever they are, so that no
 * file can pass for a page of the console.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { fact } from '../../object/items.ts'
import { Loading } from '../../ui/states.tsx'
import type { AssetMessage } from './assets.ts'
import classes from './lightbox.module.css'

/** Beyond this the picture of the first page has to do: the whole file is held in memory. */
const largest = 100_000_000

export const isShownAsDocument = (asset: AssetMessage): boolean =>
  asset.type === 'PDF' && navigator.pdfViewerEnabled && Number(fact(asset, 'fileSize') ?? 0) <= largest

export function Document({ asset: { tid = '', name = '' } }: { asset: AssetMessage }) {
  const { dam } = useClient()
  const file = useQuery({
    queryKey: ['assets', 'file', tid],
    queryFn: async () => {
      const pieces: Uint8Array<ArrayBuffer>[] = []
      for await (const piece of await dam.download({ query: { assetTid: tid } })) pieces.push(new Uint8Array(piece))
      return new Blob(pieces, { type: 'application/pdf' })
    },
    gcTime: 0,
  })
  const address = useAddress(file.data)
  if (!address) return <Loading />
  return <iframe className={classes.document} src={address} title={name} />
}

/** An address for bytes in memory, as long as they are shown. */
function useAddress(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}
