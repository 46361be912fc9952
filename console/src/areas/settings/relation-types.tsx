/** Relation types: how products, articles and variations can be related. */
import { ActionIcon, Button } from '@mantine/core'
import { RelationType } from '@kontor/contract'
import { IconArrowsLeftRight, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { hide } from '../../object/fields.ts'
import { FormDialog } from '../../object/form-dialog.tsx'
import { nameIn, trimmedName } from '../../object/items.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { newId } from '../../object/new-id.ts'
import type { RelationTypeMessage } from '../../object/relation-types.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty } from '../../ui/states.tsx'
import { useAttempt } from './attempt.ts'
import { relationTexts } from './relation-texts.ts'

export function RelationTypesPart() {
  const t = useTexts(relationTexts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(relationTexts)
  const { pim } = useClient()
  const queries = useQueryClient()
  const attempt = useAttempt()
  const confirmDelete = useConfirmDelete()
  const [locale] = useContentLocale()
  const [edited, setEdited] = useState<RelationTypeMessage>()
  const types = useQuery({
    queryKey: ['settings', 'relationTypes'],
    queryFn: async () => (await pim.listRelationTypes()).types ?? [],
  })
  const stored = async <T,>(work: Promise<T>) => {
    const done = await attempt(work.then(() => true))
    await queries.invalidateQueries({ queryKey: ['relationTypes'] })
    return done
  }
  const nameOf = ({ tid = '', label }: RelationTypeMessage) => nameIn(label, locale) || tid
  const isNew = edited?.tid === undefined
  const taken = (types.data ?? []).flatMap(({ tid }) => tid ?? [])
  const isTaken = ({ tid = '' }: RelationTypeMessage) => isNew && taken.includes(tid.trim())
  const levels = (['product', 'article', 'variant'] as const).map((value) => ({ value, label: t(value) }))
  const create = <Button onClick={() => setEdited({ sources: ['product', 'article', 'variant'], targets: ['product', 'article', 'variant'] })}>{t('newType')}</Button> // prettier-ignore
  return (
    <>
      <ListPage
        type={RelationType}
        label={t('relationTypes')}
        query={types}
        labelOf={labelOf}
        keyOf={({ tid = '' }) => tid}
        onOpen={setEdited}
        tools={create}
        empty={
          <Empty icon={IconArrowsLeftRight} title={t('none')} action={create}>
            {t('noneHint')}
          </Empty>
        }
        fields={{
          tid: { width: '10rem' },
          label: { width: 'minmax(10rem, 2fr)', text: nameOf },
          inverse: { width: 'minmax(10rem, 2fr)', text: ({ inverse }) => nameIn(inverse, locale) },
          quantity: { width: '8rem' },
          uses: { width: '7rem' },
          sources: false,
          targets: false,
          pos: false,
        }}
        actions={(one) => (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`${w('delete')}: ${nameOf(one)}`}
            onClick={() =>
              confirmDelete(t('deleteType', { name: nameOf(one) }), t('deleteBody'), () =>
                stored(pim.deleteRelationType({ params: { tid: one.tid ?? '' } })),
              )
            }
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
        actionsWidth="4rem"
      />
      {edited && (
        <FormDialog<RelationTypeMessage>
          type={RelationType}
          title={isNew ? t('newType') : nameOf(edited)}
          submitLabel={w('save')}
          initial={edited}
          draftOf={`relationType.${edited.tid ?? 'new'}`}
          labelOf={labelOf}
          fields={(value) => ({
            label: { names: { most: 6 } },
            inverse: { names: { most: 6 } },
            tid: { description: t('tidHint'), disabled: !isNew, error: isTaken(value) ? w('idTaken') : undefined },
            sources: { options: levels, required: true },
            targets: { options: levels, required: true },
            quantity: {},
            pos: { min: 0, max: 10_000 },
            ...hide('uses'),
          })}
          canSubmit={(value) => !isTaken(value) && (value.tid?.trim() || nameIn(value.label, locale)) !== ''}
          onSubmit={({ tid = '', label = {}, inverse = {}, uses: _uses, ...body }) =>
            stored(
              pim.putRelationType({
                params: { tid: tid.trim() || newId(nameIn(label, locale), taken) },
                body: { ...body, label: trimmedName(label), inverse: trimmedName(inverse) },
              }),
            )
          }
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
