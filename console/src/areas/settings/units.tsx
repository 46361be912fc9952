/** Units of measurement with their families, and currencies. */
import { ActionIcon, Badge, Button, Group } from '@mantine/core'
import { type Infer, Unit } from '@kontor/contract'
import { IconRuler2, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { hide } from '../../object/fields.ts'
import { FormDialog } from '../../object/form-dialog.tsx'
import { nameIn, trimmedName } from '../../object/items.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { useFamilyName } from '../../object/unit-families.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { adminTexts } from './admin-texts.ts'
import { useAttempt } from './attempt.ts'

type UnitValue = Infer<typeof Unit>
type Kind = NonNullable<UnitValue['kind']>

/** The part of the message about conversion; empty without a family. */
const sizeOf = ({ family = '', factor, offset, synonyms }: UnitValue) =>
  family.trim() === ''
    ? {}
    : {
        family: family.trim(),
        ...(factor !== undefined && { factor }),
        ...(offset !== undefined && { offset }),
        ...(synonyms && { synonyms }),
      }

export const UnitsPart = () => <Units kind="measure" />
export const CurrenciesPart = () => <Units kind="currency" />

function Units({ kind }: { kind: Kind }) {
  const t = useTexts(adminTexts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(adminTexts)
  const { common } = useClient()
  const attempt = useAttempt()
  const confirmDelete = useConfirmDelete()
  const [locale] = useContentLocale()
  const familyName = useFamilyName()
  const [edited, setEdited] = useState<UnitValue>()
  const units = useQuery({
    queryKey: ['settings', 'units', kind],
    queryFn: async () => ((await common.listUnits()).units ?? []).filter((unit) => unit.kind === kind),
  })
  const isNew = edited?.code === undefined
  const newTitle = t(kind === 'measure' ? 'newUnit' : 'newCurrency')
  const create = <Button onClick={() => setEdited({ kind })}>{newTitle}</Button>
  const remove = (code: string) =>
    confirmDelete(t('deleteUnit', { code }), t('deleteUnitBody'), () =>
      attempt(common.deleteUnit({ params: { code } })),
    )
  return (
    <>
      <ListPage
        type={Unit}
        label={t(kind)}
        query={units}
        labelOf={labelOf}
        keyOf={({ code = '' }) => code}
        onOpen={setEdited}
        tools={create}
        empty={
          <Empty icon={IconRuler2} title={t('noUnits')} action={create}>
            {t('unitsHint')}
          </Empty>
        }
        fields={{
          code: { width: '8rem' },
          name: { width: 'minmax(12rem, 2fr)', text: ({ name }) => nameIn(name, locale) },
          family: kind === 'measure' && { width: '12rem', text: ({ family }) => (family ? familyName(family) : '') },
          ...hide('factor', 'offset', 'synonyms', 'builtIn'),
          uses: {
            width: '12rem',
            text: ({ uses = 0 }) => String(uses),
            show: ({ uses = 0 }) => (
              <Badge variant="light" color={uses > 0 ? 'harbour' : 'gray'} tt="none">
                {t('usedBy', { count: uses })}
              </Badge>
            ),
          },
          kind: false,
        }}
        actions={(unit) => (
          <Group gap={4} wrap="nowrap">
            <Button size="compact-sm" variant="subtle" onClick={() => setEdited(unit)}>
              {w('edit')}
            </Button>
            {unit.uses === 0 && (
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={`${w('delete')}: ${unit.code}`}
                onClick={() => remove(unit.code!)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </Group>
        )}
        actionsWidth="11rem"
      />
      {edited && (
        <FormDialog<UnitValue>
          type={Unit}
          title={edited.code ?? newTitle}
          submitLabel={w('save')}
          initial={edited}
          labelOf={labelOf}
          fields={{
            code: { description: t('unitHint'), required: true, disabled: !isNew },
            name: { names: { most: 6 } },
            family: kind === 'measure' && { description: t('familyHint'), disabled: edited.builtIn ?? false },
            factor: kind === 'measure' && { description: t('factorHint'), disabled: edited.builtIn ?? false },
            synonyms: kind === 'measure' && { disabled: edited.builtIn ?? false },
            ...hide('offset', 'builtIn', 'kind', 'uses'),
          }}
          canSubmit={({ code = '' }) =>
            code.trim() !== '' && !(isNew && units.data?.some((one) => one.code === code.trim()))
          }
          onSubmit={({ code = '', name = {}, ...unit }) =>
            attempt(
              common.putUnit({
                params: { code: code.trim() },
                body: { kind, name: trimmedName(name), ...(unit.builtIn ? {} : sizeOf(unit)) },
              }),
            )
          }
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
