/** Searches people keep: store the present one under a name, open or delete one. The place of the page is stored with it. */
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { StoredList } from '../../object/stored-list.tsx'
import { type StoredPlace, useStoredSearches } from '../../object/stored-searches.ts'
import { askName } from '../../ui/ask-name.tsx'
import { useTexts } from '../../ui/language.tsx'
import { type UrlState, useUrlState } from '../../ui/url-state.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { isIdle, type SearchMessage, type SearchState } from './state.ts'
import { texts } from './texts.ts'

/** The fields of the address that make the search. */
const kept = /^(q|index|sort|build|join|f\..+)$/

interface StoredSearchesProps {
  readonly state: SearchState
  readonly search: SearchMessage
  readonly onOpen: (place: UrlState) => void
}

export function StoredSearches({ state, search, onOpen }: StoredSearchesProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const navigate = useNavigate()
  const [fields] = useUrlState()
  const stored = useStoredSearches()
  const store = () =>
    askName({ title: t('storeThis'), label: t('storeName'), confirm: w('save'), cancel: w('cancel') }, (name) => {
      const place = Object.fromEntries(Object.entries(fields).filter(([field]) => kept.test(field)))
      void stored.store(name, search, { fields: place }, t('storedDone', { name }))
    })
  const open = ({ to, fields: place }: StoredPlace) => {
    if (to === undefined) onOpen(place)
    else void navigate({ to, search: place })
  }
  return (
    <>
      <StoredList label={t('stored')} none={t('noStored')} variant="subtle" stored={stored} onOpen={open} />
      {!isIdle(state) && (
        <Button variant="light" onClick={store}>
          {t('storeThis')}
        </Button>
      )}
    </>
  )
}
