/** Makes changes of many objects on the server, waits for their end, and undoes them. */
import type { ChangeRequest, Infer } from '@kontor/contract'
import type { Client } from '@kontor/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { useClient } from '../client.tsx'
import { storedText } from '../stored-text.ts'
import type { BulkChange } from './operations.ts'
import { texts } from './texts.ts'

export const changesKey = ['changes']
const working = new Set<string | undefined>(['previewing', 'running', 'undoing'])
export const isWorking = ({ state }: BulkChange) => working.has(state)

type Progress = (change: BulkChange) => void
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Gives a command and waits until its work has ended. Throws if it failed. */
async function carryOut({ changes }: Client, id: string, command: string, onProgress?: Progress): Promise<BulkChange> {
  let change = await changes.controlChange({ params: { id, command } })
  while (isWorking(change)) {
    await pause(300)
    change = await changes.getChange({ params: { id } })
    onProgress?.(change)
  }
  if (change.state === 'failed') throw new Error(change.problem)
  return change
}

export function useBulkChanges() {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const client = useClient()
  const queries = useQueryClient()
  /** A change may have affected every list and object. */
  const refresh = () => queries.invalidateQueries()
  const undo = async (id: string, onProgress?: Progress) => {
    try {
      const { undoRefused = 0 } = await carryOut(client, id, 'undo', onProgress)
      if (Number(undoRefused) > 0) notifyFailed(t('keptTitle', { count: Number(undoRefused) }), new Error(t('kept')))
      else notifyDone(t('undone'))
    } catch (error) {
      notifyFailed(word('failed'), error)
    }
    await refresh()
  }
  return {
    async preview(body: Infer<typeof ChangeRequest>, onProgress: Progress): Promise<BulkChange> {
      const { id = '' } = await client.changes.createChange({ body })
      await carryOut(client, id, 'preview', onProgress)
      return client.changes.getChange({ params: { id } }) // with the reasons
    },
    /** Forgets a change that was only previewed. */
    discard: (id: string) => client.changes.deleteChange({ params: { id } }).catch(() => {}), // otherwise removed by age
    async start({ id = '', kind }: BulkChange, onProgress: Progress): Promise<void> {
      const { changed = 0, refused = 0 } = await carryOut(client, id, 'start', onProgress)
      await refresh()
      const count = Number(changed)
      const message = t(kind === 'asset' ? 'changedFiles' : 'changed', { count })
      notifyDone(message, { label: word('undo'), run: () => void undo(id) })
      if (Number(refused) > 0) notifyFailed(word('refused', { count: Number(refused) }), new Error(t('past')))
    },
    /** A change without a preview. Returns the number of changed places; throws if an object is refused. */
    async run(body: Infer<typeof ChangeRequest>, done: (places: number) => string): Promise<void> {
      const { id = '' } = await client.changes.createChange({ body })
      await carryOut(client, id, 'start')
      const { items = [] } = await client.changes.listChangeItems({ params: { id } })
      const refused = items.find(({ status }) => status === 'refused')
      if (refused) throw new Error(storedText(refused.reason ?? ''))
      await refresh()
      const places = items.flatMap(({ changes = [] }) => changes.filter(({ of }) => of === undefined)).length
      notifyDone(done(places), ...(places > 0 ? [{ label: word('undo'), run: () => void undo(id) }] : []))
    },
    undo,
  }
}
