/** Saved searches: save the current one under a name, open or delete one. The URL state is stored with the search. */
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

/** The URL fields that belong to a search. */
const searchFields = /^(q|index|sort|build|join|f\..+)$/

interface StoredSearchesProps {
  readonly state: SearchState
  readonly search: SearchMessage
  readonly onOpen: (state: UrlState) => void
}

export function StoredSearches({ state, search, onOpen }: StoredSearchesProps) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const navigate = useNavigate()
  const [fields] = useUrlState()
  const stored = useStoredSearches()
  const store = () =>
    askName({ title: t('storeThis'), label: t('storeName'), confirm: w('save'), cancel: w('cancel') }, (name) => {
      const saved = Object.fromEntries(Object.entries(fields).filter(([field]) => searchFields.test(field)))
      void stored.store(name, search, { fields: saved }, t('storedDone', { name }))
    })
  const open = ({ to, fields: saved }: StoredPlace) => {
    if (to === undefined) onOpen(saved)
    else void navigate({ to, search: saved })
  }
  return (
    <>
      <StoredList label={t('stored')} none={t('noStored')} variant="subtle" stored={stored} onOpen={open} />
      {!isIdle(state) && (
        <Button variant="subtle" onClick={store}>
          {t('storeThis')}
        </Button>
      )}
    </>
  )
}
