/** The usage rights of a file: shown, edited, overridden, and the file replaced everywhere. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { type Infer, usageMedia, UsageRights } from '@kontor/contract'
import { IconCopyright } from '@tabler/icons-react'
import { useState } from 'react'
import { useClient, useMayAt } from '../../../object/client.tsx'
import type { FormFields } from '../../../object/form.tsx'
import { FormDialog } from '../../../object/form-dialog.tsx'
import { withField } from '../../../object/fields.ts'
import { useLabels } from '../../../object/labels.ts'
import { codesOf } from '../../../object/locale-codes.ts'
import { Picker, useNames } from '../../../object/picker.tsx'
import { accepted } from '../../../object/records.ts'
import { UsageBadge } from '../../../object/usage-badge.tsx'
import { usageTexts } from '../../../object/usage-texts.ts'
import { commonTexts } from '../../../ui/common-texts.ts'
import { useFormat } from '../../../ui/format.ts'
import { useLanguage, useTexts } from '../../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { Empty } from '../../../ui/states.tsx'
import { type AssetMessage, containerOf, useRefresh } from '../assets.ts'
import { Facts } from './facts.tsx'
import { OverrideDialog, ReplaceDialog } from './rights-dialogs.tsx'

type Rights = Infer<typeof UsageRights>
const dates = ['validFrom', 'validUntil', 'embargoUntil'] as const

export function RightsTab({ asset }: { asset: AssetMessage }) {
  const t = useTexts(usageTexts)
  const may = useMayAt('asset', 'dir', containerOf(asset))
  const [dialog, setDialog] = useState<'edit' | 'override' | 'replace'>()
  const close = () => setDialog(undefined)
  const { usageRights } = asset
  const edit = may('update') && <Button onClick={() => setDialog('edit')}>{t('edit')}</Button>
  return (
    <Stack gap="md">
      {usageRights ? (
        <RightsFacts rights={usageRights} />
      ) : (
        <Empty icon={IconCopyright} title={t('none')}>
          {t('noneHint')}
        </Empty>
      )}
      <Group gap="xs">
        {edit}
        {may('link') && (
          <Button variant="default" onClick={() => setDialog('replace')}>
            {t('replace')}
          </Button>
        )}
        {may('override') && usageRights && (
          <Button variant="default" onClick={() => setDialog('override')}>
            {t('override')}
          </Button>
        )}
      </Group>
      {dialog === 'edit' && <RightsForm asset={asset} onClose={close} />}
      {dialog === 'override' && <OverrideDialog asset={asset} onClose={close} />}
      {dialog === 'replace' && <ReplaceDialog asset={asset} onClose={close} />}
    </Stack>
  )
}

function RightsFacts({ rights }: { rights: Rights }) {
  const t = useTexts(usageTexts)
  const format = useFormat()
  const { language } = useLanguage()
  const channelName = useNames('project', rights.channels ?? [])
  const countries = new Map(codesOf('region', language).map(({ value, label }) => [value, label]))
  const list = (values: readonly string[] | undefined, nameOf: (value: string) => string) =>
    values?.map(nameOf).join(', ') ?? t('unrestricted')
  const date = (text: string | undefined) => text && format.date(text)
  const { state, overrideBy, overrideUntil, overrideReason } = rights
  const isOverridden = overrideUntil !== undefined && Date.parse(overrideUntil) > Date.now()
  return (
    <>
      <UsageBadge state={state} size="lg" />
      {isOverridden && (
        <Text size="sm">
          {t('overriddenBy', {
            user: overrideBy ?? '',
            date: format.date(overrideUntil),
            reason: overrideReason ?? '',
          })}
        </Text>
      )}
      <Facts
        facts={[
          [t('licence'), rights.licence],
          [t('holder'), rights.holder],
          [t('creditLine'), rights.creditLine],
          [t('releases'), rights.releases?.join(', ')],
          [t('validFrom'), date(rights.validFrom)],
          [t('validUntil'), date(rights.validUntil)],
          [t('embargoUntil'), date(rights.embargoUntil)],
          [t('territories'), list(rights.territories, (code) => countries.get(code) ?? code)],
          [t('channels'), list(rights.channels, channelName)],
          [t('hiddenChannels'), rights.hiddenChannels],
          [t('media'), list(rights.media, (medium) => t(medium as (typeof usageMedia)[number]))],
        ]}
      />
    </>
  )
}

function RightsForm({ asset, onClose }: { asset: AssetMessage; onClose: () => void }) {
  const t = useTexts(usageTexts)
  const w = useTexts(commonTexts)
  const { language } = useLanguage()
  const labelOf = useLabels(usageTexts)
  const { dam } = useClient()
  const refresh = useRefresh()
  const { tid = '', usageRights = {} } = asset
  const initial = Object.fromEntries(
    Object.entries(usageRights).map(([name, value]) => [
      name,
      dates.some((date) => date === name) ? String(value).slice(0, 10) : value,
    ]),
  ) as Rights
  const fields = {
    licence: {},
    holder: {},
    creditLine: {},
    releases: { description: t('releasesHint') },
    validFrom: {},
    validUntil: { description: t('validUntilHint') },
    embargoUntil: {},
    territories: { options: codesOf('region', language) },
    channels: {
      control: (now: Rights, onChange: (next: Rights) => void) => (
        <Picker
          kind="project"
          label={t('channels')}
          description={t('channelsHint')}
          value={now.channels ?? []}
          onChange={(channels) => onChange(withField(now, 'channels', channels.length > 0 ? channels : undefined))}
        />
      ),
    },
    media: { options: usageMedia.map((value) => ({ value, label: t(value) })) },
    state: false,
    hiddenChannels: false,
    overrideUntil: false,
    overrideBy: false,
    overrideReason: false,
  } satisfies FormFields<Rights>
  const submit = async ({ state: _state, hiddenChannels: _hidden, ...sent }: Rights) => {
    const { overrideUntil: _until, overrideBy: _by, overrideReason: _reason, ...terms } = sent
    try {
      await accepted(dam.assets.persist([{ tid, usageRights: terms }]))
      notifyDone(t('saved'))
      refresh()
      return true
    } catch (error) {
      notifyFailed(w('failed'), error)
      return false
    }
  }
  return (
    <FormDialog<Rights>
      type={UsageRights}
      title={t('edit')}
      submitLabel={w('save')}
      initial={initial}
      draftOf={`usage.${tid}`}
      labelOf={labelOf}
      fields={fields}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}
