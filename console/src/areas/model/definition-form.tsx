/** One attribute definition: what its values may be, who uses it, and what a change would break before it is made. */
import {
  Alert,
  Button,
  Checkbox,
  Fieldset,
  Group,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { attributeRequirements, attributeTypes } from '@kontor/contract'
import { IconCheck, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toItems, withName } from '../../object/items.ts'
import { useContentLocales } from '../../object/locales.ts'
import { type Definition, modelKey } from '../../object/model.ts'
import { settled } from '../../object/settle.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Failure } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'
import { DomainValues } from './domain-values.tsx'
import { texts } from './texts.ts'
import { useModelChange } from './use-model.ts'

const empty: Definition = { tid: '', type: 'text' }

export function DefinitionForm({ definition, onClose }: { definition: Definition | undefined; onClose: () => void }) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const model = useModelChange()
  const locales = useContentLocales().slice(0, 4)
  const [value, setValue] = useState<Definition>(definition ?? empty)
  const [fault, setFault] = useState<unknown>()
  const [checked, setChecked] = useState(false)
  const change = (changed: Partial<Definition>) => {
    setChecked(false)
    setFault(undefined)
    setValue((before) => ({ ...before, ...changed }))
  }
  const { meta: _, ...message } = value
  const check = async () => {
    setFault(undefined)
    try {
      await settled(model.pim['attribute-definitions'].persist([message], { dryRun: true }))
      setChecked(true)
    } catch (error) {
      setFault(error)
    }
  }
  const save = async () => {
    const done = await model.run(() => settled(model.pim['attribute-definitions'].persist([message])))
    if (!done) return
    tellDone(t('saved', { name: value.tid }))
    onClose()
  }
  const nameOf = (field: 'name' | 'tooltip', locale: string) =>
    value[field]?.itm?.find(({ loc }) => loc === locale)?.value ?? ''
  return (
    <Stack gap="md">
      {definition && <Usage definition={definition} />}
      <Group grow align="start">
        <TextInput
          label={t('tid')}
          value={value.tid}
          onChange={({ currentTarget }) => change({ tid: currentTarget.value })}
          disabled={definition !== undefined}
          required
          data-autofocus={!definition || undefined}
        />
        <Select
          label={t('type')}
          data={attributeTypes.map((type) => ({ value: type, label: t(type) }))}
          value={value.type}
          onChange={(type) => type && change({ type })}
          allowDeselect={false}
        />
      </Group>
      {locales.map(({ tid: locale }) => (
        <Group key={locale} grow align="start">
          <TextInput
            label={t('nameIn', { locale })}
            value={nameOf('name', locale)}
            onChange={({ currentTarget }) => change({ name: withName(value.name, locale, currentTarget.value) })}
          />
          <TextInput
            label={t('help', { locale })}
            value={nameOf('tooltip', locale)}
            onChange={({ currentTarget }) => change({ tooltip: withName(value.tooltip, locale, currentTarget.value) })}
          />
        </Group>
      ))}
      <Group grow align="center">
        <Select
          label={t('needed')}
          data={attributeRequirements.map((one) => ({ value: one, label: t(`requirement_${one}`) }))}
          value={value.required ?? 'optional'}
          onChange={(required) => required && change({ required: required as Definition['required'] })}
          allowDeselect={false}
        />
        <Stack gap="xs" pt="lg">
          <Checkbox
            label={t('localized')}
            checked={value.localized === 'true'}
            onChange={({ currentTarget }) => change({ localized: currentTarget.checked ? 'true' : 'false' })}
          />
          <Checkbox
            label={t('multiple')}
            checked={value.multiValued?.value === 'true'}
            onChange={({ currentTarget }) =>
              change({ multiValued: { ...value.multiValued, value: currentTarget.checked ? 'true' : 'false' } })
            }
          />
        </Stack>
      </Group>
      <Limits value={value} change={change} />
      {fault !== undefined && <Failure error={fault} />}
      {checked && (
        <Alert color="teal" icon={<IconCheck />} p="xs">
          {t('fine')}
        </Alert>
      )}
      {model.mayDefinitions && (
        <Group justify="space-between">
          {definition ? <DeleteButton definition={definition} onClose={onClose} /> : <span />}
          <Group>
            <Button variant="default" onClick={() => void check()} disabled={!value.tid}>
              {t('check')}
            </Button>
            <Button onClick={() => void save()} disabled={!value.tid}>
              {word('save')}
            </Button>
          </Group>
        </Group>
      )}
    </Stack>
  )
}

