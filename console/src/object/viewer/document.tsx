/**
 * Shows a PDF in the browser's viewer. The bytes are always passed with the PDF media type, so that a malicious file
 * cannot run as a page of the console.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient } from '../client.tsx'
import { fact } from '../items.ts'
import { toBlob } from '../../ui/save-file.ts'
import { Loading } from '../../ui/states.tsx'
import type { AssetMessage } from './asset.ts'
import classes from './viewer.module.css'

/** Larger files show only the preview of their first page, because the whole file would be held in memory. */
const maxBytes = 100_000_000

export const isViewable = (asset: AssetMessage): boolean =>
  asset.type === 'PDF' && navigator.pdfViewerEnabled && Number(fact(asset, 'fileSize') ?? 0) <= maxBytes

export function Document({ asset: { tid = '', name = '' } }: { asset: AssetMessage }) {
  const { dam } = useClient()
  const file = useQuery({
    queryKey: ['assets', 'file', tid],
    queryFn: async () => toBlob(await dam.download({ query: { assetTid: tid } }), 'application/pdf'),
    gcTime: 0,
  })
  const address = useObjectUrl(file.data)
  if (!address) return <Loading shape="picture" />
  return <iframe className={classes.document} src={address} title={name} />
}

/** An object URL for a blob, revoked on unmount. */
function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const created = URL.createObjectURL(blob)
    setAddress(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return address
}
