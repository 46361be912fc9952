/** The mapping of an import: guessed when it is opened for the first time, then stored with each change. */
import type { Infer, TransferColumn, TransferMapping, TransferProfile } from '@kontor/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useClient, useMay } from '../../../object/client.tsx'
import { isWaiting, type Transfer, useTransferChange } from '../use-transfers.ts'

export type Profile = Infer<typeof TransferProfile>
export type Column = Infer<typeof TransferColumn>
type MappingData = Infer<typeof TransferMapping>
export type MappedColumn = NonNullable<MappingData['columns']>[number]

const tables = new Set<string | undefined>(['csv', 'xlsx', 'zip'])

export function useMapping(transfer: Transfer) {
  const { id = '', name: fileName = '', direction, format, layout } = transfer
  const { transfers } = useClient()
  const may = useMay()
  const change = useTransferChange()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Profile>()
  const [running, setRunning] = useState(0)
  const last = useRef(0)
  const params = { id }
  const queryKey = ['mapping', id]
  const query = useQuery({
    queryKey,
    queryFn: async (): Promise<MappingData> => {
      const { profile } = await transfers.getTransfer({ params })
      if (profile?.columns) return transfers.tryProfile({ params, body: profile })
      const guessed = await transfers.guessProfile({ params })
      const body = { ...guessed.profile, ...profile }
      await transfers.setProfile({ params, body })
      return { ...guessed, profile: body }
    },
    // The file of a known system needs no mapping.
    enabled:
      direction === 'import' &&
      layout === undefined &&
      isWaiting(transfer) &&
      tables.has(format) &&
      may('update', 'product'),
    staleTime: Infinity,
    retry: false,
  })
  const edit = async (profile: Profile) => {
    const turn = ++last.current
    setDraft(profile)
    setRunning((count) => count + 1)
    await change(async () => {
      await transfers.setProfile({ params, body: profile }).catch((error: unknown) => {
        // A refused profile is not the one that the next change begins with.
        if (turn === last.current) setDraft(undefined)
        throw error
      })
      const tried = await transfers.tryProfile({ params, body: profile })
      // Replies to earlier changes arrive late.
      if (turn === last.current) queries.setQueryData(queryKey, { ...query.data, ...tried })
    })
    setRunning((count) => count - 1)
  }
  return {
    query,
    profile: draft ?? query.data?.profile ?? {},
    fileName,
    edit,
    /** With the notation that fits the columns as they are mapped now. */
    guess: () => transfers.guessProfile({ params }),
    /** Whether a change is on its way: the import must not be started with the former one. */
    isBusy: running > 0 || query.isFetching,
  }
}

export type MappingState = ReturnType<typeof useMapping>
