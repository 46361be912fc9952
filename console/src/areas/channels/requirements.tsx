/** The languages, attributes and pictures that a channel requires: a line that names them, and a dialog to choose them. */
import { Button, Group, Text } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { useLocaleName } from '../../object/locales.ts'
import { useAttributes } from '../../object/model.ts'
import { Picker } from '../../object/picker.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { allows, type Channel, channelsKey } from './channels.ts'
import { type Picture, RequiredPictures, toPictures, usePictureWords } from './required-pictures.tsx'
import { readinessTexts } from './readiness-texts.ts'

function useRequirement({ tid = '' }: Channel) {
  const { cm } = useClient()
  return useQuery({
    queryKey: [...channelsKey, 'requirement', tid],
    queryFn: async () => (await cm.retrieveRequirements({ body: { tids: [tid] } })).channels?.[0] ?? {},
  })
}
type Requirement = NonNullable<ReturnType<typeof useRequirement>['data']>

/** The names of languages and attributes in lists, with what applies if there is none. */
function useWords() {
  const t = useTexts(readinessTexts)
  const localeName = useLocaleName()
  const attributes = useAttributes()
  return {
    locales: (tids: readonly string[] | undefined) => (tids ? tids.map(localeName).join(', ') : t('allLocales')),
    attributes: (tids: readonly string[] | undefined) =>
      tids ? tids.map((tid) => attributes.get(tid)?.label ?? tid).join(', ') : t('ofModel'),
  }
}

export function Requirements({ channel }: { readonly channel: Channel }) {
  const t = useTexts(readinessTexts)
  const words = useWords()
  const { data } = useRequirement(channel)
  const [isOpen, setOpen] = useState(false)
  const pictureWords = usePictureWords()
  if (!data) return null
  const attributes = data.attributes ?? data.inheritedAttributes
  const pictures = data.pictures ?? data.inheritedPictures
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" title={words.attributes(attributes)}>
        {t('counted', {
          locales: words.locales(data.locales ?? data.inheritedLocales),
          attributes: attributes ? t('countedAttributes', { count: attributes.length }) : t('ofModel'),
        })}
        {pictures && ` ${t('countedPictures', { pictures: pictureWords(pictures) })}`}
      </Text>
      {allows(channel, 'update') && (
        <Button variant="default" leftSection={<IconListCheck size={16} />} onClick={() => setOpen(true)}>
          {t('requirements')}
        </Button>
      )}
      {isOpen && <RequirementsDialog channel={channel} stored={data} onClose={() => setOpen(false)} />}
    </Group>
  )
}

interface RequirementsDialogProps {
  readonly channel: Channel
  readonly stored: Requirement
  readonly onClose: () => void
}

function RequirementsDialog({ channel: { tid = '', name = tid }, stored, onClose }: RequirementsDialogProps) {
  const t = useTexts(readinessTexts)
  const word = useTexts(commonTexts)
  const words = useWords()
  const { cm } = useClient()
  const change = useChange(channelsKey, ['readiness'], ['completeness'])
  const [locales, setLocales] = useState<readonly string[]>(stored.locales ?? [])
  const [attributes, setAttributes] = useState<readonly string[]>(stored.attributes ?? [])
  const [pictures, setPictures] = useState<readonly Picture[]>(stored.pictures ?? [])
  const save = async () => {
    const body = { tid, locales: [...locales], attributes: [...attributes], pictures: toPictures(pictures) }
    if (!(await change(() => cm.persistRequirement({ body })))) return
    notifyDone(t('requirementsSaved'))
    onClose()
  }
  return (
    <FormModal title={t('requirementsOf', { name })} size="lg" onSubmit={save} onClose={onClose}>
      <Picker
        kind="locale"
        label={t('requiredLocales')}
        description={t('localesHint', { inherited: words.locales(stored.inheritedLocales) })}
        value={locales}
        onChange={setLocales}
        autoFocus
      />
      <Picker
        kind="attribute"
        label={t('requiredAttributes')}
        description={t('attributesHint', { inherited: words.attributes(stored.inheritedAttributes) })}
        value={attributes}
        onChange={setAttributes}
      />
      <RequiredPictures value={pictures} inherited={stored.inheritedPictures} onChange={setPictures} />
      <Group justify="flex-end">
        <Button type="submit">{word('save')}</Button>
      </Group>
    </FormModal>
  )
}