interface PartProps {
  readonly value: Definition
  readonly change: (changed: Partial<Definition>) => void
}

/** What depends on the type: values to choose from, length and pattern of texts, range of numbers, columns of tables. */
function Limits({ value, change }: PartProps) {
  const t = useTexts(texts)
  const { type, validation, domainRange, references } = value
  const number = (text: string | number) => (text === '' ? undefined : Number(text))
  if (type === 'table')
    return (
      <TagsInput
        label={t('columns')}
        value={references?.itm?.flatMap(({ key, value: tid }) => key ?? tid ?? []) ?? []}
        onChange={(tids) => change({ references: { itm: tids.map((tid) => ({ value: tid })) } })}
      />
    )
  return (
    <>
      {type === 'text' && (
        <Fieldset legend={t('length')}>
          <Group grow align="start">
            <NumberInput
              label={t('min')}
              min={0}
              value={validation?.minLength ?? ''}
              onChange={(min) => change({ validation: { ...validation, minLength: number(min) } })}
            />
            <NumberInput
              label={t('max')}
              min={0}
              value={validation?.maxLength ?? ''}
              onChange={(max) => change({ validation: { ...validation, maxLength: number(max) } })}
            />
            <TextInput
              label={t('pattern')}
              value={validation?.type ?? ''}
              onChange={({ currentTarget }) =>
                change({ validation: { ...validation, type: currentTarget.value || undefined } })
              }
            />
          </Group>
        </Fieldset>
      )}
      {(type === 'number' || type === 'date') && (
        <Fieldset legend={t('range')}>
          <Group grow align="end">
            <TextInput
              label={t('from')}
              type={type === 'date' ? 'date' : 'text'}
              value={domainRange?.from ?? ''}
              onChange={({ currentTarget }) =>
                change({ domainRange: { ...domainRange, from: currentTarget.value || undefined } })
              }
            />
            <TextInput
              label={t('to')}
              type={type === 'date' ? 'date' : 'text'}
              value={domainRange?.to ?? ''}
              onChange={({ currentTarget }) =>
                change({ domainRange: { ...domainRange, to: currentTarget.value || undefined } })
              }
            />
            {type === 'number' && (
              <Checkbox
                pb="xs"
                label={t('whole')}
                checked={domainRange?.intOnly === 'true'}
                onChange={({ currentTarget }) =>
                  change({ domainRange: { ...domainRange, intOnly: currentTarget.checked ? 'true' : 'false' } })
                }
              />
            )}
          </Group>
        </Fieldset>
      )}
      {type === 'text' && <DomainValues value={value.domainVals} onChange={(domainVals) => change({ domainVals })} />}
    </>
  )
}

function useUsage(tid: string) {
  const { pim } = useModelChange()
  return useQuery({
    queryKey: [...modelKey, 'usage', tid],
    queryFn: async () => (await pim.attributeUsage({ body: { tids: [tid] } })).attributes?.[0],
  })
}

function Usage({ definition: { tid } }: { definition: Definition }) {
  const t = useTexts(texts)
  const { data } = useUsage(tid)
  return (
    <Text size="sm" c="dimmed">
      {t('usage')}: {data ? t('usageOf', { nodes: data.nodes ?? 0, objects: data.objects ?? 0 }) : '…'}
    </Text>
  )
}

function DeleteButton({ definition: { tid }, onClose }: { definition: Definition; onClose: () => void }) {
  const t = useTexts(texts)
  const word = useTexts(words)
  const model = useModelChange()
  const { data } = useUsage(tid)
  const remove = () =>
    confirmDanger({
      title: t('deleteDefinition', { name: tid }),
      body: t('deleteDefinitionBody', { nodes: data?.nodes ?? 0, objects: data?.objects ?? 0 }),
      confirm: word('delete'),
      cancel: word('cancel'),
      onConfirm: () =>
        void model
          .run(() =>
            settled(
              model.pim['attribute-definitions'].perform([
                { type: 'delete', tid, meta: { itm: toItems({ force: 'true' }) } },
              ]),
            ),
          )
          .then((done) => done && onClose()),
    })
  return (
    <Button variant="subtle" color="red" leftSection={<IconTrash size={16} />} onClick={remove} disabled={!data}>
      {word('delete')}
    </Button>
  )
}
