/** Searches people keep: store the present one under a name, open or delete one. The place of the page is stored with it. */
import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { askName } from '../../ui/ask-name.tsx'
import { useTexts } from '../../ui/language.tsx'
import { type PlaceFields, usePlace } from '../../ui/place.ts'
import { tellDone, tellFailed } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'
import { isIdle, type SearchMessage, type SearchState } from './state.ts'
import { texts } from './texts.ts'

/** The fields of the address that make the search. */
const kept = /^(q|index|sort|build|join|f\..+)$/

interface StoredSearchesProps {
  readonly state: SearchState
  readonly search: SearchMessage
  readonly onOpen: (place: PlaceFields) => void
}

export function StoredSearches({ state, search, onOpen }: StoredSearchesProps) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const client = useClient()
  const queries = useQueryClient()
  const [fields] = usePlace()
  const stored = useQuery({
    queryKey: ['search', 'stored'],
    queryFn: async () => (await client.search.listStoredSearches()).storedSearchEntries ?? [],
  })
  const attempt = async (work: Promise<unknown>, done?: string) => {
    try {
      await work
      if (done) tellDone(done)
    } catch (error) {
      tellFailed(w('failed'), error)
    }
    await queries.invalidateQueries({ queryKey: ['search', 'stored'] })
  }
  const store = () =>
    askName({ title: t('storeThis'), label: t('storeName'), confirm: w('save'), cancel: w('cancel') }, (name) => {
      const place = Object.fromEntries(Object.entries(fields).filter(([key]) => kept.test(key)))
      const searchObject = { ...search, customProperty: JSON.stringify(place) }
      void attempt(client.search.storeSearch({ body: { name, searchObject } }), t('storedDone', { name }))
    })
  const open = async (id: string) => {
    const found = await client.search.getStoredSearch({ params: { id } })
    onOpen(placeOf(found))
  }
  const entries = stored.data ?? []
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button variant="subtle" leftSection={<IconBookmark size={16} />}>
            {t('stored')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {entries.length === 0 && (
            <Text size="sm" c="dimmed" p="xs">
              {t('noStored')}
            </Text>
          )}
          {entries.map(({ id, name = '' }) => (
            <Group key={String(id)} wrap="nowrap" gap={4}>
              <Menu.Item onClick={() => void open(String(id))}>{name}</Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('deleteStored', { name })}
                onClick={() => void attempt(client.search.deleteStoredSearch({ params: { id: String(id) } }))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Group>
          ))}
        </Menu.Dropdown>
      </Menu>
      {!isIdle(state) && (
        <Button variant="light" onClick={store}>
          {t('storeThis')}
        </Button>
      )}
    </>
  )
}

/** One that was stored elsewhere has no place; its words and its index make one. */
function placeOf({ customProperty, context, query }: SearchMessage): PlaceFields {
  try {
    if (customProperty) return JSON.parse(customProperty) as PlaceFields
  } catch {
    // stored by somebody else, for a purpose of theirs
  }
  const q = query?.queryType === 'FULLTEXT' ? String(query.value ?? '') : ''
  return { q, index: context?.index ?? '' }
}
