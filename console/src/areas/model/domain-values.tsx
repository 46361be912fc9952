/** The values of a closed list: a key each, and a label in the chosen content language. */
import { ActionIcon, Button, Checkbox, Fieldset, Group, Stack, TextInput } from '@mantine/core'
import type { DomainVals, Infer } from '@kontor/contract'
import { IconPlus, IconX } from '@tabler/icons-react'
import { valueIn, withValue } from '../../object/items.ts'
import { newId } from '../../object/new-id.ts'
import { useContentLocale, useLocaleName } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

type Domain = Infer<typeof DomainVals>
type DomainValue = NonNullable<Domain['domainVal']>[number]

const labelsOf = ({ itm = [] }: DomainValue) => ({ itm })
/** The list of labels replaces the stored one, so an emptied label is simply left out. */
const withoutEmpty = ({ itm }: ReturnType<typeof withValue>) => ({ itm: itm.filter(({ value }) => value !== '') })

/** Values without a key get one from their first label; those without a label are left out. */
export function withKeys(domain: Domain): Domain {
  const values = (domain.domainVal ?? []).filter(({ tid, itm = [] }) => tid || itm.length > 0)
  const taken = values.flatMap(({ tid }) => tid || [])
  const keyed = values.map((one) => {
    if (one.tid) return one
    const tid = newId(one.itm?.[0]?.value ?? '', taken)
    taken.push(tid)
    return { ...one, tid }
  })
  return { ...domain, domainVal: keyed }
}

interface DomainValuesProps {
  readonly readOnly: boolean
  readonly value: Domain | undefined
  readonly onChange: (value: Domain) => void
}

export function DomainValues({ value, readOnly, onChange }: DomainValuesProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [locale] = useContentLocale()
  const label = t('domainLabel', { locale: useLocaleName()(locale) })
  const values = value?.domainVal ?? []
  const put = (index: number, changed: Partial<DomainValue>) =>
    onChange({ ...value, domainVal: values.map((one, i) => (i === index ? { ...one, ...changed } : one)) })
  return (
    <Fieldset legend={t('domainVals')} disabled={readOnly}>
      <Stack gap="xs">
        {values.map((one, index) => (
          <Group key={index} wrap="nowrap" gap="xs">
            <TextInput
              size="xs"
              flex={1}
              aria-label={`${label} ${index + 1}`}
              placeholder={label}
              value={valueIn(labelsOf(one), locale)}
              onChange={({ currentTarget }) =>
                put(index, withoutEmpty(withValue(labelsOf(one), locale, currentTarget.value)))
              }
            />
            <TextInput
              size="xs"
              aria-label={`${t('domainKey')} ${index + 1}`}
              placeholder={t('domainKey')}
              value={one.tid}
              onChange={({ currentTarget }) => put(index, { tid: currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${word('remove')} ${one.tid}`}
              onClick={() => onChange({ ...value, domainVal: values.filter((_, i) => i !== index) })}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group justify="space-between">
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange({ ...value, domainVal: [...values, { tid: '' }] })}
          >
            {t('addValue')}
          </Button>
          {values.length > 0 && (
            <Checkbox
              size="xs"
              label={t('allowNewValue')}
              checked={value?.allowNewValue === 'true'}
              onChange={({ currentTarget }) =>
                onChange({ ...value, allowNewValue: currentTarget.checked ? 'true' : 'false' })
              }
            />
          )}
        </Group>
      </Stack>
    </Fieldset>
  )
}
