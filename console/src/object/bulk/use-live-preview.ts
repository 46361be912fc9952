/** Previews an operation on the server while it is edited, and carries it out. */
import type { ChangeSelection, Infer } from '@kontor/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BulkChange, Operation } from './operations.ts'
import { changesKey, useBulkChanges } from './use-changes.ts'

export type Selection = () => Promise<Infer<typeof ChangeSelection>>

const nothing = () => {}

export function useLivePreview(selection: Selection, operation: Operation | undefined, onClose: () => void) {
  const bulk = useBulkChanges()
  const [written] = useDebouncedValue(JSON.stringify(operation), 500)
  const [isApplying, setApplying] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const previews = useRef(new Set<string>())
  const discardAll = () => previews.current.forEach((id) => void bulk.discard(id))
  const query = useQuery({
    queryKey: [...changesKey, 'live', written],
    enabled: written !== undefined && !isApplying,
    queryFn: async (): Promise<BulkChange> => {
      const operations = [JSON.parse(written!) as Operation]
      const change = await bulk.preview({ kind: 'asset', selection: await selection(), operations }, nothing)
      previews.current.add(change.id!)
      return change
    },
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  })
  const isCurrent = written !== undefined && written === JSON.stringify(operation)
  const change = isCurrent ? query.data : undefined
  return {
    change,
    isBusy: isApplying || (operation !== undefined && (!isCurrent || query.isFetching)),
    fault: fault ?? (isCurrent ? query.error : undefined) ?? undefined,
    async apply() {
      setApplying(true)
      previews.current.delete(change!.id!)
      discardAll()
      try {
        await bulk.start(change!, nothing)
        onClose()
      } catch (error) {
        setFault(error)
        setApplying(false)
      }
    },
    close() {
      // A change that runs continues on the server.
      if (!isApplying) discardAll()
      onClose()
    },
  }
}
