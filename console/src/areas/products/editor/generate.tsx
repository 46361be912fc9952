/** A dialog that combines the values of the variation axes, shows what exists, and creates the rest. */
import { Button, Group, MultiSelect, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../../object/change.ts'
import { useClient } from '../../../object/client.tsx'
import { nameIn } from '../../../object/items.ts'
import { useContentLocale } from '../../../object/locales.ts'
import { commonTexts } from '../../../ui/common-texts.ts'
import { FormModal } from '../../../ui/form-modal.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone } from '../../../ui/notifications.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { productsKey } from '../list.ts'
import { texts } from './texts.ts'
import { productKey } from './use-product.ts'

export function GenerateButton({ tid }: { readonly tid: string }) {
  const t = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t('generate')}
      </Button>
      {isOpen && <Generate tid={tid} onClose={() => setOpen(false)} />}
    </>
  )
}

function Generate({ tid, onClose }: { readonly tid: string; readonly onClose: () => void }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { pim } = useClient()
  const [locale] = useContentLocale()
  const change = useChange(productKey(tid), productsKey, ['combinations'])
  const [chosen, setChosen] = useState<Readonly<Record<string, readonly string[]>>>({})
  const choices = Object.entries(chosen).map(([attribute, values]) => ({ attribute, values: [...values] }))
  const preview = useQuery({
    queryKey: ['combinations', tid, choices],
    queryFn: () => pim.retrieveCombinations({ body: { tid, choices } }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const missing = preview.data?.combinations?.filter((one) => one.tid === undefined).length ?? 0
  const submit = async () => {
    const isDone = await change(async () => {
      const { created = 0 } = await pim.persistCombinations({ body: { tid, choices } })
      notifyDone(t('generated', { count: created }))
    })
    if (isDone) onClose()
  }
  return (
    <FormModal title={t('generate')} size="lg" onSubmit={submit} onClose={onClose}>
      <Loaded query={preview}>
        {({ axes = [], combinations = [] }) => (
          <>
            {axes.map(({ attribute, label, values = [] }) => (
              <MultiSelect
                key={attribute}
                label={nameIn(label, locale) || attribute}
                data={values.map((one) => ({ value: one.key, label: nameIn(one.label, locale) || one.key }))}
                value={[...(chosen[attribute] ?? values.map(({ key }) => key))]}
                onChange={(keys) => setChosen({ ...chosen, [attribute]: keys })}
                searchable
              />
            ))}
            <Text size="sm">{t('missingCombinations', { count: missing })}</Text>
            <Table.ScrollContainer minWidth={300} mah={320}>
              <Table aria-label={t('combinations')}>
                <Table.Tbody>
                  {combinations.map(({ level, article, name, tid: own }) => (
                    <Table.Tr key={`${level} ${article} ${name}`}>
                      <Table.Td pl={level === 'variant' ? 'xl' : 'xs'}>{name}</Table.Td>
                      <Table.Td>{t(own === undefined ? 'isNew' : 'exists')}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </>
        )}
      </Loaded>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {word('cancel')}
        </Button>
        <Button type="submit" disabled={missing === 0}>
          {t('createCombinations', { count: missing })}
        </Button>
      </Group>
    </FormModal>
  )
}
