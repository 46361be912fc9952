/** The checks of quality that count in a channel: a line that counts them, and a dialog with their weights and limits. */
import {
  ActionIcon,
  Autocomplete,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Stack,
  Switch,
  Text,
  Title,
} from '@mantine/core'
import { IconPlus, IconRosetteDiscountCheck, IconTrash } from '@tabler/icons-react'
import { type ChannelQuality, type Infer, qualityChecks, type QualitySetting } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { useAttributes } from '../../object/model.ts'
import { usePictureRoles } from '../../object/picture-roles.ts'
import { Picker } from '../../object/picker.tsx'
import type { CheckName } from '../../object/quality.ts'
import { qualityTexts } from '../../object/quality-texts.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { FormModal } from '../../ui/form-modal.tsx'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { allows, type Channel, channelsKey } from './channels.ts'

type Setting = Infer<typeof QualitySetting>
type Stored = Infer<typeof ChannelQuality>

export function QualityChecks({ channel }: { readonly channel: Channel }) {
  const t = useTexts(qualityTexts)
  const { cm } = useClient()
  const { tid = '' } = channel
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: [...channelsKey, 'quality', tid],
    queryFn: async () => (await cm.retrieveChannelQuality({ body: { tids: [tid] } })).channels?.[0] ?? {},
  })
  if (!data) return null
  const checks = data.checks ?? data.inheritedChecks ?? []
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {t('counted', { count: checks.length })}
      </Text>
      {allows(channel, 'update') && (
        <Button variant="default" leftSection={<IconRosetteDiscountCheck size={16} />} onClick={() => setOpen(true)}>
          {t('checks')}
        </Button>
      )}
      {isOpen && <ChecksDialog channel={channel} stored={data} onClose={() => setOpen(false)} />}
    </Group>
  )
}

interface ChecksDialogProps {
  readonly channel: Channel
  readonly stored: Stored
  readonly onClose: () => void
}

const single = qualityChecks.filter((check) => check !== 'length')

function ChecksDialog({ channel: { tid = '', name = tid }, stored, onClose }: ChecksDialogProps) {
  const t = useTexts(qualityTexts)
  const word = useTexts(commonTexts)
  const { cm } = useClient()
  const change = useChange(channelsKey, ['completeness'], ['search'])
  const [isInherited, setInherited] = useState(stored.checks === undefined)
  const [checks, setChecks] = useState<readonly Setting[]>(stored.checks ?? stored.inheritedChecks ?? [])
  const lengths = checks.filter(({ check }) => check === 'length')
  const others = checks.filter(({ check }) => check !== 'length')
  const save = async () => {
    const body = { tid, checks: isInherited ? [] : [...checks] }
    if (!(await change(() => cm.persistChannelQuality({ body })))) return
    notifyDone(t('checksSaved'))
    onClose()
  }
  const put = (check: CheckName, next: Setting | undefined) =>
    setChecks([...others.filter((one) => one.check !== check), ...(next ? [next] : []), ...lengths])
  return (
    <FormModal title={t('checksOf', { name })} size="lg" onSubmit={save} onClose={onClose}>
      <Switch
        label={t('inherit')}
        description={t('inheritHint')}
        checked={isInherited}
        onChange={({ currentTarget }) => setInherited(currentTarget.checked)}
      />
      {!isInherited && (
        <>
          <Stack gap="xs">
            {single.map((check) => (
              <CheckRow
                key={check}
                check={check}
                setting={others.find((one) => one.check === check)}
                onChange={(next) => put(check, next)}
              />
            ))}
          </Stack>
          <Lengths lengths={lengths} onChange={(next) => setChecks([...others, ...next])} />
        </>
      )}
      <Group justify="flex-end">
        <Button type="submit" disabled={!isInherited && checks.length === 0}>
          {word('save')}
        </Button>
      </Group>
    </FormModal>
  )
}

interface CheckRowProps {
  readonly check: CheckName
  readonly setting: Setting | undefined
  readonly onChange: (setting: Setting | undefined) => void
}

