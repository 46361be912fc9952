/** The dialog that adds products to a channel, found by name or ID. */
import { Button, Checkbox, Group, Modal, ScrollArea, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

/** Products with the text in their name or tid, newest first. */
export function useProductSearch(text: string) {
  const { pim } = useClient()
  const [debounced] = useDebouncedValue(text, 200)
  return useQuery({
    queryKey: ['products', 'found', debounced],
    queryFn: async () => {
      const body = { ...(debounced && { text: debounced }), sort: 'modified' as const, descending: true, count: 50 }
      return (await pim.pageProducts({ body })).products ?? []
    },
    placeholderData: keepPreviousData,
  })
}

export function AddProducts({ onClose, onChoose }: { onClose: () => void; onChoose: (tids: string[]) => void }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const found = useProductSearch(text)
  return (
    <Modal opened onClose={onClose} title={t('addProducts')} closeButtonProps={{ 'aria-label': word('close') }}>
      <Stack gap="sm">
        <TextInput
          aria-label={t('searchProducts')}
          placeholder={t('searchProducts')}
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          data-autofocus
        />
        <ScrollArea h={320}>
          <Loaded query={found}>
            {(products) => (
              <Checkbox.Group value={[...chosen]} onChange={setChosen} aria-label={t('products')}>
                <Stack gap="xs" p={4}>
                  {products.map(({ tid = '', name = tid }) => (
                    <Checkbox key={tid} value={tid} label={name} description={tid} />
                  ))}
                </Stack>
              </Checkbox.Group>
            )}
          </Loaded>
        </ScrollArea>
        <Group justify="flex-end">
          <Button
            disabled={chosen.length === 0}
            onClick={() => {
              onChoose([...chosen])
              onClose()
            }}
          >
            {t('addSelected', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
