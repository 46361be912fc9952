/** The form of a briefing: pages with a title, a text and a size. What is typed is kept as a draft until it is saved. */
import { ActionIcon, Alert, Button, Fieldset, Group, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core' // prettier-ignore
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { useContentLocale, useLocaleName } from '../../object/locales.ts'
import { storedDraft } from '../../object/stored-draft.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { type Briefing, type LayoutMessage, measure } from './briefing.ts'
import { briefingTexts } from './briefing-texts.ts'
import { type Channel, useChannelChange } from './channels.ts'

interface BriefingFormProps {
  readonly channel: Channel
  readonly config: string
  readonly briefing: Briefing | undefined
  readonly onClose: () => void
}

const sizes = ['width', 'height'] as const

/** A page with a new measure; zero removes it. */
const withMeasure = (page: LayoutMessage, identifier: string, value: number): LayoutMessage => ({
  ...page,
  attribute: [
    ...(page.attribute ?? []).filter((one) => one.identifier !== identifier),
    ...(value > 0 ? [{ identifier, value: String(value) }] : []),
  ],
})

export function BriefingForm({ channel: { tid = '' }, config, briefing, onClose }: BriefingFormProps) {
  const t = useTexts(briefingTexts)
  const word = useTexts(commonTexts)
  const format = useFormat()
  const { cm } = useClient()
  const { id: userId = '' } = useMe()
  const [locale] = useContentLocale()
  const localeName = useLocaleName()(locale)
  const change = useChannelChange()
  const stored = briefing?.layout ?? [{}]
  const draft = storedDraft<LayoutMessage[]>(
    userId,
    `briefing.${JSON.stringify([tid, config, briefing?.locale ?? ''])}`,
  )
  const [found, setFound] = useState(() => draft.read())
  const [pages, setPages] = useState<readonly LayoutMessage[]>(found?.changes ?? stored)
  const [scope, setScope] = useState(briefing?.locale ?? '')
  const edit = (next: readonly LayoutMessage[]) => {
    setPages(next)
    draft.write([...next])
  }
  const setPage = (index: number, page: LayoutMessage) => edit(pages.map((one, i) => (i === index ? page : one)))
  const discard = () => {
    draft.write(undefined)
    setFound(undefined)
    setPages(stored)
  }
  const persist = async (layout: LayoutMessage[], done: string) => {
    const briefingInfo = { ...(scope && { locale: scope }), ...(config && { briefingModuleCfgTid: config }) }
    if (!(await change(() => cm.persistBriefing({ body: { tid, briefingInfo, layout } })))) return
    draft.write(undefined)
    notifyDone(done)
    onClose()
  }
  return (
    <FormModal
      title={t(briefing ? 'editBriefing' : 'write')}
      size="xl"
      keepsInput
      onSubmit={() => persist([...pages], t('savedBriefing'))}
      onClose={onClose}
    >
      {found && (
        <Alert color="amber">
          <Group justify="space-between">
            <Text size="sm">{t('fromDraft', { when: format.ago(new Date(found.at).toISOString()) })}</Text>
            <Button size="compact-sm" variant="default" onClick={discard}>
              {t('discardDraft')}
            </Button>
          </Group>
        </Alert>
      )}
      <Select
        label={t('appliesTo')}
        data={[
          { value: '', label: t('allLocales') },
          { value: locale, label: t('onlyIn', { locale: localeName }) },
        ]}
        value={scope}
        allowDeselect={false}
        onChange={(chosen) => setScope(chosen ?? '')}
        maw={360}
      />
      {pages.map((page, i) => (
        <PageFields
          key={i}
          page={page}
          number={i + 1}
          onChange={(next) => setPage(i, next)}
          onRemove={pages.length > 1 ? () => edit(pages.filter((_, at) => at !== i)) : undefined}
        />
      ))}
      <Group justify="space-between">
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => edit([...pages, {}])}>
          {t('addPage')}
        </Button>
        <Group>
          {briefing && scope === (briefing.locale ?? '') && (
            <Button variant="light" color="red" onClick={() => void persist([], t('deletedBriefing'))}>
              {t('deleteBriefing')}
            </Button>
          )}
          <Button type="submit">{word('save')}</Button>
        </Group>
      </Group>
    </FormModal>
  )
}

interface PageFieldsProps {
  readonly page: LayoutMessage
  readonly number: number
  readonly onChange: (page: LayoutMessage) => void
  readonly onRemove: (() => void) | undefined
}

function PageFields({ page, number, onChange, onRemove }: PageFieldsProps) {
  const t = useTexts(briefingTexts)
  const boxes = page.boxes?.box?.length ?? 0
  return (
    <Fieldset legend={t('page', { number })}>
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t('pageTitle', { number })}
            value={page.name ?? ''}
            onChange={({ currentTarget }) => onChange({ ...page, name: currentTarget.value })}
            {...(number === 1 && { 'data-autofocus': true })}
          />
          {onRemove && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('removePage', { number })}
              onClick={onRemove}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
        <Textarea
          label={t('pageText', { number })}
          autosize
          minRows={4}
          maxRows={16}
          value={page.seitenbriefing ?? ''}
          onChange={({ currentTarget }) => onChange({ ...page, seitenbriefing: currentTarget.value })}
        />
        <Group>
          {sizes.map((name) => (
            <NumberInput
              key={name}
              label={t(name)}
              description={name === 'width' ? t('sizeHint') : ' '}
              min={0}
              w={name === 'width' ? 320 : 160}
              value={measure(page, name) || ''}
              onChange={(value) => onChange(withMeasure(page, name, Number(value)))}
            />
          ))}
        </Group>
        {boxes > 0 && (
          <Text size="xs" c="dimmed">
            {t('keepsBoxes', { count: boxes })}
          </Text>
        )}
      </Stack>
    </Fieldset>
  )
}
