/**
 * Changes of the values of an asset, in all languages. They are kept in the browser until they are saved or discarded. A save
 * is based on the version that was just read; values that somebody else has changed meanwhile are returned as collisions.
 */
import { KontorError } from '@kontor/sdk'
import { useEffect, useMemo, useState } from 'react'
import { useClient, useMe } from '../../../object/client.tsx'
import { accepted } from '../../../object/records.ts'
import { storedDraft } from '../../../object/stored-draft.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { type Texts, textsOf, toVals } from '../../../object/values/draft.ts'
import {
  afterSaving,
  changesByItem,
  type Collision,
  compare,
  decide,
  editAt,
  type Edits,
  withEdit,
} from '../../../object/values/edits.ts'
import { commonTexts } from '../../../ui/common-texts.ts'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { type AssetMessage, useRefresh } from '../assets.ts'

const valueIn = (asset: AssetMessage, key: string, locale: string) =>
  textsOf(
    asset.vals?.val?.find(({ attr }) => attr === key),
    locale,
  )

export function useMetadataDraft(asset: AssetMessage, attributes: ReadonlyMap<string, Attribute>) {
  const w = useTexts(commonTexts)
  const { dam } = useClient()
  const refresh = useRefresh()
  const { id = '' } = useMe()
  const item = asset.tid!
  const stored = useMemo(() => storedDraft<Edits>(id, `asset.${item}`), [id, item])
  const [found] = useState(() => withBefore(stored.read(), asset))
  const [edits, setEdits] = useState<Edits>(found?.changes ?? [])
  const [collisions, setCollisions] = useState<readonly Collision[]>([])
  useEffect(() => stored.write(edits.length > 0 ? edits : undefined), [stored, edits])

  /** Compares with what is stored now, sends, and begins again if somebody else was faster. */
  const send = async (mine: Edits): Promise<readonly Collision[]> => {
    for (;;) {
      const now = await dam.assets.retrieveTagged({ tids: [item] })
      const { open, collisions } = compare(mine, ({ key, locale }) => now && valueIn(now.object, key, locale))
      if (collisions.length > 0) return collisions
      if (open.length === 0 || (await sendIfUnchanged(open, now?.etag))) return []
    }
  }
  /** false: the asset has changed since it was read. */
  const sendIfUnchanged = async (open: Edits, etag: string | undefined): Promise<boolean> => {
    const val = toVals(changesByItem(open).get(item)!, (key) => attributes.get(key))
    const options = etag === undefined ? {} : { ifMatch: etag }
    try {
      await accepted(dam.assets.persist([{ tid: item, vals: { val } }], options))
      return true
    } catch (error) {
      if (error instanceof KontorError && error.status === 412) return false
      throw error
    }
  }
  const saveEdits = async (mine: Edits) => {
    if (!navigator.onLine) return notifyFailed(w('offline'), new Error(w('offlineSave')))
    try {
      const colliding = await send(mine)
      setCollisions(colliding)
      if (colliding.length > 0) return
      setEdits((now) => afterSaving(now, mine))
      notifyDone(w('saved'))
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
    refresh()
  }
  return {
    isChanged: edits.length > 0,
    foundFrom: found && new Date(found.at),
    collisions,
    textsAt: (key: string, locale: string) => editAt(edits, { item, key, locale })?.texts,
    write: (key: string, locale: string, texts: Texts) =>
      setEdits((now) => withEdit(now, { item, key, locale }, texts, valueIn(asset, key, locale))),
    discard() {
      stored.write(undefined) // at once, because the page may be left before the change is drawn
      setEdits([])
    },
    save: () => saveEdits(edits),
    settle(mine: ReadonlySet<Collision>) {
      const decided = collisions.reduce((left, one) => decide(left, one, mine.has(one)), edits)
      setEdits(decided)
      return saveEdits(decided)
    },
    postpone: () => setCollisions([]),
  }
}

/** Drafts of earlier versions have no `item` and no `before`: they are based on what is stored now. */
function withBefore(found: { readonly at: number; readonly changes: Edits } | undefined, asset: AssetMessage) {
  if (!found) return undefined
  const changes = found.changes.map((edit) => ({
    ...edit,
    item: asset.tid!,
    before: (edit as Partial<typeof edit>).before ?? valueIn(asset, edit.key, edit.locale),
  }))
  return { at: found.at, changes }
}
