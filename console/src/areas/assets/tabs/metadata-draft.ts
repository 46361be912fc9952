/** Changes of the values of an asset, in all languages. They are kept in the browser until they are saved or discarded. */
import { useEffect, useMemo, useState } from 'react'
import { useClient, useMe } from '../../../object/client.tsx'
import { accepted } from '../../../object/records.ts'
import { storedDraft } from '../../../object/stored-draft.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { sameTexts, type Texts, textsOf, toVals } from '../../../object/values/draft.ts'
import { commonTexts } from '../../../ui/common-texts.ts'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { type AssetMessage, useRefresh } from '../assets.ts'

interface Edit {
  readonly key: string
  readonly locale: string
  readonly texts: Texts
}

export function useMetadataDraft(asset: AssetMessage, attributes: readonly Attribute[]) {
  const w = useTexts(commonTexts)
  const { dam } = useClient()
  const refresh = useRefresh()
  const { id = '' } = useMe()
  const stored = useMemo(() => storedDraft<readonly Edit[]>(id, `asset.${asset.tid}`), [id, asset.tid])
  const [found] = useState(stored.read)
  const [edits, setEdits] = useState<readonly Edit[]>(found?.changes ?? [])
  useEffect(() => stored.write(edits.length > 0 ? edits : undefined), [stored, edits])
  const isAt = (edit: Edit, key: string, locale: string) => edit.key === key && edit.locale === locale
  return {
    isChanged: edits.length > 0,
    foundFrom: found && new Date(found.at),
    textsAt: (key: string, locale: string) => edits.find((edit) => isAt(edit, key, locale))?.texts,
    /** A value that is the stored one again is no change. */
    write(key: string, locale: string, texts: Texts) {
      const before = textsOf(
        asset.vals?.val?.find(({ attr }) => attr === key),
        locale,
      )
      const others = edits.filter((edit) => !isAt(edit, key, locale))
      setEdits(sameTexts(before, texts) ? others : [...others, { key, locale, texts }])
    },
    discard() {
      stored.write(undefined) // at once, because the page may be left before the change is drawn
      setEdits([])
    },
    async save() {
      const changes = new Map(
        [...Map.groupBy(edits, ({ key }) => key)].map(([key, same]) => [
          key,
          new Map(same.map(({ locale, texts }) => [locale, texts])),
        ]),
      )
      const val = toVals(changes, (key) => attributes.find((attribute) => attribute.key === key))
      try {
        await accepted(dam.assets.persist([{ tid: asset.tid!, vals: { val } }]))
        setEdits((now) => now.filter((edit) => !edits.includes(edit))) // not those made in the meantime
        notifyDone(w('saved'))
      } catch (error) {
        notifyFailed(w('failed'), error)
      }
      refresh()
    },
  }
}
