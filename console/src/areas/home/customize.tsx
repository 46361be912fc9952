/** Chooses the widgets of the home page and their order. The choice is stored with the account of the user. */
import { ActionIcon, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '../../object/change.ts'
import { useClient, useMe } from '../../object/client.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'
import { allWidgets, chosenWidgets, moved, type WidgetName, widgets } from './widgets.ts'

export function Customize({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { identity } = useClient()
  const { homeWidgets } = useMe()
  const change = useChange(['me'])
  const [chosen, setChosen] = useState<readonly WidgetName[]>(() => chosenWidgets(homeWidgets))
  const listed = [...chosen, ...allWidgets.filter((name) => !chosen.includes(name))]
  const store = async (names: readonly WidgetName[]) => {
    if (await change(() => identity.changeMe({ body: { homeWidgets: [...names] } }))) onClose()
  }
  const toggle = (name: WidgetName, isOn: boolean) =>
    setChosen(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))
  return (
    <FormModal title={t('customize')} onSubmit={() => store(chosen)} onClose={onClose}>
      <Stack gap="sm" role="list">
        {listed.map((name) => {
          const { title, hint } = widgets[name]
          const index = chosen.indexOf(name)
          const isOn = index >= 0
          const mover = (by: -1 | 1) => (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t(by < 0 ? 'moveUp' : 'moveDown', { name: t(title) })}
              disabled={!isOn || index + by < 0 || index + by >= chosen.length}
              onClick={() => setChosen(moved(chosen, index, by))}
            >
              {by < 0 ? <IconArrowUp size={16} /> : <IconArrowDown size={16} />}
            </ActionIcon>
          )
          return (
            <Group key={name} role="listitem" wrap="nowrap" justify="space-between">
              <Switch
                checked={isOn}
                onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
                label={t(title)}
                description={t(hint)}
              />
              <Group gap={2} wrap="nowrap">
                {mover(-1)}
                {mover(1)}
              </Group>
            </Group>
          )
        })}
      </Stack>
      {chosen.length === 0 && <Text size="sm">{t('needsOne')}</Text>}
      <Group justify="space-between">
        <Button variant="default" onClick={() => void store([])}>
          {t('restoreDefault')}
        </Button>
        <Button type="submit" disabled={chosen.length === 0}>
          {word('save')}
        </Button>
      </Group>
    </FormModal>
  )
}
