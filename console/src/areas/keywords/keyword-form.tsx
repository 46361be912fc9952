/** The names of one keyword: the technical one, and one per content language. An emptied name is removed. */
import { Anchor, Button, Group, Stack, Title } from '@mantine/core'
import { Keyword } from '@kontor/contract'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../object/client.tsx'
import { hide } from '../../object/fields.ts'
import { DraftNotice, useFormDraft } from '../../object/form-draft.tsx'
import { ObjectForm } from '../../object/form.tsx'
import { technicalName } from '../../object/items.ts'
import type { KeywordMessage } from '../../object/keyword-branches.ts'
import { useLabels } from '../../object/labels.ts'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'
import type { KeywordActions } from './keyword-actions.ts'

export function KeywordForm({ keyword, act }: { keyword: KeywordMessage; act: KeywordActions }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const mayUpdate = useMay()('update', 'keyword')
  const draft = useFormDraft(`keyword.${keyword.path}`, keyword)
  const { value } = draft
  const save = async () => {
    if (await act.save(keyword, value.name ?? {})) draft.discard()
  }
  return (
    <Stack p="lg" gap="md" maw={560} style={{ overflow: 'auto' }}>
      <Title order={2}>{keyword.path}</Title>
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/assets" search={{ side: 'keywords', keyword: keyword.path }} {...props} />}
      >
        {t('files')}
      </Anchor>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <DraftNotice draft={draft} />
        <ObjectForm
          type={Keyword}
          value={value}
          onChange={draft.change}
          labelOf={useLabels(texts)}
          readOnly={!mayUpdate}
          fields={{
            name: { names: { technical: { label: t('technicalName'), description: t('technicalHint') } } },
            ...hide('id', 'parentId', 'path', 'parentPath'),
          }}
        />
        {mayUpdate && (
          <Group justify="flex-end" mt="sm">
            <Button type="submit" disabled={!draft.isChanged || !technicalName(value.name)?.trim()}>
              {word('save')}
            </Button>
          </Group>
        )}
      </form>
    </Stack>
  )
}
