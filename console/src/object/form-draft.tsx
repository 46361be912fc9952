/**
 * The state of a form that survives a reload, a crash, or a dialog that was closed too soon. Fields that differ from the
 * stored object are kept in the browser until they are saved or discarded.
 */
import { Alert, Button, Group } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useFormat } from '../ui/format.ts'
import { defineTexts, useTexts } from '../ui/language.tsx'
import { useMe } from './client.tsx'
import { changedFields, type FieldChanges, withChanges } from './form-changes.ts'
import { storedDraft } from './stored-draft.ts'

interface FormDraft<V> {
  readonly value: V
  readonly isChanged: boolean
  /** When the changes were written that were found in the browser; undefined if there were none. */
  readonly foundFrom: Date | undefined
  change(value: V): void
  /** Call it when the value was saved, or to begin again. */
  discard(): void
}

/** `object` names the edited object, such as `keyword./Sea`; undefined keeps nothing, for forms with secrets. */
export function useFormDraft<V extends object>(object: string | undefined, initial: V): FormDraft<V> {
  const { id = '' } = useMe()
  const stored = useMemo(() => (object === undefined ? undefined : storedDraft<FieldChanges>(id, object)), [id, object])
  const [found, setFound] = useState(() => stored?.read())
  const [changes, setChanges] = useState<FieldChanges>(found?.changes ?? {})
  return {
    value: withChanges(initial, changes),
    isChanged: Object.keys(changes).length > 0,
    foundFrom: found && new Date(found.at),
    change(value) {
      const next = changedFields(initial, value)
      stored?.write(Object.keys(next).length > 0 ? next : undefined)
      setChanges(next)
    },
    discard() {
      stored?.write(undefined)
      setFound(undefined)
      setChanges({})
    },
  }
}

export const texts = defineTexts('drafts', { found: 'These are your unsaved changes from {time}.', discard: 'Discard' })

export function DraftNotice({ draft }: { draft: Pick<FormDraft<object>, 'foundFrom' | 'discard' | 'isChanged'> }) {
  const t = useTexts(texts)
  const format = useFormat()
  if (!draft.foundFrom || !draft.isChanged) return null
  return (
    <Alert variant="light" color="amber" role="status" p="xs">
      <Group justify="space-between">
        {t('found', { time: format.dateTime(draft.foundFrom) })}
        <Button size="compact-sm" variant="default" onClick={draft.discard}>
          {t('discard')}
        </Button>
      </Group>
    </Alert>
  )
}
