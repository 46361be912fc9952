/** The query builder: conditions on fields in nested AND/OR groups, and a join with another search. */
import { Group as Row, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Group } from '../../object/conditions/conditions.ts'
import { useFields } from '../../object/conditions/fields.ts'
import { GroupEditor } from '../../object/conditions/group-editor.tsx'
import { useTexts } from '../../ui/language.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { joins, type SearchState } from './state.ts'
import { texts } from './texts.ts'

type Change = (fields: UrlState) => void

export function Builder({ state, locale, change }: { state: SearchState; locale: string; change: Change }) {
  const fields = useFields(state.tab, locale)
  const set = (conditions: Group) => change({ build: conditions.of.length === 0 ? '' : JSON.stringify(conditions) })
  return (
    <Paper p="sm">
      <Stack gap="sm">
        <GroupEditor index={state.tab} language={locale} group={state.conditions} fields={fields} onChange={set} />
        {joins[state.tab] && <JoinEditor state={state} change={change} />}
      </Stack>
    </Paper>
  )
}

function JoinEditor({ state, change }: { state: SearchState; change: Change }) {
  const t = useTexts(texts)
  const offered = joins[state.tab] ?? []
  const { join } = state
  return (
    <Row gap="xs">
      <Text size="sm">{t('join')}</Text>
      <Select
        size="xs"
        aria-label={t('joinOn')}
        data={[
          { value: '', label: t('noJoin') },
          ...offered.map(({ on, index }) => ({ value: on, label: t(index as 'PRODUCT') })),
        ]}
        value={join?.on ?? ''}
        allowDeselect={false}
        onChange={(on) => {
          const found = offered.find((one) => one.on === on)
          change({ join: found ? JSON.stringify({ ...found, text: join?.text ?? '' }) : '' })
        }}
      />
      {join && (
        <TextInput
          size="xs"
          flex={1}
          aria-label={t('joinWords')}
          placeholder={t('joinWords')}
          value={join.text}
          onChange={(event) => change({ join: JSON.stringify({ ...join, text: event.currentTarget.value }) })}
        />
      )}
    </Row>
  )
}