function CheckRow({ check, setting, onChange }: CheckRowProps) {
  const t = useTexts(qualityTexts)
  const { names, nameOf, roleOf } = usePictureRoles()
  return (
    <Group align="flex-end" wrap="wrap">
      <Checkbox
        flex={1}
        pb={8}
        label={t(check)}
        checked={setting !== undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? { check, weight: 1 } : undefined)}
      />
      {setting && check === 'mainPicture' && (
        <Autocomplete
          label={t('role')}
          placeholder={t('anyRole')}
          data={names}
          value={nameOf(setting.role ?? '')}
          onChange={(text) => onChange(withField(setting, 'role', roleOf(text) || undefined))}
        />
      )}
      {
        setting && check === 'identicalTexts' &&
        <NumberField label={t('minCompared')} value={setting.min} onChange={(min) => onChange(withField(setting, 'min', min))} /> // prettier-ignore
      }
      {setting && (
        <NumberInput
          w={90}
          min={1}
          max={10}
          allowDecimal={false}
          label={t('weightShort')}
          aria-label={t('weight', { check: t(check) })}
          value={setting.weight ?? 1}
          onChange={(value) => onChange({ ...setting, weight: Number(value) || 1 })}
        />
      )}
    </Group>
  )
}

/** The setting with a field, or without it if there is no value. */
function withField<F extends 'min' | 'max' | 'role'>(setting: Setting, field: F, value: Setting[F]): Setting {
  const next: Setting = { ...setting, [field]: value }
  if (value === undefined) delete next[field]
  return next
}

interface NumberFieldProps {
  readonly label: string
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

const NumberField = ({ label, value, onChange }: NumberFieldProps) => (
  <NumberInput
    label={label}
    w={140}
    min={0}
    max={1_000_000}
    allowDecimal={false}
    value={value ?? ''}
    onChange={(next) => onChange(next === '' ? undefined : Number(next))}
  />
)

interface LengthsProps {
  readonly lengths: readonly Setting[]
  readonly onChange: (lengths: readonly Setting[]) => void
}

function Lengths({ lengths, onChange }: LengthsProps) {
  const t = useTexts(qualityTexts)
  const attributes = useAttributes()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const labelOf = (attr: string) => attributes.get(attr)?.label ?? attr
  const add = () => {
    const fresh = chosen.filter((attr) => !lengths.some((one) => one.attr === attr))
    onChange([...lengths, ...fresh.map((attr): Setting => ({ check: 'length', attr, weight: 1, min: 1 }))])
    setChosen([])
  }
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('lengths')}
      </Title>
      <Text size="xs" c="dimmed">
        {t('lengthsHint')}
      </Text>
      {lengths.map((setting) => {
        const { attr = '', min, max } = setting
        const put = (next: Setting) => onChange(lengths.map((one) => (one.attr === attr ? next : one)))
        return (
          <Group key={attr} align="flex-end" role="group" aria-label={labelOf(attr)}>
            <Text size="sm" flex={1} pb={8}>
              {labelOf(attr)}
            </Text>
            <NumberField label={t('min')} value={min} onChange={(next) => put(withField(setting, 'min', next))} />
            <NumberField label={t('max')} value={max} onChange={(next) => put(withField(setting, 'max', next))} />
            <ActionIcon
              variant="subtle"
              color="red"
              mb={4}
              aria-label={t('removeLength', { attr: labelOf(attr) })}
              onClick={() => onChange(lengths.filter((one) => one.attr !== attr))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        )
      })}
      <Group align="flex-end">
        <Stack flex={1} gap={0}>
          <Picker kind="attribute" label={t('attribute')} value={chosen} onChange={setChosen} />
        </Stack>
        <Button variant="default" leftSection={<IconPlus size={16} />} disabled={chosen.length === 0} onClick={add}>
          {t('addLength')}
        </Button>
      </Group>
    </Stack>
  )
}
